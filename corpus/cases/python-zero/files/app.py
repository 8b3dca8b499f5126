try:
    int('x')
except ValueError:
    print(1 / 0)
