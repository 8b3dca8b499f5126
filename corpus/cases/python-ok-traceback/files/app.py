import traceback
try:
    {}['cache']
except KeyError:
    traceback.print_exc()
print('cache miss, computed fresh value')
