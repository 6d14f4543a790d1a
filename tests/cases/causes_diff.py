# SPDX-License-Identifier: MIT
"""The first line of ptrace-diff on the pairs of tests/programs/causes: with the cause, and fixed, three runs a side in turn.

It must never call the fixed program worse, must call it better if the gain is larger than the differences between runs, and then
the line must name the place of the cause, or what its head allows for a change.

  python3 tests/cases/causes_diff.py [NAME...]      prints each line, and the totals"""
import collections
import json
import os
import re
import sys

import causes
import support
from causes import is_control, named, programs
from support import BUILD, RUN, execute, expect, expect_equal, scratch, skip, soaks
from verdict import DISTURBANCE, others_had

DIFF = os.path.join(BUILD, "bin", "ptrace-diff")
RUNS = 3
LEAST_TOLD = 24 / 28  # of the pairs
LEAST_NAMED = 24 / 28  # of those that are told
BETTER, CANNOT = 3, 0  # exit statuses

Row = collections.namedtuple("Row", "program is_told has_place headline")


def recorded(program, arguments):
    launcher, command = causes.command_of(program)
    directory = os.path.join(scratch(), "run")
    result = execute(launcher + [RUN, "-q", "-o", directory, "--"] + command + arguments, environment=causes.environment_of(program))
    expect_equal("status of %s" % program.name, result.status, 0)
    return directory


def names_cause(program, headline):
    return any(pattern and re.search(pattern, headline) for pattern in (program.place, program.change))


def row_of(program):
    sides = [[], []]
    for _ in range(RUNS):
        for side, arguments in enumerate(([], ["fixed"])):
            sides[side].append(recorded(program, arguments))
    result = execute([DIFF, "--format", "json"] + sides[0] + ["--"] + sides[1])
    headline = json.loads(result.stdout)["headline"]
    expect(result.status in (BETTER, CANNOT), "%s: status %d: %s", program.name, result.status, headline)
    return Row(program, result.status == BETTER, names_cause(program, headline), headline)


def causes_of(names=()):
    return [p for p in programs(names) if not is_control(p)]


def reached(rows):
    """Prints each line and the totals; returns whether enough are found, and enough of those name the place."""
    for row in rows:
        print("%-16s %s %s" % (row.program.name, "    " if not row.is_told else "yes " if row.has_place else "NO  ", row.headline))
    told = [r for r in rows if r.is_told]
    right = [r for r in told if r.has_place]
    print("better in %d of %d%s; the line names the place in %d of them%s" % (
        len(told), len(rows), named([r for r in rows if not r.is_told]), len(right), named([r for r in told if not r.has_place])), flush=True)
    return len(told) >= LEAST_TOLD * len(rows) and len(right) >= LEAST_NAMED * len(told)


def the_first_line_names_the_cause():
    causes.on_two_processors()
    failure, rows, others = others_had(lambda: [row_of(program) for program in causes_of()])
    if failure:
        raise failure
    is_reached = reached(rows)
    if others > DISTURBANCE:
        skip("others had %.1f processors" % others)
    expect(is_reached, "too few pairs are told, or too few lines name the place")


if support.SOAK:
    test_the_first_line_names_the_cause = soaks(the_first_line_names_the_cause)


if __name__ == "__main__":
    causes.on_two_processors()
    sys.exit(0 if reached([row_of(program) for program in causes_of(sys.argv[1:])]) else 1)
