"""How long `classify` of 4 KiB takes in the process, against a subprocess call and against `re` with the ten common words.

usage: python bench.py RECOVERY_BINARY [PAGE]

The texts are the ends of the longest outputs of the committed corpus. With PAGE (docs/python.md) the table is written between
its markers. The module and the binary have to be optimised builds.
"""

import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

import recovery

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus" / "own.jsonl"
TEXT_BYTES = 4096
WORDS = re.compile("error|fail|exception|fatal|cannot|denied|not found|timeout|refused|reset", re.IGNORECASE)
CALLS = 100


def texts():
    outputs = (json.loads(line)["text"].encode() for line in CORPUS.open())
    return [output[-TEXT_BYTES:].decode("utf-8", "replace") for output in outputs if len(output) >= 0.85 * TEXT_BYTES]


def microseconds(work, of):
    """The mean of each text's best time: one call is short enough for some of them to be disturbed by nothing else."""

    def best(text):
        times = []
        for _ in range(CALLS):
            begun = time.perf_counter()
            work(text)
            times.append(time.perf_counter() - begun)
        return min(times)

    return sum(map(best, of)) / len(of) * 1e6


def table(binary):
    of = texts()
    command = [binary, "classify", "--exit-code", "1", "--format", "json"]

    def process(text):
        subprocess.run(command, input=text.encode(), capture_output=True, check=True)

    for text in of:
        recovery.classify(text)
    ours = microseconds(recovery.classify, of)
    rows = [
        ("`recovery.classify` in the process", ours),
        ("`subprocess.run` of `recovery classify`", microseconds(process, of)),
        ("`re` with ten words, ignoring case", microseconds(WORDS.findall, of)),
    ]
    lines = [
        f"{len(of)} outputs of the corpus, cut to their last 4 KiB; Python {platform.python_version()}, {os.cpu_count()} cores. The\n"
        "best of 100 calls each, their mean:\n",
        "| what | time | compared |",
        "|---|---:|---:|",
    ]
    lines += [f"| {name} | {us:,.0f} µs | {us / ours:.2f}x |" for name, us in rows]
    return "\n".join(lines) + "\n"


def main():
    made = table(sys.argv[1])
    print(made, end="")
    if len(sys.argv) > 2:
        page = pathlib.Path(sys.argv[2])
        begin, end = "<!-- speed: bindings/python/bench.py -->\n", "<!-- end of speed -->\n"
        before, rest = page.read_text().split(begin)
        page.write_text(before + begin + made + end + rest.split(end)[1])


if __name__ == "__main__":
    main()
