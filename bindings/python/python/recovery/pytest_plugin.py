"""``pytest --recovery`` prints the diagnosis of every failing test at the end of the run. Off by default."""

from __future__ import annotations

from typing import Any


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--recovery", action="store_true", help="print recovery's diagnosis of each failing test")


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    if not config.getoption("--recovery"):
        return
    failures = terminalreporter.stats.get("failed", []) + terminalreporter.stats.get("error", [])
    if not failures:
        return
    from . import classify

    terminalreporter.section("recovery")
    for report in failures:
        answer = classify(report.longreprtext, tool="pytest")
        terminalreporter.write_line(f"{report.nodeid}: {answer!r}")
