import sys
print('PASS header')
print('FAIL footer: expected 3 links, got 2')
print('1 of 2 checks failed')
sys.exit(1)
