def find(id) = nil
puts find(3).name
