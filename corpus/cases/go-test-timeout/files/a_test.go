package app

import (
	"testing"
	"time"
)

func TestWait(t *testing.T) { time.Sleep(time.Minute) }
