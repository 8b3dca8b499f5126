package app

import "testing"

func TestRetryAfterError(t *testing.T) { t.Log("error: connection refused (expected)") }
