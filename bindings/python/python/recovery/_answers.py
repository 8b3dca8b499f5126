"""Typed, frozen views of the engine's JSON. ``to_dict()`` gives back exactly what the command line prints."""

from __future__ import annotations

import copy
import dataclasses
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple

from . import _native


@dataclasses.dataclass(frozen=True)
class Problem:
    """One problem that a tool reported; what it did not print is ``None``."""

    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    end_line: Optional[int] = None
    end_column: Optional[int] = None
    code: Optional[str] = None
    tool: Optional[str] = None
    test: Optional[str] = None
    expected: Optional[str] = None
    actual: Optional[str] = None
    causes: Tuple[str, ...] = ()
    text_line: Optional[int] = None

    @classmethod
    def _from(cls, json: Mapping[str, Any]) -> "Problem":
        known = {field.name: json[field.name] for field in dataclasses.fields(cls) if field.name in json}
        known["causes"] = tuple(known.get("causes") or ())
        return cls(**known)

    @property
    def place(self) -> str:
        """``file:line:column``, as far as it is known."""
        parts = [self.file, self.line, self.column] if self.file else []
        return ":".join(str(part) for part in parts if part is not None)

    def to_dict(self) -> Dict[str, Any]:
        return {**dataclasses.asdict(self), "causes": list(self.causes)}

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        code = f" ({self.code})" if self.code else ""
        return f"{place}{self.message}{code}"


@dataclasses.dataclass(frozen=True)
class Problems:
    """All problems in a text, and which of them is the root cause."""

    problems: Tuple[Problem, ...]
    root: Optional[Problem]

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    def to_dict(self) -> Dict[str, Any]:
        root = None if self.root is None else self.problems.index(self.root)
        return {"problems": [problem.to_dict() for problem in self.problems], "root": root}


@dataclasses.dataclass(frozen=True, repr=False)
class Diagnosis:
    """What kind of failure it is."""

    error_type: str
    failure_type: str
    entry_level: int
    confidence: Optional[float]
    retry_after_ms: Optional[int]
    resets_at: Optional[str]
    fingerprint: str
    problem: Optional[Problem]
    _json: Mapping[str, Any] = dataclasses.field(compare=False)

    @classmethod
    def _from(cls, json: Mapping[str, Any]) -> "Diagnosis":
        problem = json.get("problem")
        return cls(
            error_type=json["error_type"],
            failure_type=json["failure_type"],
            entry_level=json["entry_level"],
            confidence=json.get("confidence"),
            retry_after_ms=json.get("retry_after_ms"),
            resets_at=json.get("resets_at"),
            fingerprint=json["fingerprint"],
            problem=Problem._from(problem) if problem else None,
            _json=json,
        )

    def to_dict(self) -> Dict[str, Any]:
        return copy.deepcopy(dict(self._json))

    def __repr__(self) -> str:
        return f"<Diagnosis {self.error_type}{f': {self.problem}' if self.problem else ''}>"


@dataclasses.dataclass(frozen=True, repr=False)
class Answer:
    """What ``recovery.classify`` found. Falsy when the text shows no failure."""

    failure: bool
    class_: Optional[str]
    confidence: Optional[float]
    action: Optional[str]
    diagnosis: Optional[Diagnosis]
    _json: Mapping[str, Any] = dataclasses.field(compare=False)
    _event: str = dataclasses.field(compare=False)

    @classmethod
    def _from(cls, json: Mapping[str, Any], event: str) -> "Answer":
        classification, diagnosis = json.get("classification") or {}, json.get("diagnosis")
        return cls(
            failure=json["failure"],
            class_=classification.get("class"),
            confidence=classification.get("confidence"),
            action=classification.get("recommended_action"),
            diagnosis=Diagnosis._from(diagnosis) if diagnosis else None,
            _json=json,
            _event=event,
        )

    @property
    def is_transient(self) -> bool:
        """Whether repeating the identical action is sensible."""
        return self.class_ == "F1"

    def to_dict(self) -> Dict[str, Any]:
        return copy.deepcopy(dict(self._json))

    def __bool__(self) -> bool:
        return self.failure

    def __repr__(self) -> str:
        return f"<{_native.describe(self._event)}>"


@dataclasses.dataclass(frozen=True, repr=False)
class Decision:
    """What ``Service.decide`` decided and recorded."""

    task: str
    failure: bool
    verb: str
    next: str
    level: Optional[int]
    not_before: Optional[str]
    diagnosis: Optional[Diagnosis]
    directive: Optional[str]
    _json: Mapping[str, Any] = dataclasses.field(compare=False)

    @classmethod
    def _from(cls, json: Mapping[str, Any]) -> "Decision":
        ladder, diagnosis = json.get("ladder") or {}, json.get("diagnosis")
        return cls(
            task=json["task"],
            failure=json["failure"],
            verb=json["next"]["verb"],
            next=json["next"]["text"] if "text" in json["next"] else json["next"]["sentence"],
            level=ladder.get("level"),
            not_before=ladder.get("not_before"),
            diagnosis=Diagnosis._from(diagnosis) if diagnosis else None,
            directive=(json.get("repair") or {}).get("directive"),
            _json=json,
        )

    @property
    def retry_in(self) -> Optional[float]:
        """Seconds to wait before the same call is made again; ``None`` if repeating it will not help.

        Waits for the backoff, for what the server asked for, and for the cooldown that other tasks learned of.
        """
        if self.verb not in ("retry", "wait"):
            return None
        moments = (self.not_before, (self._json.get("cooldown") or {}).get("until"))
        return max([_seconds_until(moment) for moment in moments if moment] or [0.0])

    def to_dict(self) -> Dict[str, Any]:
        return copy.deepcopy(dict(self._json))

    def __repr__(self) -> str:
        return f"<{self.task}: {self.next}>"


def _seconds_until(moment: str) -> float:
    at = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
