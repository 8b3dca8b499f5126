rows = [bytes(1000000) for _ in range(100000)]
