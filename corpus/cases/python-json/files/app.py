import os, json, urllib.request
body = urllib.request.urlopen(os.environ['SERVER'] + '/html/api').read()
print(json.loads(body)['id'])
