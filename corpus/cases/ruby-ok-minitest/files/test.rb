require 'minitest/autorun'
class FailureTest < Minitest::Test
  def test_error_503_is_retried = assert(true)
end
