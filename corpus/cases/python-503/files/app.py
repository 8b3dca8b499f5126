import os, requests
requests.get(os.environ['SERVER'] + '/503/items').raise_for_status()
