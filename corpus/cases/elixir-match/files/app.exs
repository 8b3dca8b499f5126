{:ok, v} = {:error, :enoent}
IO.inspect(v)
