ExUnit.start(seed: 0)

defmodule ErrorTest do
  use ExUnit.Case
  test "fails on 503", do: assert(true)
end
