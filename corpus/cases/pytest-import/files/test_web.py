import flask_magic


def test_ok():
    assert True
