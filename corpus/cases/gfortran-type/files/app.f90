program app
  implicit none
  integer :: n
  n = total + 1
end program
