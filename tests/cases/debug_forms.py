# SPDX-License-Identifier: MIT
"""Debugging information in all its forms is read, or a note says that it is not. Parts of a routine have its name."""
import os
import re
import subprocess

from support import ROOT, RUN, built, execute, expect, expect_equal, full, need, report_json, scratch

BESIDE = True  # no case asserts a time

SOURCE = os.path.join(ROOT, "docs", "example", "words.c")
ROUTINE = "count_part"
# Parts and copies: a head that is inlined, an argument that is always the same, a struct that is taken apart, code
# for errors.
PARTS = """
#include <stdio.h>
#include <stdlib.h>
volatile long x;
struct big { long a, b, c; };
static long heavy(long n)
{
	if (n < 3) return 0;
	for (long i = 0; i < n; i++) x += i * x;
	printf("%ld", x);
	for (long i = 0; i < n; i++) x -= i ^ x;
	printf("%ld", x);
	for (long i = 0; i < n; i++) x -= i ^ x;
	printf("%ld", x);
	return x;
}
static __attribute__((noinline)) long scaled(long n, long by)
{
	for (long i = 0; i < n; i++) x += by * i;
	if (x < 0) { fprintf(stderr, "cold %ld", n); abort(); }
	return x;
}
static __attribute__((noinline)) long use(struct big *b) { for (long i = 0; i < b->a; i++) x ^= i; return x; }
__attribute__((cold, noinline)) void fail(long n) { fprintf(stderr, "no %ld", n); abort(); }
long handled(long n) { if (n == 12345) fail(n); for (long i = 0; i < n; i++) x++; return x; }
int main(int c, char **v)
{
	struct big b = {c, c, c};
	x += heavy(c) + heavy(c * 2) + heavy(c + 9) + scaled(c, 7) + scaled(c * 3, 7) + use(&b) + use(&b) + handled(c);
	return 0;
}
"""
LAMBDA = """
volatile long x;
template <typename F> __attribute__((noinline)) void apply(F f) { f(x); x = x + 1; }
__attribute__((noinline)) void user(long n)
{
	apply([n](long by) __attribute__((noinline)) { for (long i = 0; i < n; i++) x = x + by; });
}
int main(int c, char **) { user(c); return 0; }
"""


def checked(*words, directory=None):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=directory)


def program_of(*flags, compiler="gcc"):
    program = os.path.join(scratch(), "program")
    checked(need(compiler), "-O2", "-g", "-w", *flags, "-o", program, SOURCE, "-pthread", directory=os.path.dirname(program))
    return program


def symbols(program):
    """[(name, address)] of code"""
    rows = [line.split() for line in execute([need("nm"), program]).stdout.decode().splitlines()]
    return [(row[2], int(row[0], 16)) for row in rows if len(row) == 3 and row[1] in "tTwW"]


def places(program, address):
    """[[routine, file, line]], the innermost first"""
    done = execute([built("symbolize_places"), program, "%x" % address])
    expect_equal("status of the symbolizer (%s)" % done.stderr_text(), done.status, 0)
    return [line.rsplit(" ", 2) for line in done.stdout.decode().splitlines()]


def check_is_read(what, program):
    found = places(program, dict(symbols(program))[ROUTINE] + 4)
    expect_equal(what + ": routine and file", found[-1][:2], [ROUTINE, "words.c"])
    expect(int(found[-1][2]) > 0, "%s: no line: %r", what, found)


def notes_of(program):
    directory = os.path.join(scratch(), "run")
    expect_equal("status", execute([RUN, "-q", "-o", directory, program]).status, 0)
    return [note for note in report_json(directory)["notes"] if "are not known" in note]


@full
def test_versions_and_places_of_dwarf_are_read():
    for compiler in ("gcc", "clang"):
        for flags in (("-gdwarf-4",), ("-gdwarf-5",), ("-gsplit-dwarf",), ("-gsplit-dwarf", "-gdwarf-4")):
            check_is_read("%s %s" % (compiler, flags), program_of(*flags, compiler=compiler))


@full
def test_compressed_information_is_read_or_a_note_says_so():
    for method in ("zlib-gnu", "zlib", "zstd"):
        program = program_of()
        done = execute([need("objcopy"), "--compress-debug-sections=" + method, program])
        if done.status != 0:
            continue  # an objcopy that does not know it
        notes = notes_of(program)
        if notes:
            expect(method == "zstd" and program in notes[0] and "decompress" in notes[0], "%s: notes: %r", method, notes)
        else:
            check_is_read(method, program)


@full
def test_a_split_part_that_is_gone_is_said():
    for flags in (("-gsplit-dwarf", "-gdwarf-5"), ("-gsplit-dwarf", "-gdwarf-4")):
        program = program_of(*flags)
        expect_equal("%r: notes" % (flags,), notes_of(program), [])
        parts = [name for name in os.listdir(os.path.dirname(program)) if name.endswith(".dwo")]
        expect_equal("parts", len(parts), 1)
        os.remove(os.path.join(os.path.dirname(program), parts[0]))
        notes = notes_of(program)
        expect(len(notes) == 1 and program in notes[0] and parts[0] in notes[0], "%r: notes: %r", flags, notes)


def test_a_common_part_that_is_gone_is_said():
    """As dwz leaves it: a section has the name and the build-id of another file."""
    program = program_of()
    link = os.path.join(os.path.dirname(program), "link")
    with open(link, "wb") as file:
        file.write(b"gone.debug\0" + bytes(range(20)))
    checked(need("objcopy"), "--add-section", ".gnu_debugaltlink=" + link, program)
    notes = notes_of(program)
    expect(len(notes) == 1 and program in notes[0] and "gone.debug" in notes[0], "notes: %r", notes)


def built_text(text, suffix, compiler, *flags):
    program = os.path.join(scratch(), "program")
    with open(program + suffix, "w") as file:
        file.write(text)
    checked(need(compiler), "-w", "-g", *flags, "-o", program, program + suffix)
    return program


def test_parts_of_a_routine_are_the_routine():
    """By debugging information, and by symbols alone."""
    kinds = set()
    for compiler, flags in (("gcc", ["-O3"]), ("gcc", ["-O3", "-flto"]), ("clang", ["-O3"])):
        program = built_text(PARTS, ".c", compiler, *flags)
        for stripped in (False, True):
            if stripped:
                checked(need("strip"), "-g", program)
            for name, address in symbols(program):
                stem = name.split(".")[0]
                if stem not in ("heavy", "scaled", "use", "handled"):
                    continue
                kinds |= set(re.findall("[a-z_]+", name)[1:])
                expect_equal("%s %r, %s" % (compiler, flags, name), places(program, address + 1)[-1][0], stem)
    expect({"part", "constprop", "isra", "cold"} <= kinds, "gcc made only %s: the test does not test", kinds)


def test_a_lambda_has_the_name_of_its_routine():
    for compiler in ("g++", "clang++"):
        program = built_text(LAMBDA, ".cc", compiler, "-O2")
        lambdas = [(n, a) for n, a in symbols(program) if "user" in n and n.startswith("_ZZ")]
        expect(lambdas, "%s: no lambda: %r", compiler, symbols(program))
        for name, address in lambdas:
            routine = places(program, address + 1)[-1][0]
            expect(routine.startswith("user(") and routine.endswith("operator()"), "%s: %s is %s", compiler, name, routine)
