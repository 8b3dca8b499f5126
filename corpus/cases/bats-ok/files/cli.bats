@test "exits 1 when connection is refused" {
  run false
  [ "$status" -eq 1 ]
}
