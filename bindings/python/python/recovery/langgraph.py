"""For LangGraph: ``RetryPolicy(retry_on=recovery.langgraph.retry_on)`` retries a node only when that is sensible."""

from __future__ import annotations

from . import from_exception


def retry_on(exc: Exception) -> bool:
    """Whether repeating the node unchanged is sensible."""
    return from_exception(exc).is_transient
