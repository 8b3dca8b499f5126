package main

func main() {
	println("a"
}
