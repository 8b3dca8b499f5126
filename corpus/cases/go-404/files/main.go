package main

import "example.test/retry"

func main() { retry.Do() }
