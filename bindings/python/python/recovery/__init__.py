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
import warnings
from typing import Any, Callable, Dict, Mapping, Optional, TypeVar, Union

from . import _native
from ._answers import Answer, Decision, Diagnosis, Problem, Problems
from ._exceptions import event_of

__version__ = _native.__version__
__all__ = ["Answer", "Decision", "Diagnosis", "Problem", "Problems", "Service", "classify", "from_exception", "problems", "redact", "supervised"]

# Where the journal is kept unless said otherwise, as for the command line.
_STATE_DIR = ".recovery"

Text = Union[str, bytes]
Function = TypeVar("Function", bound=Callable[..., Any])


def _text(text: Text) -> str:
    # Bytes that are no UTF-8 also come as lone surrogates (`errors="surrogateescape"`), which are no text anywhere else.
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    elif not isinstance(text, (bytes, bytearray)):
        raise TypeError(f"expected str or bytes, not {type(text).__name__}")
    return text.decode("utf-8", "replace")


def _classify(event: Mapping[str, Any]) -> Answer:
    event_json = _text(json.dumps(event, ensure_ascii=False))
    return Answer._from(json.loads(_native.classify(event_json)), event_json)


def classify(text: Text, exit_code: int = 1, tool: Optional[str] = None) -> Answer:
    """What kind of failure the output of a command shows."""
    return _classify({"exit_code": exit_code, "stderr_tail": _text(text), "tool": tool})


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
    return _classify(event_of(exc, tool=tool))


class Service:
    """Decides and records: the journal remembers what was tried, also over restarts and, on a server, over machines.

    ``journal`` is a state directory, ``sqlite:PATH``, or ``postgres://user@host/database``. Next to a shared journal, the notes
    for people (``issues.md``, ``learnings.md``) are kept in ``.recovery``, and so is what is recorded while its server is
    away; the next call that reaches the server ships it.
    """

    def __init__(self, journal: Union[str, "os.PathLike[str]"] = _STATE_DIR) -> None:
        place = os.fspath(journal)
        if place.startswith(("postgres://", "postgresql://", "sqlite:")):
            self._native = _native.Service(_STATE_DIR, place)
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
        return Decision._from(json.loads(self._native.decide(task, _text(json.dumps(event, ensure_ascii=False)))))

    def succeeded(self, task: str) -> Decision:
        """The task worked: its ladder ends."""
        return Decision._from(json.loads(self._native.decide(task, '{"exit_code":0}')))

    def status(self, task: str) -> Optional[Dict[str, Any]]:
        """The state of the task; ``None`` if nothing is known of it."""
        status: Optional[Dict[str, Any]] = json.loads(self._native.status(task))
        return status

    def resolve(self, task: str, reason: str) -> None:
        """A person dealt with the task."""
        self._native.resolve(task, reason)

    def reset(self, task: str, reason: str) -> None:
        """The task starts over, with all its retries."""
        self._native.reset(task, reason)


class _Calls:
    """The calls of one function as attempts at one task, as ``recovery run`` takes the runs of one command."""

    def __init__(self, task: str, service: Optional[Service]) -> None:
        self.task = task
        self._service = service
        # What another process left open is closed by the first call that works.
        self.may_be_open = service is not None or os.path.isdir(_STATE_DIR)

    @property
    def service(self) -> Service:
        if self._service is None:
            self._service = _default_service()
        return self._service

    def failed(self, exc: BaseException, is_first: bool) -> Optional[float]:
        """Decides about a failed attempt: in how many seconds the next one is sensible, if at all.

        A call's first failure has all its retries before it, whatever came of earlier calls.
        """
        self.may_be_open = True
        try:
            if is_first and from_exception(exc).is_transient:
                status = self.service.status(self.task)
                if status and (status["ladder"]["level"] or 0) > 1:
                    self.service.reset(self.task, "called again")
            return self.service.decide(exc, task=self.task).retry_in
        except OSError as error:
            _warn_of(error)
            return None

    def worked(self) -> None:
        """Ends the task's ladder, if it has one."""
        if not self.may_be_open:
            return
        try:
            status = self.service.status(self.task)
            if status and status["state"] not in ("ok", "resolved"):
                self.service.succeeded(self.task)
            self.may_be_open = False
        except OSError as error:
            _warn_of(error)


def _warn_of(error: OSError) -> None:
    """A journal that cannot be used changes nothing about the call, but it is not kept quiet."""
    warnings.warn(f"recovery: {error}; the call is not recorded", RuntimeWarning, stacklevel=4)


def supervised(task: Optional[str] = None, service: Optional[Service] = None) -> Callable[[Function], Function]:
    """Retries a function or coroutine as the engine decides, and raises the last exception when it says to stop.

    Only what is worth repeating unchanged is repeated (verbs ``retry`` and ``wait``); everything else is raised at once.
    """

    def decorate(function: Function) -> Function:
        calls = _Calls(task or f"{function.__module__}.{function.__qualname__}", service)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def coroutine(*args: Any, **kwargs: Any) -> Any:
                is_first = True
                while True:
                    try:
                        result = await function(*args, **kwargs)
                    except Exception as exc:
                        # The journal is written beside the event loop, not on it.
                        seconds = await asyncio.to_thread(calls.failed, exc, is_first)
                        if seconds is None:
                            raise
                        is_first = False
                        await asyncio.sleep(seconds)
                    else:
                        if calls.may_be_open:
                            await asyncio.to_thread(calls.worked)
                        return result

            return coroutine  # type: ignore[return-value]

        @functools.wraps(function)
        def plain(*args: Any, **kwargs: Any) -> Any:
            is_first = True
            while True:
                try:
                    result = function(*args, **kwargs)
                except Exception as exc:
                    seconds = calls.failed(exc, is_first)
                    if seconds is None:
                        raise
                    is_first = False
                    time.sleep(seconds)
                else:
                    calls.worked()
                    return result

        return plain  # type: ignore[return-value]

    return decorate


@functools.lru_cache(maxsize=1)
def _default_service() -> Service:
    return Service()
