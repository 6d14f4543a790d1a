# SPDX-License-Identifier: MIT
"""Names that a report keeps for the next one: the same report, from the file; and never from a file that may not fit."""
import functools
import os
import re
import sqlite3
import zlib

from support import BUILD, REPORT, ROOT, RUN, clean_environment, execute, expect, expect_equal, full, need, scratch

BESIDE = True  # no case asserts a time

PROGRAMS = os.path.join(ROOT, "tests", "programs")
DIFF, MERGE = os.path.join(BUILD, "bin", "ptrace-diff"), os.path.join(BUILD, "bin", "ptrace-merge")


@functools.lru_cache
def names_of_system(program):
    """Names of the files that libraries of the system get where their debugging information is installed: libc, always loaded, has much."""
    paths = [word for word in execute([need("ldd"), program]).stdout.decode().split() if word.startswith("/")]
    notes = execute([need("readelf"), "-n", *paths]).stdout.decode()
    return {build_id + ".sqlite" for build_id in re.findall("Build ID: ([0-9a-f]+)", notes)}


class Kept:
    """A run of a program with much debugging information, whose call paths have inlined routines and tail calls, and a cache directory."""

    def __init__(self, *flags):
        directory = scratch()
        self.program = os.path.join(directory, "program")
        self.run = os.path.join(directory, "run")
        self.cache = os.path.join(directory, "cache")
        os.mkdir(self.cache)
        self.build(*flags)
        self.execute([RUN, "-q", "-o", self.run, self.program, "12"])

    def build(self, *flags):
        self.execute([need("gcc"), "-w", "-O2", "-g", *flags, "-o", self.program, os.path.join(PROGRAMS, "tail_calls.c"),
                      os.path.join(PROGRAMS, "large_debug.s"), "-pthread", "-Wl,--build-id"])

    def execute(self, command):
        done = execute(command, clean_environment({"XDG_CACHE_HOME": self.cache, "HOME": "/nonexistent"}), directory=os.path.dirname(self.run))
        expect(done.status in (0, 1), "%s ended with status %d: %s", command[0], done.status, done.stderr_text()[-300:])
        return done

    def report(self, *options):
        done = self.execute([REPORT, "--top", "0", *(options or ("--format", "json")), self.run])
        return done.stdout, done.stderr

    def names(self):
        """Where the names of the program are kept."""
        folder = os.path.join(self.cache, "ptrace", "names")
        names = set(os.listdir(folder)) - names_of_system(self.program) if os.path.isdir(folder) else ()
        return [os.path.join(folder, name) for name in sorted(names)]

    def file(self):
        files = self.names()
        expect_equal("files of names", len(files), 1)
        return files[0]

    def rename(self, old, new):
        """Changes a name in the file, and the checksum: if it is in the next report, the file was read."""
        with sqlite3.connect(self.file()) as base:
            changed = base.execute("UPDATE texts SET text = ? WHERE text = ?", (new, old)).rowcount
            texts = "".join(text + "\0" for text, in base.execute("SELECT text FROM texts ORDER BY number"))
            base.execute("UPDATE about SET texts_crc32 = ?", (zlib.crc32(texts.encode()),))
        base.close()
        expect_equal("names " + old, changed, 1)


def check_unchanged(kept, first, why):
    expect(kept.report() == first, "another report %s", why)


@full
def test_the_next_report_is_the_same():
    """Byte for byte, in all formats; with names of the file; and so are merged and compared runs."""
    kept = Kept()
    formats = [("--format", name) for name in ("text", "json", "csv", "html")] + [("--section", "lines,source")]
    first = [kept.report(*options) for options in formats]
    os.unlink(kept.file())
    once = kept.report()
    expect(b"inlined_end" in once[0], "the routine that left no frame is missing")
    for options, wanted in zip(formats, first):
        expect(kept.report(*options) == wanted, "another report with %r", options)
    for program, arguments in ((DIFF, [kept.run, kept.run]), (MERGE, ["-o", os.path.join(scratch(), "merged"), kept.run])):
        kept.execute([program, *arguments])
    check_unchanged(kept, once, "after ptrace-diff and ptrace-merge")
    kept.rename("inlined_end", "told_by_the_file")
    changed = kept.report()[0]
    expect(b"told_by_the_file" in changed and b"inlined_end" not in changed, "the file was not read")


def test_another_program_has_other_names():
    """A file of a program that changed, or of an analyzer with other sources, is not used."""
    kept = Kept()
    first = kept.report()
    kept.rename("inlined_end", "told_by_the_file")
    times = os.stat(kept.program)
    os.utime(kept.program, ns=(10**18, 10**18))
    check_unchanged(kept, first, "after the program was written anew")
    kept.rename("inlined_end", "told_by_the_file")
    kept.execute([need("objcopy"), "-p", "--redefine-sym", "no_jump=no_jump", kept.program])
    os.utime(kept.program, ns=(times.st_atime_ns, times.st_mtime_ns))
    check_unchanged(kept, first, "after a tool changed it and kept its time")
    kept.rename("inlined_end", "told_by_the_file")
    with sqlite3.connect(kept.file()) as base:
        base.execute("UPDATE about SET identity = 'x' || identity")
    base.close()
    check_unchanged(kept, first, "with the file of another analyzer")


def damages(kept):
    """(what, how it is done)"""
    path = kept.file()
    with open(path, "rb") as file:
        whole = file.read()

    def write(content):
        with open(path, "wb") as file:
            file.write(content)

    def change(statement):
        write(whole)
        with sqlite3.connect(path) as base:
            base.execute(statement)
        base.close()

    for size in (0, 1, 99, 100, 4096, len(whole) // 2, len(whole) - 1):
        yield "cut at %d bytes" % size, lambda size=size: write(whole[:size])
    for at in range(0, len(whole), max(1, len(whole) // 40)):
        yield "with 64 bytes changed at %d" % at, lambda at=at: write(whole[:at] + b"\xa5" * 64 + whole[at + 64:])
    for statement in ("DROP TABLE texts", "DROP TABLE names", "DROP TABLE about", "DELETE FROM texts", "DELETE FROM about",
                      "UPDATE names SET routine = 1000000", "UPDATE names SET routine = -1", "UPDATE names SET routine = 0",
                      "UPDATE names SET file = 0", "UPDATE names SET count = 1000000000", "UPDATE names SET count = -1",
                      "UPDATE names SET count = count + 1", "UPDATE names SET scope = 99999", "UPDATE texts SET text = NULL",
                      "UPDATE names SET kind = 'x'"):
        yield statement, lambda statement=statement: change(statement)


@full
def test_damaged_files_are_not_used():
    """Cut, overwritten, or with rows that cannot be: no crash and no word about it, and the next report writes a new one."""
    kept = Kept()
    first = kept.report()
    for what, damage in damages(kept):
        damage()
        check_unchanged(kept, first, "from a file: " + what)


def test_what_cannot_be_kept_is_looked_up():
    """No directory, one that is a file, one of somebody else, one that cannot be written; debugging information with a part missing."""
    kept = Kept()
    first = kept.report()
    kept.cache = os.path.join(scratch(), "none", "there")
    check_unchanged(kept, first, "without a cache directory")
    expect(not os.path.exists(os.path.dirname(kept.cache)), "directories above the user's were made")
    kept.cache = kept.program
    check_unchanged(kept, first, "with a file as directory")
    if os.geteuid() == 0:  # others cannot give a directory away
        kept.cache = scratch()
        os.chown(kept.cache, 65534, -1)
        check_unchanged(kept, first, "with somebody else's directory")
        expect_equal("in somebody else's directory", os.listdir(kept.cache), [])
    kept.cache = "relative"
    check_unchanged(kept, first, "with a relative path")
    kept.cache = scratch()
    os.symlink("/etc", os.path.join(kept.cache, "ptrace"))
    check_unchanged(kept, first, "with a link")


def test_a_lack_is_told_again():
    """What is found while a part of the debugging information is missing is not kept."""
    kept = Kept("-gsplit-dwarf")
    for name in os.listdir(os.path.dirname(kept.program)):
        if name.endswith(".dwo"):
            os.unlink(os.path.join(os.path.dirname(kept.program), name))
    first = kept.report()
    expect(b"was not found" in first[0], "no word of the missing part")
    expect_equal("files of names", kept.names(), [])
    check_unchanged(kept, first, "for the second time")


def test_all_files_together_are_bounded():
    """256 MiB: the oldest go, also what was left unfinished."""
    kept = Kept()
    folder = os.path.join(kept.cache, "ptrace", "names")
    os.makedirs(folder, 0o700)
    for i, name in enumerate(("a.sqlite", "b.sqlite.123", "c.sqlite")):
        with open(os.path.join(folder, name), "wb") as file:
            file.truncate(120 << 20)
        os.utime(os.path.join(folder, name), (1000 + i, 1000 + i))
    kept.report()
    left = sorted(os.path.basename(name) for name in kept.names())
    expect_equal("old files that are left", [name for name in left if name[1] == "."], ["b.sqlite.123", "c.sqlite"])
    expect_equal("files", len(left), 3)


# A library with much debugging information that calls by pointer, and two programs that wait in what it calls.
LIBRARY = "void each(void (*call)(void)) { for (int i = 0; i < 50; i++) call(); __asm__ volatile(\"\"); }"
PROGRAM = """
#include <unistd.h>
void each(void (*)(void));
static volatile int done;
static void nap(void) { usleep(100); done = NUMBER; }
int main(void) { each(nap); return done != NUMBER; }
"""


def test_a_librarys_names_do_not_grow_with_programs():
    """What a call by pointer reaches is not known in any program: one answer for all of them, and not one for each build of each."""
    place, environment = scratch(), clean_environment({"XDG_CACHE_HOME": scratch()})
    library = os.path.join(place, "libeach.so")
    gcc = [need("gcc"), "-O2", "-g", "-Wl,--build-id"]

    def source(name, text):
        path = os.path.join(place, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def checked(command):
        done = execute(command, environment)
        expect_equal("status of %s (%s)" % (command[0], done.stderr_text()[-300:]), done.status, 0)

    def answers():
        folder = os.path.join(environment["XDG_CACHE_HOME"], "ptrace", "names")
        build_id = re.search("Build ID: ([0-9a-f]+)", execute([need("readelf"), "-n", library]).stdout.decode())[1]
        with sqlite3.connect(os.path.join(folder, build_id + ".sqlite")) as base:
            return base.execute("SELECT count(*) FROM names").fetchone()[0]

    checked([*gcc, "-shared", "-fPIC", "-o", library, source("each.c", LIBRARY), os.path.join(PROGRAMS, "large_debug.s")])
    main = source("main.c", PROGRAM)
    counts = []
    for number in range(3):
        program, run = os.path.join(place, "program%d" % number), os.path.join(place, "run%d" % number)
        checked([*gcc, "-DNUMBER=%d" % number, "-o", program, main, library, "-Wl,-rpath," + place])
        checked([RUN, "-q", "-o", run, program])
        checked([REPORT, "--top", "0", run])
        counts.append(answers())
    expect(counts[0] > 0, "the library has no answers")
    expect_equal("answers after each program's report", counts, counts[:1] * 3)


def test_small_programs_leave_nothing():
    """Their names are found in no time."""
    kept = Kept()
    kept.execute(["strip", "-o", kept.program + ".small", kept.program])
    kept.program += ".small"
    kept.run += ".small"
    kept.execute([RUN, "-q", "-o", kept.run, kept.program, "12"])
    kept.report()
    expect_equal("files of names", kept.names(), [])


def test_compressed_information_counts_as_it_is_read():
    """As packages of distributions have it: small in the file, and slow to read."""
    kept = Kept("-gz=zlib")
    first = kept.report()
    expect(os.path.getsize(kept.program) < 4 << 20, "the program has %d bytes", os.path.getsize(kept.program))
    expect_equal("files of names", len(kept.names()), 1)
    check_unchanged(kept, first, "with names that were kept")


def test_another_ones_home_is_left_alone():
    """root with somebody else's HOME (sudo) makes nothing there; a cache directory may be a link, and the umask anything."""
    kept = Kept()
    first = kept.report()
    home = scratch()
    if os.geteuid() == 0:
        os.chown(home, 65534, -1)
        done = execute([REPORT, "--top", "0", "--format", "json", kept.run], clean_environment({"HOME": home, "XDG_CACHE_HOME": ""}))
        expect_equal("the report", done.stdout, first[0])
        expect_equal("in somebody else's home", os.listdir(home), [])
        os.chown(home, 0, -1)
    os.symlink(scratch(), os.path.join(home, ".cache"))
    done = execute(["sh", "-c", 'umask 0777; exec "$@"', "sh", REPORT, kept.run], clean_environment({"HOME": home, "XDG_CACHE_HOME": ""}))
    folder = os.path.join(home, ".cache", "ptrace", "names")
    expect_equal("mode of the directory", os.stat(folder).st_mode & 0o777, 0o700)
    expect_equal("files of names", len(set(os.listdir(folder)) - names_of_system(kept.program)), 1)


def test_a_limit_of_file_sizes():
    """RLIMIT_FSIZE would be SIGXFSZ: the report ends as it does without, and nothing is left unfinished."""
    kept = Kept()
    first = kept.report()
    os.unlink(kept.file())
    limited = 'ulimit -f 4; "$@" | wc -c; exit "${PIPESTATUS[0]}"'  # the report itself goes through a pipe
    done = execute([need("bash"), "-c", limited, "bash", REPORT, "--top", "0", "--format", "json", kept.run],
                   clean_environment({"XDG_CACHE_HOME": kept.cache}))
    expect_equal("status, and bytes of the report", (done.status, int(done.stdout)), (0, len(first[0])))
    expect_equal("files of names", kept.names(), [])


def test_journals_beside_the_file_are_not_read():
    """One that blocks, as a pipe does, or that would be applied to the file."""
    kept = Kept()
    first = kept.report()
    os.mkfifo(kept.file() + "-journal")
    done = execute([REPORT, "--top", "0", "--format", "json", kept.run], clean_environment({"XDG_CACHE_HOME": kept.cache}), timeout=30)
    expect_equal("the report", done.stdout, first[0])
