def load(c):
    return c['database']['url']

load({'database': {}})
