# SPDX-License-Identifier: MIT
"""ptrace-diff --scaling: runs of one program with 1, 2 and 4 threads, teams or ranks, on a machine with two processors.

Times depend on the machine and its other programs; what they were lost to depends on the program. So a case checks sums, and what
is lost to the one cause that the program was made to have, leaving out time without a processor."""
import html
import json
import os
import re
import select
import threading
import time

import mpi_job
import support
from support import (BUILD, RUN, beside, built, clean_environment, execute, expect, expect_between, expect_equal,
                     expect_near, fail, full, part_skipped, scratch, skip, timing)

DIFF = os.path.join(BUILD, "bin", "ptrace-diff")
EXPORT = os.path.join(BUILD, "bin", "ptrace-export")
_runs = {}


def profile_with_truth(name, command, environment=None):
    directory = os.path.join(scratch(), name)
    result = execute([RUN, "-q", "-o", directory, "--"] + command, environment=clean_environment(environment))
    expect_equal("status of %s" % " ".join(command), result.status, 0)
    return directory, result.truth


def profile(name, command, environment=None):
    return profile_with_truth(name, command, environment)[0]


def threads(how, *scales, seconds=0.3):
    return [profile("%s.%d" % (how, p), [built("scaling_truth"), how, str(p), str(seconds)]) for p in scales]


def diff(*arguments, status=0):
    result = execute([DIFF, "--scaling"] + list(arguments))
    expect_equal("status of ptrace-diff --scaling; stderr: %s" % result.stderr_text()[-300:], result.status, status)
    return result


def scaling(*arguments):
    report = json.loads(diff("--format", "json", *arguments).stdout)
    check_sums(report)
    return report


def check_sums(report):
    """Causes add up to the processor time of each point and to what it lost; the figures follow from p and T(p) alone."""
    first = report["points"][0]
    for i, point in enumerate(report["points"]):
        work = point["p"] / first["p"] if report["weak"] else 1
        processor = point["p"] * point["elapsed_seconds"]
        lost = processor - work * first["p"] * first["elapsed_seconds"]
        expect_near("p T(p) at %g" % point["p"], sum(c["seconds"][i] for c in report["causes"]), processor, 1e-6, 1e-6)
        expect_near("lost at %g" % point["p"], sum(c["lost_seconds"][i] for c in report["causes"]), lost, 1e-6, 1e-6)
        expect_near("lost_seconds at %g" % point["p"], point["lost_seconds"], lost, 1e-6, 1e-6)
        expect_near("efficiency at %g" % point["p"], point["efficiency"],
                    work * first["p"] * first["elapsed_seconds"] / processor, 1e-6, 1e-6)
    if lost > 0:
        expect_near("sum of shares", sum(c["share"] for c in report["causes"]), 1, 1e-6, 1e-6)


def check_karp_flatt(point, first_seconds):
    """The serial fraction by Karp and Flatt (1990): (1 / speed-up - 1 / p) / (1 - 1 / p)."""
    fraction = (point["elapsed_seconds"] / first_seconds - 1 / point["p"]) / (1 - 1 / point["p"])
    expect_near("Karp-Flatt at %g" % point["p"], point["karp_flatt"], fraction, 1e-6, 1e-6)


def of_program(report):
    """The most lost first, but for what other programs can do: take processors, so that one of two equal threads ends later."""
    return [c for c in report["causes"] if c["kind"] not in ("ready", "absent", "rest")]


def cause(report, kind, key=None):
    found = [c for c in report["causes"] if c["kind"] == kind and key in (None, c["key"])]
    return found[0] if found else fail("no cause %s %s; there are: %s", kind, key,
                                       ", ".join("%(kind)s %(key)s" % c for c in report["causes"]))


def check_rest(report, share=0.05, polls=False, asleep=0):
    """What the causes do not explain, of the processor time. polls: whether a thread that lacked a processor was in a call at that time is
    not recorded, so that as much as that may be counted twice, or not at all. asleep: seconds in unwrapped sleeps, which a rank's blocked
    time does not always show (docs/scaling.md, what it cannot tell)."""
    for i, point in enumerate(report["points"]):
        rest = cause(report, "rest")["seconds"][i]
        processor = point["p"] * point["elapsed_seconds"]
        ready = cause(report, "ready")["seconds"][i] if polls else 0
        expect(abs(rest) <= share * processor + 0.005 + ready + asleep, "p = %g: %.6f s of %.6f s are not explained", point["p"], rest, processor)


def test_the_lock_is_named():
    report = scaling(*threads("lock", 1, 2, 4))
    expect_equal("scales", [p["p"] for p in report["points"]], [1, 2, 4])
    lock = of_program(report)[0]
    expect_equal("what loses most", (lock["kind"], lock["key"]), ("wait", "mutex table_lock"))
    expect(lock["blame"].startswith("held by insert (scaling_truth.c:"), "blamed: %s", lock["blame"])
    expect_equal("waiting of one thread", lock["seconds"][0], 0)
    expect(min(lock["lost_seconds"][1:]) > 0, "no waiting: %s", lock["seconds"])
    check_rest(report)


def drain(end, _, is_over, __):
    """Reads slowly: 40 times 64 KiB take half a second and more."""
    while not is_over.is_set():
        try:
            os.read(end, 16384)
        except BlockingIOError:
            pass
        time.sleep(0.003)


def feed(end, done, _, count):
    """40 pieces of work, each after a rest once the one before is done, however long the machine takes for it; and then the end of
    each of `count` threads."""
    for _ in range(40):
        time.sleep(0.012)
        os.write(end, b"x")
        if not select.select([done], [], [], 30)[0] or not os.read(done, 1):
            return
    os.write(end, bytes(count))


def with_pipe(how, scales, other):
    """Runs whose threads all use one pipe, of which `other` is the other end, and may say through a second one what they have done."""
    found = []
    for p in scales:
        path = os.path.join(scratch(), "pipe")
        for name in (path, path + ".done"):
            os.mkfifo(name)
        end, done, is_over = os.open(path, os.O_RDWR | os.O_NONBLOCK), os.open(path + ".done", os.O_RDWR), threading.Event()
        beyond = threading.Thread(target=other, args=[end, done, is_over, p])
        beyond.start()
        found.append(profile("%s.%d" % (how, p), [built("scaling_truth"), how, str(p), "0.2", path]))
        is_over.set()
        beyond.join()
        for number, name in ((end, path), (done, path + ".done")):
            os.close(number)
            os.unlink(name)
    return found


@full
def test_output_to_one_pipe_is_named():
    report = scaling(*with_pipe("output", (1, 2, 4), drain))
    pipe = of_program(report)[0]
    expect_equal("kind", pipe["kind"], "wait")
    expect(pipe["key"].startswith("pipe "), "what loses most: %s", pipe["key"])
    check_rest(report)


@full
def test_waits_for_work_are_idle_and_never_the_cause():
    runs = with_pipe("events", (1, 2, 4), feed)
    report = scaling(*runs)
    idle = of_program(report)[0]
    expect_equal("where most of it went", idle["kind"], "idle")
    check_rest(report)
    first = diff(*runs).stdout.decode().splitlines()[0]
    expect("work" not in first and "poll" not in first, "named: %s", first)


@full
def test_serial_time_is_named():
    runs = [profile_with_truth("serial.%d" % p, [built("scaling_truth"), "serial", str(p), "0.3"]) for p in (1, 2, 4)]
    report = scaling(*[run for run, _ in runs])
    serial = of_program(report)[0]
    expect_equal("what loses most", serial["kind"], "serial")
    # 40 % of 0.3 s of CPU time alone, times the three others, and for as long as that took; besides, the program starts and ends,
    # which may take long where others run, and then one of its threads is the last by far.
    truth, elapsed = runs[2][1], report["points"][2]["elapsed_seconds"]
    besides = elapsed - truth["whole"]
    expect_between("serial loss at 4", serial["lost_seconds"][2], 3 * 0.4 * 0.3, 3 * (truth["alone"] + truth["last"] + besides), 0.03, 0.005)
    for point in report["points"][1:]:
        check_karp_flatt(point, report["points"][0]["elapsed_seconds"])
    check_rest(report)


@full
def test_work_done_again_is_named():
    report = scaling(*threads("copy", 1, 2))
    copy = of_program(report)[0]
    expect_equal("what loses most", (copy["kind"], copy["key"]), ("routine", "copy_all (scaling_truth)"))
    # 0.6 s of work have become 0.45 s for each of two; sampled, and part of it in the clock
    expect_between("computation scaling", report["points"][1]["computation_scaling"], 0.375 / 0.45, 0.375 / 0.45, 0.1)
    check_rest(report)


@full
def test_weak_scaling():
    runs = threads("weak", 1, 2, seconds=0.2)
    weak, strong = scaling("--weak", *runs), scaling(*runs)
    expect(weak["weak"] and not strong["weak"], "weak is not what was asked for")
    expect_near("efficiency, weak by strong", weak["points"][1]["efficiency"], 2 * strong["points"][1]["efficiency"], 1e-6)
    expect_between("computation scaling", weak["points"][1]["computation_scaling"], 1, 1, 0.1)
    expect(weak["amdahl"] is None, "Amdahl's law is not for weak scaling")


@beside
def test_repeated_runs_have_a_median():
    runs = threads("even", 1, 1, 1, 2, seconds=0.1)
    report = scaling(*runs)
    first = report["points"][0]
    expect_equal("runs", [len(p["runs"]) for p in report["points"]], [3, 1])
    seconds = sorted(r["elapsed_seconds"] for r in first["runs"])
    expect_equal("the median", first["elapsed_seconds"], seconds[1])
    text = diff(*runs).stdout.decode()
    expect(" spread " in text, "the spread is not shown: %s", text)


@beside
def test_text_is_short_and_says_it_first():
    text = diff(*threads("lock", 1, 2, seconds=0.2)).stdout.decode()
    lines = text.splitlines()
    expect(re.match(r"(scales to|stops scaling at|loses efficiency from) 2 threads", lines[0]), "first line: %s", lines[0])
    expect(len(lines) <= 100 and max(map(len, lines)) <= 109, "%d lines, %d columns", len(lines), max(map(len, lines)))
    for section in "scaling", "laws", "losses", "notes":
        expect("\n@ %s: " % section in text, "no section %s", section)
    expect("unknown: the runs did not count" in text, "nothing is said of counters")


@beside
def test_the_page_says_the_same():
    runs = threads("lock", 1, 2, seconds=0.1)
    page = diff("--format", "html", *runs).stdout.decode()
    report = scaling(*runs)
    expect(report["verdict"]["text"] in html.unescape(page), "the page lacks the verdict: %s", report["verdict"]["text"])
    expect("<svg" in page and "mutex table_lock" in page, "no plot or no lock on the page")
    for word in "http://", "https://", "<script src", "@import":
        expect(word not in re.sub(r"http://www.w3.org/\S+", "", page), "the page asks for something: %s", word)


@beside
def test_merged_runs_scale_the_same():
    runs = threads("lock", 1, 2, seconds=0.1)
    merged = []
    for run in runs:
        merged.append(os.path.join(scratch(), os.path.basename(run)))
        expect_equal("status of ptrace-merge", execute([os.path.join(BUILD, "bin", "ptrace-merge"), "-o", merged[-1], run]).status, 0)
    expect_equal("text of merged runs", diff(*merged).stdout, diff(*runs).stdout)


@full
def test_a_scale_can_be_said():
    runs = threads("early", 1, 2, seconds=0.05)
    with timing():  # the thread that ends at once may have to wait for a processor, and lives as long as the other then
        expect("p = 1" in diff(*runs, status=2).stderr_text(), "equal scales are not refused")
    report = scaling("1=" + runs[0], "2=" + runs[1])
    expect_equal("scale", (report["scale"], [p["p"] for p in report["points"]]), ("given", [1, 2]))
    expect("p = 2" in report["verdict"]["text"], "verdict: %s", report["verdict"]["text"])
    # one thread has done everything: the other's place was empty nearly all the time
    point = report["points"][1]
    expect_between("absent at 2", cause(report, "absent")["seconds"][1], 0.7 * point["elapsed_seconds"], point["elapsed_seconds"])
    check_rest(report)


@beside
def test_extrap_has_the_times_of_the_runs():
    """Its text read back: a point for each p, a value for each run, and of each run the elapsed time that its report has."""
    runs = threads("even", 1, 2, seconds=0.05) + threads("even", 2, seconds=0.05)
    path = os.path.join(scratch(), "x.txt")
    expect_equal("status", execute([EXPORT, "--format", "extrap", "-o", path] + ["%d=%s" % (p, r) for p, r in zip((1, 2, 2), runs)]).status, 0)
    lines = [line.split() for line in open(path).read().splitlines() if line and line[0] != "#"]
    expect_equal("points", [line[1:] for line in lines if line[0] == "POINTS"], [["(1)", "(2)"]])
    at = lines.index(["METRIC", "elapsed"])
    elapsed = [json.loads(execute([support.REPORT, "--format", "json", "--section", "overview", r]).stdout)["run"]["elapsed_seconds"] for r in runs]
    expect_equal("elapsed times", [sorted(map(float, line[1:])) for line in lines[at + 2:at + 4]], [elapsed[:1], sorted(elapsed[1:])])
    for metric in (line for line in lines if line[0] not in ("PARAMETER", "POINTS", "METRIC", "REGION")):
        expect_equal("keyword", metric[0], "DATA")
    before = open(path).read()
    expect_equal("a run that is none", execute([EXPORT, "--format", "extrap", "-o", path, runs[0], path]).status, 2)
    expect_equal("the file after a failure", open(path).read(), before)


@beside
def test_wrong_runs_are_refused_in_one_line():
    run = threads("even", 1, seconds=0.05)[0]
    other = profile("other", [built("equal"), "mutex"])
    for arguments, word in (([run, other], "one program"), ([run, run + ".not"], "cannot read"), ([run], "two runs"),
                            (["0=" + run, run], "1 or more")):
        result = diff(*arguments, status=2)
        expect(word in result.stderr_text(), "%s: %s", arguments, result.stderr_text())
        expect_equal("lines", len(result.stderr_text().splitlines()), 1)
        expect_equal("standard output", result.stdout, b"")


@beside
def test_incomplete_runs_are_said():
    whole = threads("even", 1, seconds=0.1)[0]
    killed = os.path.join(scratch(), "killed")
    result = execute(["timeout", "-s", "KILL", "0.4", RUN, "-q", "-o", killed, "--", built("scaling_truth"), "even", "2", "60"])
    expect(result.status != 0, "it was not killed")
    report = scaling(whole, killed)
    expect(any("incomplete" in n for n in report["notes"]), "notes: %s", report["notes"])


@full
def test_openmp_teams():
    path = os.path.join(BUILD, "programs", "openmp", "gomp", "ramp")
    if not os.path.exists(path):
        skip("ramp was not built for gomp")
    runs = [profile("ramp.%d" % p, [path], {"OMP_NUM_THREADS": str(p)}) for p in (1, 2, 4)]
    report = scaling(*runs)
    expect_equal("scale", (report["scale"], [p["p"] for p in report["points"]]), ("openmp", [1, 2, 4]))
    region = cause(report, "region")
    expect(region["key"] == "ramp (ramp.c)", "region: %s", region["key"])
    # the ramp's own share: members that have less to do wait for the last one
    expect(region["lost_seconds"][1] > 0, "the region lost nothing: %s", region["seconds"])
    truth = support.report_json(runs[1])["openmp"]
    waits = sum(r["fork_seconds"] + r["wait_seconds"] + r["join_seconds"] - r["lock_seconds"] for r in truth["regions"]
                if r["routine"] == "ramp")
    expect_near("waits of the region, as the report has them", region["seconds"][1], waits, 1e-6, 1e-6)
    check_rest(report)


@full
def test_mpi_ranks():
    done = 0
    for library in mpi_job.LIBRARIES:
        if not os.path.exists(os.path.join(BUILD, "programs", "mpi", library, "late_rank")):
            part_skipped("late_rank was not built for %s" % library)
            continue
        runs = []
        for ranks in 2, 4:
            job = mpi_job.Job(library, ranks, [mpi_job.built(library, "late_rank")])
            expect_equal("status", job.profiled.status, 0)
            runs.append(job.directory)
        report = scaling(*runs)
        expect_equal("scale", (report["scale"], [p["p"] for p in report["points"]]), ("mpi", [2, 4]))
        barrier = cause(report, "mpi", "MPI_Barrier")
        for i, run in enumerate(runs):
            calls = {c["call"]: c["seconds"] for c in support.report_json(run)["mpi"]["calls"]}
            expect_near("MPI_Barrier, as the report has it", barrier["seconds"][i], calls["MPI_Barrier"], 1e-6, 1e-6)
        check_rest(report, 0.1, polls=True, asleep=0.06)
        done += 1
    if not done:
        skip("no MPI programs were built")
