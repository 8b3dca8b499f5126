program app
  integer :: a(3), i
  i = command_argument_count() + 9
  print *, a(i)
end program
