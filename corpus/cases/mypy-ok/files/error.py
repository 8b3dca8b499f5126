class TimeoutError2(Exception):
    pass
