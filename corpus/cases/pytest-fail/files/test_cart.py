def total(items):
    return sum(items) + 1


def test_total():
    assert total([1, 2]) == 3


def test_empty():
    assert total([]) == 1
