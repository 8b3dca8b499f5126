import unittest


class T(unittest.TestCase):
    def test_failure_message(self):
        print('ERROR: simulated timeout')
