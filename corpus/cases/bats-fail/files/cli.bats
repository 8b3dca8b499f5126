@test "prints version" {
  run echo 1.0
  [ "$output" = "2.0" ]
}
@test "fails on error" {
  true
}
