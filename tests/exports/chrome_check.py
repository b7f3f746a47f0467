"""Chrome's trace events: of each thread, starts and ends nest and times do not go back.

chrome_check.py FILE...
"""

import json
import sys
from collections import defaultdict
from decimal import Decimal


def check(path):
    with open(path, encoding="utf-8") as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    opened, last = defaultdict(int), defaultdict(Decimal)
    for event in events:
        if event["ph"] == "M":
            continue
        thread = (event["pid"], event["tid"])
        assert event["ts"] >= last[thread], f"time goes back at {event}"
        last[thread] = event["ts"]
        if event["ph"] == "B":
            assert event["name"] and event["cat"], f"no name: {event}"
            opened[thread] += 1
        elif event["ph"] == "E":
            opened[thread] -= 1
            assert opened[thread] >= 0, f"end of nothing: {event}"
        else:
            assert event["ph"] == "i", f"unknown: {event}"
    assert not any(opened.values()), "spans without end"


def main(paths):
    for path in paths:
        try:
            check(path)
        except Exception as error:
            sys.exit(f"{path}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
