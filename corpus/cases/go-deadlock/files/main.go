package main

func main() { <-make(chan int) }
