import os
import sys

print(undefined_name)
