package app

import "testing"

func TestMap(t *testing.T) {
	var m map[string]int
	m["a"] = 1
}
