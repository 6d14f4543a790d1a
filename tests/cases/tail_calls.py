# SPDX-License-Identifier: MIT
"""A routine that ends in a jump leaves no frame: it is put back where debugging information allows one way only."""
import os
import sqlite3

import export_read as ex
from merge import merged
from support import REPORT, ROOT, RUN, beside, check_laws, execute, expect, expect_equal, full, need, report_json, scratch

PROGRAMS = os.path.join(ROOT, "tests", "programs")
LOCKS = ("mutex", "spinlock", "rwlock", "semaphore", "condition")

# For each shape of tail_calls.c the routine that is to blame; with a question mark: it may also be left alone, and so
# its caller be blamed. At -O2, gcc and clang make jumps of the same calls.
SHAPES = {
    1: "direct", 2: "give_back", 3: "give_back", 4: "give_back", 5: "way_a?", 6: "shortcut?", 7: "give_back?",
    8: "perhaps_by_pointer?", 9: "even?", 10: "direct?", 11: "other_end", 12: "inlined_end", 13: "no_jump", 14: "jumped_to",
    15: "spin_holder", 16: "rwlock_holder", 17: "semaphore_holder", 18: "recursive", 19: "outside_hog", 20: "give_back?",
}
# Of tail_calls.cc.
SHAPES_CXX = {1: "account::close", 2: "savings::end?", 3: "box<long>::put", 4: "(anonymous namespace)::nameless", 5: "operator()",
              6: "frees", 7: "announce", 8: "announce_or_give_back?"}


def line_of(source, shape):
    """The line with the shape's number in a comment at its end; None: no line has it."""
    with open(source) as file:
        for number, line in enumerate(file, 1):
            comment = line.partition("; /*" if source.endswith(".c") else "; //")[2].replace("*/", "").split()
            if str(shape) in comment:
                return number
    return None


def build(compiler, source, program, *flags):
    execute_checked([need(compiler), "-w", "-O2", "-g", *flags, "-o", program, source, "-pthread"])


def execute_checked(command):
    done = execute(command)
    expect_equal("status of %s (%s)" % (command[0], done.stderr_text()[-300:]), done.status, 0)


def built_c(compiler, *flags):
    directory = scratch()
    library = os.path.join(directory, "libtail.so")
    program = os.path.join(directory, "program")
    build(compiler, os.path.join(PROGRAMS, "tail_calls_library.c"), library, "-fPIC", "-shared", *flags)
    build(compiler, os.path.join(PROGRAMS, "tail_calls.c"), program, "-DLIBRARY", *flags, "-L" + directory, "-Wl,-rpath," + directory,
          "-Wl,--push-state,--no-as-needed", "-ltail", "-Wl,--pop-state")
    return program


def run_of(program, shape):
    directory = os.path.join(scratch(), "run")
    execute_checked([RUN, "-q", "-o", directory, program, str(shape)])
    return directory


def blamed(report):
    """{(routine, line)} of the code of the program that others waited for, but for the thread that waits itself"""
    return {(b["routine"], b["line"]) for row in report["synchronization"] if row["kind"] in LOCKS for b in row["blame"]
            if not b["routine"].startswith(("wait", "[", "main"))}


def check_shape(what, program, source, shape, truth):
    directory = run_of(program, shape)
    report = report_json(directory)
    found = blamed(report)
    what = "%s, shape %d" % (what, shape)
    expect(found, "%s: nobody is blamed: %r", what, [r["blame"] for r in report["synchronization"]])
    for routine, line in found:
        is_right = truth.rstrip("?") in routine
        expect(is_right or (truth.endswith("?") and routine == "hold"), "%s: %s is blamed, wanted %s", what, routine, truth)
        if is_right and line_of(source, shape):
            expect_equal(what + ": line", line, line_of(source, shape))
    return directory


def check_shapes(compiler, *flags, shapes=None):
    program = built_c(compiler, *flags)
    for shape in shapes or SHAPES:
        source = os.path.join(PROGRAMS, "tail_calls_library.c" if shape == 19 else "tail_calls.c")
        check_shape("%s %s" % (compiler, " ".join(flags)), program, source, shape, SHAPES[shape])


@full
@beside
def test_shapes_of_gcc_are_right_or_left_alone():
    check_shapes("gcc")


@full
@beside
def test_shapes_of_clang_are_right_or_left_alone():
    check_shapes("clang")


@full
@beside
def test_dwarf_4_tells_the_same():
    """It has call sites as an extension, under other names."""
    for compiler in ("gcc", "clang"):
        check_shapes(compiler, "-gdwarf-4", shapes=(1, 3, 5, 8, 12, 14))


@full
@beside
def test_shapes_of_cxx_are_right_or_left_alone():
    source = os.path.join(PROGRAMS, "tail_calls.cc")
    for compiler in ("g++", "clang++"):
        program = os.path.join(scratch(), "program")
        build(compiler, source, program)
        for shape, truth in SHAPES_CXX.items():
            check_shape(compiler, program, source, shape, truth)


@beside
def test_without_call_sites_the_path_is_left_alone():
    """Not optimised, no frame is missing; without debugging information, nothing tells that one is."""
    for flags, blamed_routine in (("-O0", "direct"), ("-g0", "hold")):
        found = {routine for routine, _ in blamed(report_json(run_of(built_c("gcc", flags), 1)))}
        expect_equal("blamed with " + flags, found, {blamed_routine})


@beside
def test_call_paths_of_samples_have_the_frame():
    """`jumps` jumps to a routine that computes: samples have it between that routine and the caller."""
    for compiler in ("gcc", "clang"):
        paths = [path for path, _ in ex.folded(ex.export(run_of(built_c(compiler), 14), "folded"))]
        below = [path for path in paths if "jumped_to" in path]
        expect(below, "%s: no sample in jumped_to: %r", compiler, paths[:5])
        for path in below:
            at = path.index("jumped_to")
            expect_equal(compiler + ": callers of jumped_to", path[at - 2:at], ["hold", "jumps"])


def inferred(report):
    """{(routine, is it marked)} of all who waited or are blamed"""
    return {(s["routine"], s["inferred"]) for row in report["synchronization"] for s in row["waiters"] + (row["blame"] or [])}


@beside
def test_what_was_inferred_is_marked():
    """In a report and of a merged run, on a page and in a database; what left a frame is not."""
    directory = run_of(built_c("gcc"), 14)
    whole = merged(directory)
    for name, report in (("profiles", report_json(directory)), ("merged", report_json(whole))):
        check_laws(report)
        marks = inferred(report)
        expect(("jumped_to", True) in marks and ("wait_once", False) in marks, "%s: marks: %r", name, marks)
        notes = [note for note in report["notes"] if "left no frame" in note]
        expect(len(notes) == 1 and "jumped_to" in notes[0] and "jumps" in notes[0], "%s: notes: %r", name, report["notes"])
        text = execute([REPORT, "overview", directory if name == "profiles" else whole]).stdout.decode()
        expect_equal("%s: the first screen says that something was not seen" % name, "  not seen " in text, len(report["notes"]) > 1)
        expect("left no frame" not in text, "%s: the first screen has the note:\n%s", name, text)
        page = execute([REPORT, "--format", "html", directory if name == "profiles" else whole]).stdout.decode()
        expect("ended in a jump and left no frame: inferred" in page, "%s: no mark on the page", name)
    base = sqlite3.connect(ex.export(directory, "sqlite", suffix="db"))
    frames = set(base.execute("SELECT r.name, f.inferred FROM frames f JOIN routines r ON r.routine = f.routine"))
    places = set(base.execute("SELECT r.name, p.inferred FROM places p JOIN routines r ON r.routine = p.routine"))
    expect(("jumps", 1) in frames and ("keep", 0) in frames, "frames: %r", frames)
    expect(("jumped_to", 1) in places, "places: %r", places)
