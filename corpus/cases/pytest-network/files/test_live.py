import os, requests


def test_health():
    requests.get('http://127.0.0.1:' + os.environ['CLOSED_PORT'] + '/health')
