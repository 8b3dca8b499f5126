IO.puts(Billing.total([1]))
