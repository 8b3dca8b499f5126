open('in.txt', 'wb').write(b'caf\xe9 \xff')
print(open('in.txt', encoding='utf-8').read())
