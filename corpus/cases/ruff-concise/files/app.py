l = 1
if l == None: print(f'x')
