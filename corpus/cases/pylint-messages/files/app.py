import os
def F(a):
    return a.b.c + undefined
