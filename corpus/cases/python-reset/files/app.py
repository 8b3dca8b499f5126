import os, requests
requests.get(os.environ['SERVER'] + '/reset/items')
