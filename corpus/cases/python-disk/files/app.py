import shutil
with open('disk/cache.bin', 'wb') as f:
    f.write(b'x' * 500000)
