import pytest


@pytest.mark.parametrize('status', [429, 500, 503])
def test_error_is_retried(status):
    assert status


def test_connection_refused_raises():
    with pytest.raises(ConnectionRefusedError):
        raise ConnectionRefusedError


@pytest.mark.xfail
def test_known_failure():
    assert False
