import os, httpx
httpx.get(os.environ['SERVER'] + '/429/items').raise_for_status()
