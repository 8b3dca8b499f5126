def pay(amount):
    assert amount > 0, f'amount {amount} must be positive'

pay(-5)
