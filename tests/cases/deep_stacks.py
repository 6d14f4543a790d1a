# SPDX-License-Identifier: MIT
"""Call paths of waits in stacks of any depth."""
import bisect
import collections
import subprocess

from profile_file import Profile
from support import built, check_laws, expect_equal, expect_same, need, run

BESIDE = True  # no case asserts a time
TURNS = {"left": "L", "right": "R"}


def routines_of(program):
    """Finds the routine of an address in the program."""
    need("nm")
    lines = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.split("\n")
    symbols = sorted((int(line.split()[0], 16), line.split()[2]) for line in lines if " t " in line.lower())
    starts = [address for address, _ in symbols]
    return lambda address: symbols[bisect.bisect_right(starts, address) - 1][1]


def turns_of(places, path, name):
    """The turns of a wait's stack, from the bottom: L and R."""
    turns, module = "", places[path]["module"]
    while path:
        place = places[path]
        turns += TURNS.get(name(place["offset"] - 1), "") if place["module"] == module else ""
        path = place["parent"]
    return turns


def test_every_wait_has_the_path_of_its_own_stack():
    """200 frames deep, with a turn anywhere: no stack is taken for the previous one at the same addresses."""
    one = run("deep")
    expect_same(one)
    check_laws(one.report)
    profile, name = Profile(one.profiles()[0]), routines_of(built("deep"))
    places = {row["number"]: row for row in profile.rows["callpaths"]}
    found, wanted = collections.Counter(), collections.Counter()
    for row in profile.rows["waits"]:
        found[turns_of(places, row["callpath"], name)] += row["count"]
    for stack, count in one.truth.items():
        depth, turn = map(int, stack.split("_"))
        # the frame that it turned to lies on turn - 1 others
        wanted["L" * (turn - 1) + "R" + "L" * (depth - turn + 1) if turn else "L" * (depth + 1)] += count
    expect_equal("waits by stack", sorted(found.items()), sorted(wanted.items()))
