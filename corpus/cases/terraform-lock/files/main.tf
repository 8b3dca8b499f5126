output "r" { value = 1 }
