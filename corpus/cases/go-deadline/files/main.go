package main

import (
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	c := http.Client{Timeout: time.Second}
	if _, err := c.Get(os.Getenv("SERVER") + "/stall/items"); err != nil {
		log.Fatal(err)
	}
}
