output "r" { value = var.region }
