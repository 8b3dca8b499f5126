ExUnit.start(seed: 0)

defmodule CartTest do
  use ExUnit.Case
  test "sum", do: assert(1 + 1 == 3)
  test "timeout is handled", do: assert(true)
end
