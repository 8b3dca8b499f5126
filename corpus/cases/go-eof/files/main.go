package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	if _, err := http.Get(os.Getenv("SERVER") + "/close/items"); err != nil {
		log.Fatal(err)
	}
}
