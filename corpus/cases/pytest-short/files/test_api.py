def parse(text):
    return int(text)


def test_parse():
    assert parse('12a') == 12
