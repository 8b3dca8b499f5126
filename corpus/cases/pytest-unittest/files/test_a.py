import unittest


class T(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(1 + 1, 3)

    def test_error_is_caught(self):
        pass
