# SPDX-License-Identifier: MIT
"""Plug-ins and their names: of those that are unloaded another one at the same addresses has its own, one by a relative path has
names as well, and of one whose file is gone a note says so."""
import os
import shutil

from laws import NEXT_SAMPLE_SHARED
from profile_file import Profile
from support import (built, check_laws, expect, expect_between, expect_equal, expect_near, expect_same, full, report_json, routine, run,
                     scratch, skip)

BESIDE = True

NAMES = ("alpha", "gamma")
EDGES = 2 * NEXT_SAMPLE_SHARED  # a plug-in's time has two: the sample behind each may be another's


def by_module(profile, table, column):
    """Sum of a column by the module of the rows' innermost places."""
    modules = {row["number"]: row["module"] for row in profile.rows["callpaths"]}
    sums = {}
    for row in profile.rows[table]:
        module = modules.get(row["callpath"], 0)
        sums[module] = sums.get(module, 0) + row[column]
    return sums


def check_renamed(one):
    """Plug-ins loaded by the same name are told apart by their contents."""
    profile = Profile(one.profiles()[0])
    seconds, waits = by_module(profile, "samples", "cpu_ns"), by_module(profile, "waits", "count")
    builds = {}
    for row in profile.rows["modules"]:
        builds.setdefault(row["build_id"], []).append(row["number"])
    twice = [numbers for numbers in builds.values() if len(numbers) == 2]
    expect_equal("builds that were loaded by two names", len(twice), len(NAMES))
    for position, (_, number) in enumerate(sorted(twice), 1):
        expect_near("CPU time of plug-in %d by the same name" % position, seconds.get(number, 0) / 1e9, one.truth["renamed_%d" % position], 0.05, EDGES)
        expect_between("waits of plug-in %d by the same name" % position, waits.get(number, 0), one.truth["waits"] * 0.6, one.truth["waits"], 0, 0)


@full
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
        expect_near("CPU time of %s_work" % name, routine(one.report, name + "_work")["total_seconds"], one.truth["plugin_%d" % position], 0.05, EDGES)
        # a wait that finds the semaphore posted does not wait
        expect_between("waits of %s_wait" % name, waiters.get(name + "_wait", 0), one.truth["waits"] * 0.6, one.truth["waits"], 0, 0)
    check_renamed(one)


def opened(path, place, **environment):
    """A run in a directory that has the plug-in alpha below `lib`; the program opens it by that path."""
    os.makedirs(os.path.join(place, "lib"))
    shutil.copy(built("plugins/alpha.so"), os.path.join(place, "lib"))
    one = run("loader", ["file", path], directory=place, environment=environment)
    expect_same(one)
    expect_equal("what the program says", one.profiled.stdout, b"computed\nend\n")
    return one


def of_the_plugin(report):
    return sorted({r["name"] for r in report["routines"] if os.path.basename(r["module"] or "") == "alpha.so"})


def nameless(report):
    return [note for note in report["notes"] if "alpha.so" in note]


@full
def test_plugin_by_a_relative_path():
    """The loader keeps a relative path as it was given; the profile has the whole one."""
    for path, environment in (("./lib/alpha.so", {}), ("lib//alpha.so", {}), (".//lib/../lib/alpha.so", {}), ("alpha.so", {"LD_LIBRARY_PATH": "lib"})):
        place = scratch()
        one = opened(path, place, **environment)
        expect("alpha_work" in of_the_plugin(one.report), "by %s: routines of the plug-in: %s", path, of_the_plugin(one.report))
        expect_equal("by %s: notes" % path, nameless(one.report), [])
        modules = {r["module"] for r in one.report["routines"] if r["name"] == "alpha_work"}
        expect_equal("by %s: files" % path, [os.path.samefile(m, os.path.join(place, "lib", "alpha.so")) for m in modules], [True])


def test_plugin_whose_file_is_gone():
    """A note says that names are missing, of which file, and what helps; with that remedy there is no note."""
    place = scratch()
    path = os.path.join(place, "lib", "alpha.so")
    one = opened("./lib/alpha.so", place)
    os.remove(path)
    gone = report_json(one.directory)
    expect("alpha_work" not in of_the_plugin(gone), "names without the file: %s", of_the_plugin(gone))
    expect_equal("notes", nameless(gone), ["routines without names: cannot read %s: No such file or directory; "
                                           "--symbols DIR finds files of the run that lie below DIR" % os.path.realpath(path)])
    shutil.copy(built("plugins/gamma.so"), path)
    notes = nameless(report_json(one.directory))
    expect(len(notes) == 1 and "%s was changed since the run" % os.path.realpath(path) in notes[0], "of another build: %s", notes)
    found = report_json(one.directory, "--symbols", os.path.dirname(built("plugins/alpha.so")))
    expect("alpha_work" in of_the_plugin(found), "with --symbols: %s", of_the_plugin(found))
    expect_equal("notes with --symbols", nameless(found), [])
