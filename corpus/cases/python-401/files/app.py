import os, requests
requests.get(os.environ['SERVER'] + '/401/me').raise_for_status()
