"""For tenacity. ``Policy`` asks the engine about every failed attempt and remembers them in the journal:

    import recovery.tenacity

    policy = recovery.tenacity.Policy("nightly-import")

    @tenacity.retry(retry=policy.retry, wait=policy.wait, stop=policy.stop, reraise=True)
    def fetch(): ...

``retry_if_transient`` and ``wait_as_asked`` keep no journal and can be combined with tenacity's own objects.
"""

from __future__ import annotations

import threading
from typing import Optional

import tenacity

from . import Service, _Calls, from_exception


class Policy:
    """``retry``, ``wait`` and ``stop`` of one task. One decision is made and recorded per failed attempt."""

    def __init__(self, task: str, service: Optional[Service] = None) -> None:
        self._calls = _Calls(task, service)
        # Threads that call the same function have attempts of their own.
        self._attempt = threading.local()

    def retry(self, retry_state: tenacity.RetryCallState) -> bool:
        outcome = retry_state.outcome
        exc = None if outcome is None else outcome.exception()
        if exc is None:
            self._calls.worked()
        if not isinstance(exc, Exception):  # Ctrl-C and a cancelled coroutine are nothing to retry
            return False
        self._attempt.seconds = self._calls.failed(exc, retry_state.attempt_number == 1)
        return True

    # tenacity calls `retry` first, then `wait`, then `stop`, all in the thread of the attempt.

    def wait(self, retry_state: tenacity.RetryCallState) -> float:
        return self._attempt.seconds or 0.0

    def stop(self, retry_state: tenacity.RetryCallState) -> bool:
        return self._attempt.seconds is None


class retry_if_transient(tenacity.retry_base):
    """Retries an exception only when repeating the identical call is sensible."""

    def __call__(self, retry_state: tenacity.RetryCallState) -> bool:
        outcome = retry_state.outcome
        exc = None if outcome is None else outcome.exception()
        return isinstance(exc, Exception) and from_exception(exc).is_transient


class wait_as_asked(tenacity.wait.wait_base):
    """Waits as long as the server asked for, else exponentially with jitter."""

    def __init__(self, otherwise: Optional[tenacity.wait.wait_base] = None) -> None:
        self.otherwise = otherwise or tenacity.wait_random_exponential(multiplier=1, max=30)

    def __call__(self, retry_state: tenacity.RetryCallState) -> float:
        outcome = retry_state.outcome
        exc = None if outcome is None else outcome.exception()
        if exc is not None:
            diagnosis = from_exception(exc).diagnosis
            if diagnosis is not None and diagnosis.retry_after_ms is not None:
                return diagnosis.retry_after_ms / 1000
        return self.otherwise(retry_state)
