package main

func main() {
	limit := 429
	var name string = 3
}
