import os
def f( a ):
  return b
