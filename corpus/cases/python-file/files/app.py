with open('data/users.csv') as f:
    print(f.read())
