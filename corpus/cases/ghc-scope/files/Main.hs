main = print (totl [1, 2])
