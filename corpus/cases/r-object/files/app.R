total <- sum(c(1, 2))
print(totals)
