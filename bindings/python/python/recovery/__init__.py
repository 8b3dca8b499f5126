"""What failed, where, and what to do next: the recovery engine in the process, without a model call.

>>> import recovery
>>> recovery.classify("npm error code ECONNRESET").diagnosis.error_type
'connection_failure'
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import os
import time
from typing import Any, Callable, Mapping, Optional, TypeVar, Union

from . import _native
from ._answers import Answer, Decision, Diagnosis, Problem, Problems
from ._exceptions import event_of

__version__ = _native.__version__
__all__ = ["Answer", "Decision", "Diagnosis", "Problem", "Problems", "Service", "classify", "from_exception", "problems", "redact", "supervised"]

Text = Union[str, bytes]
Function = TypeVar("Function", bound=Callable[..., Any])


def _text(text: Text) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, (bytes, bytearray)) else text


def classify(text: Text, exit_code: int = 1, tool: Optional[str] = None) -> Answer:
    """What kind of failure the output of a command shows."""
    event = {"exit_code": exit_code, "stderr_tail": _text(text), "tool": tool}
    return Answer._from(json.loads(_native.classify(json.dumps(event))))


def problems(text: Text) -> Problems:
    """What the tools in a text reported: messages, places, failing tests, and the root cause."""
    answer = json.loads(_native.problems(_text(text)))
    found = tuple(Problem._from(problem) for problem in answer["problems"])
    return Problems(found, None if answer["root"] is None else found[answer["root"]])


def redact(text: Text) -> str:
    """The text without secrets."""
    return _native.redact(_text(text))


def from_exception(exc: BaseException, tool: Optional[str] = None) -> Answer:
    """What kind of failure an exception is, its causes, HTTP status and ``Retry-After`` included."""
    return Answer._from(json.loads(_native.classify(json.dumps(event_of(exc, tool=tool)))))


class Service:
    """Decides and records: the journal remembers what was tried, also over restarts and, on a server, over machines.

    ``journal`` is a state directory, ``sqlite:PATH``, or ``postgres://user@host/database``. Next to a shared journal, the notes
    for people (``issues.md``, ``learnings.md``) are kept in ``.recovery``, and so is what is recorded while its server is
    away; the next call that reaches the server ships it.
    """

    def __init__(self, journal: Union[str, "os.PathLike[str]"] = ".recovery") -> None:
        place = os.fspath(journal)
        if place.startswith(("postgres://", "postgresql://", "sqlite:")):
            self._native = _native.Service(".recovery", place)
        else:
            self._native = _native.Service(place, None)

    def decide(
        self,
        failure: Union[Text, BaseException, Mapping[str, Any]],
        *,
        task: str,
        exit_code: int = 1,
        **fields: Any,
    ) -> Decision:
        """What to do about a failure of ``task``: a text, an exception, or a whole event as a mapping."""
        if isinstance(failure, BaseException):
            event = event_of(failure)
        elif isinstance(failure, Mapping):
            event = dict(failure)
        else:
            event = {"exit_code": exit_code, "stderr_tail": _text(failure)}
        event.update(fields)
        return Decision._from(json.loads(self._native.decide(task, json.dumps(event))))

    def succeeded(self, task: str) -> Decision:
        """The task worked: its ladder ends."""
        return Decision._from(json.loads(self._native.decide(task, '{"exit_code":0}')))

    def status(self, task: str) -> Optional[dict]:
        """Where the task stands; ``None`` if nothing is known of it."""
        return json.loads(self._native.status(task))

    def resolve(self, task: str, reason: str) -> None:
        """A person dealt with the task."""
        self._native.resolve(task, reason)


def supervised(task: Optional[str] = None, service: Optional[Service] = None) -> Callable[[Function], Function]:
    """Retries a function or coroutine as the engine decides, and raises the last exception when it says to stop.

    Only what is worth repeating unchanged is repeated (verbs ``retry`` and ``wait``); everything else is raised at once.
    """

    def decorate(function: Function) -> Function:
        name = task or f"{function.__module__}.{function.__qualname__}"

        def delay(exc: Exception) -> Optional[float]:
            return (service or _default_service()).decide(exc, task=name).retry_in

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def coroutine(*args: Any, **kwargs: Any) -> Any:
                failed = False
                while True:
                    try:
                        result = await function(*args, **kwargs)
                    except Exception as exc:
                        failed = True
                        seconds = await asyncio.to_thread(delay, exc)
                        if seconds is None:
                            raise
                        await asyncio.sleep(seconds)
                    else:
                        if failed:
                            (service or _default_service()).succeeded(name)
                        return result

            return coroutine  # type: ignore[return-value]

        @functools.wraps(function)
        def plain(*args: Any, **kwargs: Any) -> Any:
            failed = False
            while True:
                try:
                    result = function(*args, **kwargs)
                except Exception as exc:
                    failed = True
                    seconds = delay(exc)
                    if seconds is None:
                        raise
                    time.sleep(seconds)
                else:
                    if failed:
                        (service or _default_service()).succeeded(name)
                    return result

        return plain  # type: ignore[return-value]

    return decorate


@functools.lru_cache(maxsize=1)
def _default_service() -> Service:
    return Service()

