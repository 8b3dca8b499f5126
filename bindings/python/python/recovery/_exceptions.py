"""An exception as a failure event: its text with the chain of causes, the HTTP status, ``Retry-After`` and the host.

Works by what the exceptions of requests, httpx, urllib3, openai, anthropic, google-genai, boto3, psycopg, asyncio and
subprocess carry (``response``, ``status_code``, ``headers``, ``stderr``, ...); none of these libraries is imported.
"""

from __future__ import annotations

import http
import re
import traceback
import urllib.parse
from typing import Any, Dict, Iterator, List, Mapping, Optional


def event_of(exc: BaseException, *, tool: Optional[str] = None) -> Dict[str, Any]:
    """The failure event for ``exc``, as ``recovery decide --event`` reads it."""
    lines: List[str] = []
    status = retry_after = host = None
    for cause in _chain(exc):
        response = _response(cause)
        status = status or _status(cause, response)
        retry_after = retry_after or _header(cause, response, "retry-after")
        host = host or _host(cause)
        lines.extend(_printed(cause))
    if host:
        lines.append(f"host: {host}")
    if status:
        lines.append(f"HTTP {status} {_phrase(status)}".rstrip())
    if retry_after:
        lines.append(f"Retry-After: {retry_after}")
    lines.append("".join(traceback.format_exception(type(exc), exc, exc.__traceback__)).rstrip())
    code = getattr(exc, "returncode", None)
    return {
        "tool": tool or type(exc).__module__.split(".")[0],
        "exit_code": code if isinstance(code, int) and code != 0 else 1,
        "stderr_tail": "\n".join(lines),
    }


def _phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return ""


def _chain(exc: BaseException) -> Iterator[BaseException]:
    seen = set()
    cause: Optional[BaseException] = exc
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _response(exc: BaseException) -> Any:
    return getattr(exc, "response", None)


def _status(exc: BaseException, response: Any) -> Optional[int]:
    if isinstance(response, Mapping):  # boto3: a dictionary
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        return status if isinstance(status, int) else None
    # urllib3 gives up on a status only in words.
    given_up = re.search(r"too many (\d{3}) error responses", str(getattr(exc, "reason", "")))
    if given_up:
        return int(given_up[1])
    for holder in (exc, response):
        for name in ("status_code", "status", "code"):
            value = getattr(holder, name, None)
            if isinstance(value, int) and 100 <= value < 600:
                return value
    return None


def _header(exc: BaseException, response: Any, name: str) -> Optional[str]:
    if isinstance(response, Mapping):
        headers = response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
    else:
        headers = getattr(response, "headers", None) or getattr(exc, "headers", None) or {}
    try:
        value: Optional[str] = headers.get(name) or headers.get(name.title())
    except AttributeError:
        return None
    return value


def _host(exc: BaseException) -> Optional[str]:
    """The host's name without its port, so that all clients of one server name the same resource."""
    # httpx raises where an exception has no request; nothing about a host is worth an error.
    try:
        url = getattr(getattr(exc, "request", None), "url", None) or getattr(_response(exc), "url", None)
    except Exception:
        url = None
    if url is None:
        details = getattr(exc, "kwargs", None)  # botocore: what its message is made of
        url = details.get("endpoint_url") if isinstance(details, Mapping) else getattr(exc, "url", None)
    try:
        return urllib.parse.urlsplit(str(url)).hostname or getattr(getattr(exc, "pool", None), "host", None)
    except ValueError:
        return None


def _printed(exc: BaseException) -> Iterator[str]:
    """What a failed command printed (``subprocess.CalledProcessError``), or a database said (psycopg)."""
    for name in ("stdout", "stderr"):
        text = getattr(exc, name, None)
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        if isinstance(text, str) and text.strip():
            yield text.rstrip()
    diagnostic = getattr(exc, "diag", None)
    for name in ("message_primary", "message_detail", "message_hint"):
        text = getattr(diagnostic, name, None)
        if isinstance(text, str):
            yield text
