require 'minitest/autorun'
class CartTest < Minitest::Test
  def test_sum = assert_equal(3, 1 + 1)
  def test_nil = nil.size
end
