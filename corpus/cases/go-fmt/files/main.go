package main
func main(){ }
