terraform {
  required_providers {
    cloud = { source = "localhost:7414/acme/cloud" }
  }
}
