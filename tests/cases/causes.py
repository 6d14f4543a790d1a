# SPDX-License-Identifier: MIT
"""The true cause first: realistic programs that have one known cause each, and controls that have none.

Each file of tests/programs/causes is such a program. `NAME` has the cause, `NAME fixed` does the same work without it;
both print the same. The comment at its head says what is right (cause, finding, place, launch, build), one key per line; a
file whose head has no `finding:` is a part of another program. `change:` is what ptrace-diff may name besides the place.

`make check` runs the programs of QUICK, `make check-all` those of SHORT, once under the profiler: does the first problem name the cause, and the place?
`make soak` runs all of them three times natively, fixed and profiled in turn, prints the table and asserts what the
suite as a whole reaches. The table by hand, of all programs or of some:

  python3 tests/cases/causes.py [--rounds N] [NAME...]

Its columns: the finding that the head asks for; the first one, with `!` where it is false, `?` where it is another one
at the right place; whether the place is right; gain: by how much of the native time the fixed program is faster; stake:
what the first finding says, and stake / gain; the processors that other programs used meanwhile: with more than a
quarter of one, figures of time mean little.
"""
import collections
import os
import re
import statistics
import sys
import time

import mpi_job
import support
from findings import check_findings, problems, rules
from support import (BUILD, ROOT, RUN, beside, check_laws, clean_environment, execute, expect, expect_equal, full, need,
                     report_json, retry_time, scratch, skip, soaks, timing)
from verdict import DISTURBANCE, PAUSES, await_free_processors, others_had

SOURCES = os.path.join(ROOT, "tests", "programs", "causes")

# What the suite has to reach: a share of the programs that have a cause, but for the last two.
LEAST_FIRST = 24 / 28     # the right finding stands first, and says where
MOST_FALSE = 0            # programs whose first finding names neither the cause nor its place, and controls with any
STAKE_ERROR = 0.25        # of the gain: so far from it a stake may be
LEAST_STAKES = 24 / 28    # of the programs whose cause stands first: those with such a stake
LEAST_GAIN = 0.15         # of the native time, in every program: else it is none of this suite

# In `make check`: those that take little time and depend little on the machine; in `make check-all` one of each kind.
QUICK = ("chunk_upload", "packet_counters", "render_jobs", "sensor_bus")
SHORT = QUICK + ("crawl_queue", "log_parsers", "mail_rules", "match_orders", "matrix_blocks", "omp_correlate", "pipe_orders", "pool_items",
                 "risk_book", "text_index", "wave_steps")
ROUNDS = 3
# Processors used by others: with so little no other program is noticeable.
NOBODY = 0.05


# Heads

KEYS = ("cause", "finding", "place", "change", "launch", "build")
Program = collections.namedtuple("Program", "name path cause finding place change launch build")


def head_of(path):
    """What the comment at a file's beginning says, by key."""
    with open(path) as file:
        lines = [next(file, "") for _ in range(40)]
    found = (re.match(r"[ \t]*[*#][ \t]*(%s):[ \t]*(.+)" % "|".join(KEYS), line) for line in lines)
    return {match.group(1): match.group(2).strip() for match in found if match}


def program_of(path):
    head = head_of(path)
    finding, launch, build = (head.get(key, "").split() for key in ("finding", "launch", "build"))
    name = os.path.splitext(os.path.basename(path))[0]
    return Program(name, path, head.get("cause"), finding, head.get("place", ""), head.get("change", ""), launch, build)


def sources():
    """All files, also those that are parts of programs."""
    return [program_of(os.path.join(SOURCES, name)) for name in sorted(os.listdir(SOURCES)) if not name.startswith(".")]


def programs(names=()):
    found = [p for p in sources() if p.finding]
    unknown = set(names) - {p.name for p in found}
    if unknown:
        sys.exit("no such program: %s" % ", ".join(sorted(unknown)))
    return [p for p in found if not names or p.name in names]


def is_control(program):
    return program.finding == ["nothing"]


# Running

INTERPRETERS = {".py": ["python3"], ".sh": ["sh"]}


def command_of(program):
    """(launcher of ranks, command): the profiler stands between the two."""
    words = [word for word in program.launch if not re.match(r"\w+=", word)]
    ending = os.path.splitext(program.path)[1]
    if ending in INTERPRETERS:
        interpreter, *options = words or INTERPRETERS[ending]
        return [], [need(interpreter)] + options + [program.path]
    binary = os.path.join(BUILD, "programs", "causes", program.name)
    if not os.path.exists(binary):
        skip("%s was not built (no compiler or library for it here)" % program.name)
    return words, [binary]


def environment_of(program):
    """BUILD: where a script finds its programs."""
    told = dict(word.split("=", 1) for word in program.launch if re.match(r"\w+=", word))
    ranks = mpi_job.job_environment() if any("mpirun" in word for word in program.launch) else {}
    return clean_environment({**ranks, "BUILD": BUILD, **told})


Ended = collections.namedtuple("Ended", "seconds output")


def ended(program, arguments=(), tool=()):
    launcher, command = command_of(program)
    begin = time.monotonic()
    result = execute(launcher + list(tool) + command + list(arguments), environment=environment_of(program))
    expect_equal("status of %s; stderr: %s" % (program.name, result.stderr_text()[-300:]), result.status, 0)
    return Ended(time.monotonic() - begin, result.stdout)


def profiled(program):
    """(how it ended, its report)"""
    directory = os.path.join(scratch(), "run")
    return ended(program, tool=[RUN, "-q", "-o", directory, "--"]), report_json(directory)


def on_two_processors():
    """The programs are made for two processors; any more would be idle in all of them."""
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) < 2:
        skip("there is one processor")
    os.sched_setaffinity(0, mine[:2])


# What a report says

Verdict = collections.namedtuple("Verdict", "first stake is_right is_false has_place text blames_others")


def told_of(finding):
    """All text that names a place."""
    steps = ["%s %s" % (step["level"], step["name"]) for step in finding["where"] + finding["spread"]]
    return "%s: %s %s" % (finding["title"], finding["evidence"], "; ".join(steps))


def verdict_of(program, report):
    """The verdict on the first problem. It is false if neither its kind nor its place is that of the cause."""
    found = problems(report)
    blames_others = any(f["kind"] == "environment" for f in report["findings"][:1])
    if not found:
        return Verdict("nothing", 0, is_control(program), False, is_control(program), "no problem", blames_others)
    first, text = found[0], told_of(found[0])
    has_place = not is_control(program) and re.search(program.place, text) is not None
    is_right = first["id"] in program.finding
    text += "".join("; then " + f["id"] for f in found[1:])
    is_false = not is_right and not has_place
    return Verdict(first["id"], first["elapsed_percent"] / 100, is_right, is_false, has_place, text, blames_others)


def check_once(program):
    _, report = profiled(program)
    check_laws(report)
    check_findings(report)
    verdict = verdict_of(program, report)
    wanted = " or ".join(program.finding)
    with timing():
        expect(verdict.is_right, "%s: first is %s, expected %s: %s", program.name, verdict.first, wanted, verdict.text)
        expect(verdict.has_place, "%s: /%s/ is not in: %s", program.name, program.place, verdict.text)


# The long form

Round = collections.namedtuple("Round", "native fixed profiled verdict others")
Row = collections.namedtuple("Row", "program first is_right is_false has_place gain stake others")


def one_round(program):
    native, fixed = ended(program), ended(program, ["fixed"])
    seen, report = profiled(program)
    for which, run in ("fixed", fixed), ("profiled", seen):
        expect_equal("output of %s, %s" % (program.name, which), run.output, native.output)
    check_laws(report)
    check_findings(report)
    return Round(native.seconds, fixed.seconds, seen.seconds, verdict_of(program, report), None)


def quiet_round(program):
    """A round in which others used little of the processors, or the one of three in which they used least."""
    rounds = []
    for pause in PAUSES + (0,):
        failure, result, others = others_had(one_round, program)
        if failure:
            raise failure
        rounds.append(result._replace(others=others))
        if others <= DISTURBANCE:
            break
        await_free_processors(pause)
    return min(rounds, key=lambda r: r.others)


def row_of(program, rounds):
    """The verdict of most rounds. Naming other programs first is wrong if there are none."""
    done = [quiet_round(program) for _ in range(rounds)]
    native, fixed = (statistics.median(times) for times in zip(*((r.native, r.fixed) for r in done)))
    most = collections.Counter((r.verdict.first, r.verdict.has_place) for r in done).most_common(1)[0][0]
    agreed = [r.verdict for r in done if (r.verdict.first, r.verdict.has_place) == most]
    blames_nobody = sum(r.verdict.blames_others and r.others <= NOBODY for r in done) > len(done) / 2
    return Row(program, agreed[0].first, agreed[0].is_right and not blames_nobody, agreed[0].is_false or blames_nobody,
               agreed[0].has_place, (native - fixed) / native, statistics.median(v.stake for v in agreed),
               max(r.others for r in done))


HEADING = ("program", "finding", "first", "place", "gain %", "stake %", "ratio", "others")
LINE = "%-24s %-30s %-24s %-5s %6s %7s %6s %6s"


def mark_of(row):
    return "" if row.is_right else "!" if row.is_false else "?"


def line_of(row):
    ratio = "%.2f" % (row.stake / row.gain) if row.gain > 0 and not is_control(row.program) else "-"
    return LINE % (row.program.name, " ".join(row.program.finding), row.first + mark_of(row),
                   "yes" if row.has_place else "no", "%.0f" % (100 * row.gain), "%.0f" % (100 * row.stake), ratio,
                   "%.1f" % row.others)


def stake_is_near(row):
    return abs(row.stake - row.gain) <= STAKE_ERROR * row.gain


def named(rows):
    return " (%s)" % ", ".join(r.program.name for r in rows) if rows else ""


def totals_of(rows):
    """(text, whether it is reached) of each."""
    causes, controls = [r for r in rows if not is_control(r.program)], [r for r in rows if is_control(r.program)]
    first = [r for r in causes if r.is_right and r.has_place]
    others = [r for r in causes if r not in first]
    false = [r for r in causes if r.is_false] + [r for r in controls if not r.is_right]
    far = [r for r in first if not stake_is_near(r)]
    small = [r for r in causes if r.gain < LEAST_GAIN]
    near = len(first) - len(far)
    return [("the cause stands first in %d of %d; not in%s" % (len(first), len(causes), named(others) or " none"),
             len(first) >= LEAST_FIRST * len(causes)),
            ("%d first findings are false%s" % (len(false), named(false)), len(false) <= MOST_FALSE),
            ("the stake is within %.0f %% of the gain in %d of %d; not in%s" % (
                100 * STAKE_ERROR, near, len(first), named(far) or " none"), near >= LEAST_STAKES * len(first)),
            ("%d programs gain less than %.0f %%%s" % (len(small), 100 * LEAST_GAIN, named(small)), not small)]


# Cases

_rows = {}


def row_once(program, rounds=ROUNDS):
    """Cases of this file share a process: what one has measured, the next one finds."""
    if program.name not in _rows:
        on_two_processors()
        _rows[program.name] = row_of(program, rounds)
    return _rows[program.name]


def case_of(program):
    def quick():
        on_two_processors()
        retry_time("other programs had the processors", check_once, program)

    def long():
        row = row_once(program)
        if row.others > DISTURBANCE:
            skip("others had %.1f processors" % row.others)
        is_worth_it = is_control(program) or row.gain >= LEAST_GAIN
        expect(is_worth_it, "%s fixed is only %.0f %% faster", program.name, 100 * row.gain)

    case = long if support.SOAK else quick
    case.__doc__ = program.cause
    return soaks(case if program.name in QUICK else full(case))


for _program in programs():
    if support.SOAK or _program.name in SHORT:
        globals()["test_" + _program.name] = case_of(_program)


def expect_cured(name):
    """The fixed program has no such finding."""
    program = {p.name: p for p in programs()}[name]
    directory = os.path.join(scratch(), "fixed")
    ended(program, ["fixed"], [RUN, "-q", "-o", directory, "--"])
    found = [f["id"] for f in report_json(directory)["findings"]]
    expect(not set(found) & set(program.finding), "%s fixed still has %s", name, found)


def expect_told(name):
    """The finding is there, wherever it stands, and says where."""
    program = {p.name: p for p in programs()}[name]
    _, report = profiled(program)
    check_findings(report)
    found = [f for f in report["findings"] if f["id"] in program.finding]
    expect(found, "%s lacks %s: %s", name, program.finding, [f["id"] for f in report["findings"]])
    expect(re.search(program.place, told_of(found[0])), "%s: the place is not in: %s", name, told_of(found[0]))
    expect(found[0]["elapsed_percent"] > 0, "%s: nothing is at stake", name)


def expect_told_in_time(name):
    """The same of a loss that is a small part, or none, of a run which mostly waits for a processor."""
    with timing():
        expect_told(name)


def check_cure(*names):
    """Their findings are gone from the fixed programs. Threads that hardly run at once are in nobody's way."""
    on_two_processors()
    for name in names:
        expect_cured(name)
        retry_time("other programs had the processors", expect_told_in_time, name)


def test_a_lock_of_the_c_library():
    check_cure("dice_rolls")


@full
def test_atomic_instructions_and_a_lock_of_stdio():
    check_cure("config_handles", "text_columns")


@full
def test_messages_that_are_looked_for_too_often():
    """The finding is gone from the fixed program."""
    on_two_processors()
    expect_cured("mpi_beams")
    retry_time("other programs had the processors", expect_told_in_time, "mpi_beams")


@full
def test_pools_that_spin_while_the_other_one_works():
    """They keep each other from two processors, and do not where one of them has a single thread."""
    on_two_processors()
    expect_cured("omp_panorama")
    retry_time("other programs had the processors", expect_told_in_time, "omp_panorama")


def test_what_was_not_measured_is_said():
    """Whether CPU time is well spent is not known without counted events, also where there are findings."""
    directory = os.path.join(scratch(), "unknown")
    ended({p.name: p for p in programs()}["text_columns"], tool=[RUN, "-q", "-o", directory, "--"])
    text = execute([os.path.join(BUILD, "bin", "ptrace-report"), "--section", "findings", directory]).stdout
    said = " ".join((text.decode() if isinstance(text, bytes) else text).split())
    expect_equal("times it is said", said.count("well spent (caches, false sharing) was not measured"), 1)


@beside
def test_heads_say_what_is_right():
    """Each names findings that exist, and a place that can be searched for; a control has none."""
    known = {name for name, *_ in rules()}
    for program in sources():
        unknown = [name for name in program.finding if name not in known and not is_control(program)]
        expect(not unknown, "%s: there is no finding %s", program.name, unknown)
        expect(bool(program.cause) == bool(program.finding), "%s: its head lacks cause or finding", program.name)
        if not program.finding:
            continue
        expect(is_control(program) or program.place, "%s: the head has no place", program.name)
        re.compile(program.place)
        re.compile(program.change)
    missing = set(SHORT) - {program.name for program in programs()}
    expect(not missing, "there is no program %s", missing)


def reached(rows):
    """Prints the totals; returns what is not reached."""
    totals = totals_of(rows)
    print("\n".join(("" if is_reached else "NOT REACHED: ") + text for text, is_reached in totals), flush=True)
    return [text for text, is_reached in totals if not is_reached]


def the_suite_as_a_whole():
    rows = [row_once(program) for program in programs()]
    print("\n".join([LINE % HEADING] + [line_of(row) for row in rows]))
    below = reached(rows)
    disturbed = [row.program.name for row in rows if row.others > DISTURBANCE]
    if disturbed:
        skip("other programs had the processors during %s" % ", ".join(disturbed))
    expect(not below, "%s", "; ".join(below))


if support.SOAK:
    test_the_suite_as_a_whole = soaks(the_suite_as_a_whole)


def main(arguments):
    rounds = ROUNDS
    if arguments[:1] == ["--rounds"]:
        rounds, arguments = int(arguments[1]), arguments[2:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    rows = []
    print(LINE % HEADING)
    for program in programs(arguments):
        try:
            rows.append(row_once(program, rounds))
            print(line_of(rows[-1]), flush=True)
        except (support.Skip, support.Failure) as error:
            print("%s: %s" % (program.name, error), flush=True)
        finally:
            support.clean_up()
    reached(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
