package app

import "testing"

func TestSum(t *testing.T) {
	if got := 1 + 1; got != 3 {
		t.Errorf("Sum() = %d, want 3", got)
	}
}

func TestTimeoutError(t *testing.T) {}
