"""For tenacity: ``@retry(retry=retry_if_transient(), wait=wait_as_asked(), stop=stop_when_told("job"))``."""

from __future__ import annotations

from typing import Optional

import tenacity

from . import Service, from_exception


class retry_if_transient(tenacity.retry_base):
    """Retries an exception only when repeating the identical call is sensible."""

    def __call__(self, retry_state: tenacity.RetryCallState) -> bool:
        outcome = retry_state.outcome
        if outcome is None or not outcome.failed:
            return False
        return from_exception(outcome.exception()).is_transient


class wait_as_asked(tenacity.wait.wait_base):
    """Waits as long as the server asked for, else exponentially with jitter."""

    def __init__(self, otherwise: Optional[tenacity.wait.wait_base] = None) -> None:
        self.otherwise = otherwise or tenacity.wait_random_exponential(multiplier=1, max=30)

    def __call__(self, retry_state: tenacity.RetryCallState) -> float:
        outcome = retry_state.outcome
        if outcome is not None and outcome.failed:
            diagnosis = from_exception(outcome.exception()).diagnosis
            if diagnosis is not None and diagnosis.retry_after_ms is not None:
                return diagnosis.retry_after_ms / 1000
        return self.otherwise(retry_state)


class stop_when_told(tenacity.stop.stop_base):
    """Stops when the engine, which remembers the task's attempts, no longer says to retry."""

    def __init__(self, task: str, service: Optional[Service] = None) -> None:
        self.task = task
        self.service = service or Service()

    def __call__(self, retry_state: tenacity.RetryCallState) -> bool:
        outcome = retry_state.outcome
        if outcome is None or not outcome.failed:
            return False
        decision = self.service.decide(outcome.exception(), task=self.task)
        return decision.verb not in ("retry", "wait")
