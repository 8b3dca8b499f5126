import argparse
p = argparse.ArgumentParser(prog='tool')
p.add_argument('--workers', type=int)
p.add_argument('file')
p.parse_args()
