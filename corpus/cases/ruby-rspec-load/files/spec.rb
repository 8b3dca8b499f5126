require_relative 'lib/cart'
RSpec.describe(Cart) {}
