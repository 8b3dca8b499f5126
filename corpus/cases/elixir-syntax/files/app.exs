defmodule A do
  def f(x) do
    x + 1
end
