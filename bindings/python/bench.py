"""How long `classify` of a 4 KiB text takes in the process, against a subprocess call and against `re` with ten words.

usage: python bench.py RECOVERY_BINARY    (a micro-benchmark: one text, repeated)
"""

import re
import subprocess
import sys
import time

import recovery

LINE = "  File \"app/views.py\", line 12, in handler\n"
TEXT = (LINE * 100)[:4000] + "\nrequests.exceptions.ConnectionError: ('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer'))\n"
WORDS = re.compile("error|fail|exception|fatal|cannot|denied|not found|timeout|refused|reset", re.IGNORECASE)


def microseconds(work, times):
    begun = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begun) / times * 1e6


def main():
    binary = sys.argv[1]
    assert recovery.classify(TEXT).diagnosis.error_type == "connection_failure"
    ours = microseconds(lambda: recovery.classify(TEXT), 200)
    command = [binary, "classify", "--exit-code", "1", "--format", "json"]
    process = microseconds(lambda: subprocess.run(command, input=TEXT.encode(), capture_output=True, check=True), 20)
    words = microseconds(lambda: WORDS.findall(TEXT), 200)
    print(f"in the process {ours:.0f} us; a subprocess {process / ours:.1f} times as long; re with ten words {words / ours:.2f} times")


if __name__ == "__main__":
    main()
