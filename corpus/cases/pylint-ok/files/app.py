"""Error handling."""

RETRY_ON = (429, 503)
