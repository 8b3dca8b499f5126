package main

import "example.test/store"

func main() { store.Open() }
