def total(items)
  items.sum do |i|
    i.price
end
