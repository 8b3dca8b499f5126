variable "region" {}
output "r" { value = var.region }
