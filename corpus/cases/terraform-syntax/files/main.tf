variable "region" {
  default = "eu"

output "r" { value = var.region }
