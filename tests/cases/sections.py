# SPDX-License-Identifier: MIT
"""Named parts of a run (ptrace.h): counts, conservation, T_i, lengths, and what programs may do wrong."""
import signal

import support
from merge import merged
from support import alone, beside, check_same, expect, expect_equal, expect_near, run, timed, timing

NS = 1e-9


def rows(one):
    return {row["section"]: row for row in one.report["sections"]["rows"]}


def check_laws(one):
    """Sections and outside are the whole, column by column; what is within a section is no more than it."""
    found = rows(one)
    top = [row for row in found.values() if row["depth"] == 0 and row["kind"] in ("section", "other")]
    outside = found["outside"]
    threads = one.report["threads"]
    expect_near("time of threads", sum(row["thread_seconds"] for row in top) + outside["thread_seconds"],
                sum(t["elapsed_seconds"] for t in threads), 0, len(threads) * NS * 10)
    expect_near("CPU time of threads", sum(row["thread_cpu_seconds"] for row in top) + outside["thread_cpu_seconds"],
                one.report["run"]["cpu_seconds"], 0, len(threads) * NS * 10)
    for path, row in found.items():
        around = path.rpartition("/")[0]
        if around:
            # T_i of frequent ones is sampled
            exact = ["elapsed_seconds"] if row["grade"] == found[around]["grade"] == "exact" else []
            for key in exact + ["thread_seconds", "thread_cpu_seconds", "wait_seconds"]:
                expect(row[key] <= found[around][key] + 10 * NS, "%s of %s is %s, of %s %s", key, path, row[key], around, found[around][key])
    return found


@beside
def test_counts_of_threads():
    """As often as the program began them; their lengths are the program's own, in all outputs and merged runs."""
    one = check_same("sections", ["threads", "400"])
    found = check_laws(one)
    for path, name in ("work", "work"), ("work/inner", "inner"):
        for key in "count", "ended", "intervals":
            expect_equal("%s of %s" % (key, name), found[path][key], int(one.truth[name]))
        expect_equal("lengths of %s" % name, sum(length["count"] for length in found[path]["lengths"]), int(one.truth[name]))
        expect_equal("threads of %s" % name, found[path]["threads"], 8)
    expect(found["work"]["mean_seconds"] * found["work"]["count"] <= one.truth["work_seconds"], "lengths: %s of %s",
           found["work"]["mean_seconds"] * found["work"]["count"], one.truth["work_seconds"])
    expect_equal("of a merged run", support.report_json(merged(one.directory))["sections"]["rows"], one.report["sections"]["rows"])


@beside
def test_frequent_sections():
    """A million begins: all are counted; T_i is told of some, and says so."""
    one = check_same("sections", ["frequent", "1000000"])
    step = check_laws(one)["step"]
    expect_equal("count", step["count"], 1000000)
    expect_equal("ended", step["ended"], 1000000)
    expect(step["grade"] != "exact", "grade of T_i: %s", step["grade"])
    expect(step["thread_seconds"] < one.truth["seconds"], "%s s in it of %s", step["thread_seconds"], one.truth["seconds"])


@alone
@timed("other programs had the processors")
def test_levels():
    """T_i of a section is that of its time; sections and outside are T."""
    with timing():
        one = run("sections", ["levels"])
        one.profiled  # pylint: disable=pointless-statement
        found = check_laws(one)
        expect(found["alone"]["cu_1_percent"] > 95, "alone: %s", found["alone"])
        expect_near("time alone", found["alone"]["elapsed_seconds"], 0.3, 0.1)
        expect(found["pair"]["ceff_percent"] > 85, "pair: %s", found["pair"])
        expect(found["pair"]["cu_1_percent"] < 15, "pair: %s", found["pair"])
        expect_near("CPU time of both", found["pair"]["cpu_seconds"], 0.6, 0.1)
        expect_near("time of neither", found["idle"]["elapsed_seconds"], 0.2, 0.1)
        expect(found["idle"]["cpu_seconds"] < 0.02, "idle: %s", found["idle"])
    whole = sum(found[name]["elapsed_seconds"] for name in ("alone", "pair", "idle", "outside"))
    expect_near("T", whole, one.report["run"]["elapsed_seconds"], 0, 1e-6)


@alone
@timed("other programs had the processors")
def test_intervals():
    """90 of 1 ms and 10 of 20 ms: percentiles, and why ten were longer."""
    with timing():
        one = run("sections", ["intervals"])
        one.profiled  # pylint: disable=pointless-statement
        step = check_laws(one)["step"]
        expect_equal("count", step["count"], 100)
        expect_near("shortest", step["min_seconds"], 0.001, 0.2, 0)
        expect_near("half", step["p50_seconds"], 0.001, 0.6, 0)
        expect(0.018 < step["p99_seconds"] <= step["max_seconds"], "99 %%: %s", step)
        # eight are listed, and the lengths tell how many there are
        expect(step["long"] >= 10, "longer than four times the shortest: %s", step["long"])
        found = one.report["sections"]["intervals"]
        expect(all(8 <= row["number"] <= 98 and row["number"] % 10 == 8 for row in found), "numbers: %s", [row["number"] for row in found])
        slept = [row for row in found if row["number"] % 20 == 8]
        expect(slept and all(row["reason"] == "wait" and row["wait_cause"] == "sleep" for row in slept), "those that slept: %s", slept)
    expect(step["mean_seconds"] * 100 <= one.truth["step_seconds"], "lengths: %s of %s", step["mean_seconds"] * 100, one.truth["step_seconds"])


@beside
def test_phases():
    """One ends the one before, whoever tells it."""
    one = check_same("sections", ["phases"])
    found = rows(one)
    for name in "read", "solve", "write":
        expect_equal("kind of %s" % name, found[name]["kind"], "phase")
        expect_equal("times of %s" % name, found[name]["count"], 1)
    expect(found["read"]["elapsed_seconds"] >= 0.099, "read: %s", found["read"])
    expect(found["write"]["elapsed_seconds"] >= 0.049, "write: %s", found["write"])
    whole = sum(found[name]["elapsed_seconds"] for name in ("read", "solve", "write", "outside"))
    expect_near("T", whole, one.report["run"]["elapsed_seconds"], 0, 1e-6)


@beside
def test_marks():
    one = check_same("sections", ["marks"])
    found = {row["name"]: row for row in one.report["sections"]["marks"]}
    for name, first, last, least, most in ("step", 0, 99, 0, 99), ("residual", 50, -247, -247, 50):
        row = found[name]
        expect_equal("values of %s" % name, [row[key] for key in ("count", "first_value", "last_value", "min_value", "max_value")],
                     [100, first, last, least, most])


@beside
def test_odd_calls():
    """Ends without begins change nothing; what a jump leaves open ends with what is around it; what is open at the end says so."""
    one = check_same("sections", ["odd"])
    found = check_laws(one)
    expect_equal("mine", (found["mine"]["count"], found["mine"]["ended"]), (1, 1))
    expect_equal("left", (found["mine/left"]["count"], found["mine/left"]["cut"]), (1, 1))
    expect_equal("without a name", found["[no name]"]["count"], 2)
    expect_equal("last", (found["last"]["count"], found["last"]["ended"]), (1, 1))
    expect_equal("open", (found["open"]["count"], found["open"]["open"]), (1, 1))
    expect("never" not in found and "another" not in found, "sections: %s", sorted(found))
    expect([note for note in one.report["notes"] if "had not begun" in note], "notes: %s", one.report["notes"])
    expect([note for note in one.report["notes"] if "were open in a thread" in note], "notes: %s", one.report["notes"])


@beside
def test_names():
    """Of 10,000 names 64 have rows, all are counted, and the bytes of names do no harm in any output."""
    one = check_same("sections", ["names", "10000"])
    found = check_laws(one)
    expect_equal("all", sum(row["count"] for row in found.values() if row["count"] is not None), int(one.truth["all"]))
    expect_equal("first", found["first"]["count"], 1)
    expect(found["[other]"]["count"] > 9900, "other: %s", found["[other]"])
    expect([name for name in found if name.startswith("nnnn") and len(name) == 255], "the long name: %s", sorted(found)[:5])
    for options in (["--format", "html"], ["--format", "csv", "--section", "sections"], ["--section", "sections"]):
        expect_equal("status of %s" % options, support.execute([support.REPORT] + options + [one.directory]).status, 0)


@beside
def test_processes():
    """A child has its own; the end of what its parent began is none; exec begins anew."""
    one = check_same("sections", ["forked"])
    found = rows(one)
    expect_equal("around", (found["around"]["count"], found["around"]["ended"]), (1, 1))
    expect_equal("of the child", found["of the child"]["count"], 1)
    expect_equal("before exec", (found["before exec"]["count"], found["before exec"]["ended"]), (1, 0))


@beside
def test_handlers():
    """Handlers tell sections between any two instructions: what is not counted says so, and the rest is right."""
    one = check_same("sections", ["handlers"])
    found = check_laws(one)
    handled = sum(row["count"] for path, row in found.items() if path.endswith("in a handler"))
    told = int(one.truth["step"])
    missed = [note for note in one.report["notes"] if "signal handlers told" in note]
    expect(handled == int(one.truth["handled"]) or missed, "%d of %d, and no note: %s", handled, int(one.truth["handled"]), one.report["notes"])
    expect(found["step"]["count"] == told, "steps: %s of %d", found["step"]["count"], told)
    expect_equal("steps that are open or cut", (found["step"]["open"], found["step"]["cut"]), (0, 0))


@beside
def test_killed():
    """What was open is there, with its time."""
    one = check_same("sections", ["killed"], complete=False)
    expect_equal("status", one.profiled.status, -signal.SIGKILL)
    found = check_laws(one)
    expect_equal("outer", (found["outer"]["count"], found["outer"]["open"]), (1, 1))
    expect_equal("inner", (found["outer/inner"]["count"], found["outer/inner"]["open"]), (1, 1))
    expect(found["outer/inner"]["thread_seconds"] > 0.19, "inner: %s", found["outer/inner"])
    expect(found["outer"]["thread_seconds"] > 0.29, "outer: %s", found["outer"])


@beside
def test_names_of_locks():
    one = check_same("sections", ["locks"])
    names = {row["name"] for row in support.waits(one.report, "mutex")}
    expect(names == {"table+0x50"}, "locks: %s", names)
    expect_equal("the largest wait", rows(one)["fill"]["longest_wait_cause"], "join")


@beside
def test_regions_of_other_tools():
    """Caliper's and NVTX's are sections, one within the other, and these tools are told as ever."""
    one = check_same("section_regions")
    found = check_laws(one)
    for path in "of Caliper", "of Caliper/of NVTX", "of Caliper/of NVTX/by attributes":
        expect_equal(path, (found[path]["count"], found[path]["ended"]), (int(one.truth["regions"]),) * 2)
