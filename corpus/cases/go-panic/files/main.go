package main

type user struct{ name string }

func find() *user { return nil }

func main() { println(find().name) }
