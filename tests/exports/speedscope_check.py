"""Holds speedscope files against speedscope's own schema, and against what that cannot say.

speedscope_check.py SCHEMA FILE...
speedscope_check.py --sums SCHEMA FILE      also prints, for each thread, number and nanoseconds of spans by name
"""

import json
import sys
from collections import defaultdict

from jsonschema import Draft7Validator


def evented(profile, frames):
    """Yields frame and duration of each span; fails if spans do not nest."""
    opened, last = [], profile["startValue"]
    for event in profile["events"]:
        assert event["at"] >= last, f"time goes back at {event}"
        last = event["at"]
        if event["type"] == "O":
            opened.append(event)
        else:
            start = opened.pop()
            assert start["frame"] == event["frame"], f"{event} ends {start}"
            yield frames[event["frame"]], event["at"] - start["at"]
    assert not opened, f"{len(opened)} spans without end"
    assert last <= profile["endValue"], "events after the end"


def sampled(profile, frames):
    """Yields the innermost frame and the weight of each sample."""
    assert len(profile["samples"]) == len(profile["weights"])
    assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
    for stack, weight in zip(profile["samples"], profile["weights"]):
        for frame in stack:
            assert 0 <= frame < len(frames), f"no frame {frame}"
        if stack:
            yield frames[stack[-1]], weight


def check(validator, path, show):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    validator.validate(data)
    frames = data["shared"]["frames"]
    for profile in data["profiles"]:
        sums = defaultdict(lambda: [0, 0])
        spans = evented if profile["type"] == "evented" else sampled
        for frame, time in spans(profile, frames):
            sums[frame["name"]][0] += 1
            sums[frame["name"]][1] += time
        for name, (count, time) in sorted(sums.items()):
            if show:
                print(f"{profile['name']}\t{name}\t{count}\t{time}")


def main(arguments):
    show = arguments[0] == "--sums"
    schema, *paths = [argument for argument in arguments if argument != "--sums"]
    with open(schema, encoding="utf-8") as file:
        validator = Draft7Validator(json.load(file))
    for path in paths:
        try:
            check(validator, path, show)
        except Exception as error:
            sys.exit(f"{path}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
