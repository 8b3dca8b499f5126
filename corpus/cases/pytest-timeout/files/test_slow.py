import time


def test_wait():
    time.sleep(5)
