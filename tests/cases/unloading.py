# SPDX-License-Identifier: MIT
"""Plug-ins that are unloaded: another one at the same addresses has its own name, for samples and for waits."""
from laws import NEXT_SAMPLE_SHARED
from profile_file import Profile
from support import built, check_laws, expect_between, expect_equal, expect_near, expect_same, routine, run, skip

NAMES = ("alpha", "gamma")


def by_module(profile, table, column):
    """Sum of a column by the module of the rows' innermost places."""
    modules = {row["number"]: row["module"] for row in profile.rows["callpaths"]}
    sums = {}
    for row in profile.rows[table]:
        module = modules.get(row["callpath"], 0)
        sums[module] = sums.get(module, 0) + row[column]
    return sums


def check_renamed(one):
    """Loaded by the same name, plug-ins are told apart by what they are."""
    profile = Profile(one.profiles()[0])
    seconds, waits = by_module(profile, "samples", "cpu_ns"), by_module(profile, "waits", "count")
    builds = {}
    for row in profile.rows["modules"]:
        builds.setdefault(row["build_id"], []).append(row["number"])
    twice = [numbers for numbers in builds.values() if len(numbers) == 2]
    expect_equal("builds that were loaded by two names", len(twice), len(NAMES))
    for position, (_, number) in enumerate(sorted(twice), 1):
        expect_near("CPU time of plug-in %d by the same name" % position, seconds.get(number, 0) / 1e9, one.truth["renamed_%d" % position], 0.05, NEXT_SAMPLE_SHARED)
        expect_between("waits of plug-in %d by the same name" % position, waits.get(number, 0), one.truth["waits"] * 0.6, one.truth["waits"], 0, 0)


def test_plugins_at_the_same_addresses():
    """Two plug-ins of one shape, by names of their own and by the same name, one after the other at the same place."""
    one = run("unload", [built("plugins/%s.so" % name) for name in NAMES])
    expect_same(one)
    check_laws(one.report)
    if not one.truth["are_at_one_place"]:
        skip("the loader has put the plug-ins to different places")
    waiters = {}
    for row in one.report["synchronization"]:
        for waiter in row["waiters"]:
            waiters[waiter["routine"]] = waiters.get(waiter["routine"], 0) + waiter["count"]
    for position, name in enumerate(NAMES, 1):
        expect_near("CPU time of %s_work" % name, routine(one.report, name + "_work")["total_seconds"], one.truth["plugin_%d" % position], 0.05, NEXT_SAMPLE_SHARED)
        # a wait that finds the semaphore posted does not wait
        expect_between("waits of %s_wait" % name, waiters.get(name + "_wait", 0), one.truth["waits"] * 0.6, one.truth["waits"], 0, 0)
    check_renamed(one)
