import os, requests
requests.get(os.environ['SERVER'] + '/stall/items', timeout=1)
