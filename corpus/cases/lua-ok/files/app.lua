print(pcall(error, 'attempt to index a nil value'))
print('handled')
