# SPDX-License-Identifier: MIT
"""Debugging information and sources that debuginfod's client has in its cache, or that lie in a tree like its server's."""
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import time

from support import REPORT, ROOT, RUN, clean_environment, execute, expect, expect_equal, fail, free_port, full, need, report_json, scratch

BESIDE = True  # no case asserts a time

SOURCE = os.path.join(ROOT, "tests", "programs", "holder.c")


class Stripped:
    """A run of a program whose debugging information is in another file, and whose source is gone afterwards."""

    def __init__(self):
        self.home = scratch()
        self.source = os.path.join(self.home, "src", "a # b", "holder.c")
        self.program, self.debug = os.path.join(self.home, "program"), os.path.join(self.home, "program.debug")
        os.makedirs(os.path.dirname(self.source))
        shutil.copy(SOURCE, self.source)
        shutil.copy(os.path.join(ROOT, "tests", "programs", "truth.h"), os.path.dirname(self.source))
        for command in (["gcc", "-w", "-O2", "-g", "-o", self.program, self.source, "-pthread", "-Wl,--build-id"],
                        ["objcopy", "--only-keep-debug", self.program, self.debug], ["strip", self.program]):
            self.execute([need(command[0])] + command[1:])
        notes = self.execute([need("readelf"), "-n", self.program]).stdout.decode()
        self.build_id = notes.partition("Build ID: ")[2].split()[0]
        self.run = os.path.join(self.home, "run")
        self.execute([RUN, "-q", "-o", self.run, self.program, "mutex", "2"])

    def execute(self, command, **more):
        done = execute(command, clean_environment(more))
        expect(done.status in (0, 1), "%s: status %d: %s", command[0], done.status, done.stderr_text()[-300:])
        return done

    def forget(self):
        shutil.rmtree(os.path.join(self.home, "src"))
        os.unlink(self.debug)

    def report(self, *options, **more):
        return self.execute([REPORT, "--section", "source", "--routine", "mutex_long", *options, self.run], **more).stdout.decode()


def served(port, stripped, cache):
    """True once the server has told all that is asked for; the client then has it in its cache."""
    url = {"DEBUGINFOD_URLS": "http://127.0.0.1:%d" % port, "DEBUGINFOD_CACHE_PATH": cache}
    for what in (["debuginfo", stripped.build_id], ["source", stripped.build_id, stripped.source]):
        if execute([need("debuginfod-find"), *what], clean_environment(url)).status:
            return False
    return True


@contextlib.contextmanager
def serving(stripped, cache):
    """The port of a real server on this machine that has what belongs to the program; the cache is for waiting until it has."""
    port = free_port()
    command = [need("debuginfod"), "-F", "-p", str(port), "-d", ":memory:", "-t", "1", stripped.home]
    with open(os.path.join(stripped.home, "log"), "wb") as log, \
            subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL) as server:
        try:
            for _ in range(120):
                if served(port, stripped, os.path.join(cache, "tries")):
                    break
                shutil.rmtree(os.path.join(cache, "tries"), ignore_errors=True)  # it remembers what was not there
                time.sleep(0.25)
            else:
                fail("debuginfod does not serve the program")
            yield port
        finally:
            server.terminate()


def fetch(stripped, cache):
    """What a debugger would have fetched."""
    with serving(stripped, cache) as port:
        served(port, stripped, cache)


def routine_files(stripped, **environment):
    """{source files of routines}, by a report in that environment, with a cache that is empty at first"""
    done = stripped.execute([REPORT, "--format", "json", stripped.run], DEBUGINFOD_CACHE_PATH=scratch(), **environment)
    return {os.path.basename(row["file"] or "") for row in json.loads(done.stdout)["routines"]}


def test_servers_are_asked_where_the_user_names_them():
    """And only there: the same report without DEBUGINFOD_URLS finds nothing, while the server is there."""
    need("debuginfod-find")
    stripped = Stripped()
    with serving(stripped, scratch()) as port:
        expect("holder.c" not in routine_files(stripped), "lines are known, and nobody was asked")
        expect("holder.c" in routine_files(stripped, DEBUGINFOD_URLS="http://127.0.0.1:%d" % port), "the server was not asked")
    expect("holder.c" not in routine_files(stripped, DEBUGINFOD_URLS="http://127.0.0.1:%d" % port), "lines are known from nowhere")


def check_shown(stripped, report, where):
    with open(SOURCE) as file:
        line = next(text.strip() for text in file if "pthread_mutex_unlock" in text)
    expect(line in report, "the source is not shown %s: %s", where, report[-600:])
    for word in ("was not found", "newer", "no debugging"):
        expect(word not in report, "%r is said %s: %s", word, where, report)


def test_what_a_debugger_fetched_is_found():
    """Names, lines and sources from the client's cache, although the source there is newer than the program."""
    need("debuginfod"), need("debuginfod-find")
    stripped, cache = Stripped(), scratch()
    fetch(stripped, cache)
    stripped.forget()
    kept = os.path.join(cache, stripped.build_id)
    for name in os.listdir(kept):
        os.chmod(os.path.join(kept, name), 0o600)
        os.utime(os.path.join(kept, name))
    check_shown(stripped, stripped.report(DEBUGINFOD_CACHE_PATH=cache), "with DEBUGINFOD_CACHE_PATH")
    os.rename(cache, os.path.join(stripped.home, "debuginfod_client"))
    check_shown(stripped, stripped.report(XDG_CACHE_HOME=stripped.home), "in the cache directory")
    expect("holder.c" not in stripped.execute([REPORT, "--section", "routines", stripped.run]).stdout.decode(), "lines without any debugging information")


def test_trees_like_the_servers():
    stripped, tree = Stripped(), scratch()
    place = os.path.join(tree, "buildid", stripped.build_id)
    os.makedirs(place + "/source" + os.path.dirname(stripped.source))
    shutil.copy(stripped.debug, os.path.join(place, "debuginfo"))
    shutil.copy(stripped.source, place + "/source" + stripped.source)
    stripped.forget()
    check_shown(stripped, stripped.report("--symbols", tree, "--source-path", tree), "from the tree")


def newer_name(path):
    """The name that newer clients give to a source; such a client was not run."""
    value = 5381
    for character in path.encode():
        value = value * 33 + character
    return "source-%08x-%s" % (value % 2**32, re.sub("[^A-Za-z0-9._-]", "#", path[-117:]))


def test_names_of_a_newer_client():
    stripped, tree = Stripped(), scratch()
    place = os.path.join(tree, stripped.build_id)
    os.mkdir(place)
    shutil.copy(stripped.debug, os.path.join(place, "debuginfo"))
    shutil.copy(stripped.source, os.path.join(place, newer_name(stripped.source)))
    stripped.forget()
    check_shown(stripped, stripped.report(DEBUGINFOD_CACHE_PATH=tree), "under the newer name")


def test_other_files_are_not_taken():
    """Debugging information of another build under that name, and an empty file, which the client keeps of what no server has."""
    stripped, tree = Stripped(), scratch()
    place = os.path.join(tree, stripped.build_id)
    os.mkdir(place)
    shutil.copy(os.path.join(os.path.dirname(RUN), "ptrace-report"), os.path.join(place, "debuginfo"))
    open(os.path.join(place, "source" + stripped.source.replace("#", "#_").replace("/", "##")), "w").close()
    report = report_json(stripped.run, "--symbols", tree)
    expect_equal("routines with a file", [row["name"] for row in report["routines"] if (row["file"] or "").endswith("holder.c")], [])
    shutil.copy(stripped.debug, os.path.join(place, "debuginfo"))
    shutil.rmtree(os.path.join(stripped.home, "src"))
    expect("was not found" in stripped.report("--symbols", tree, "--source-path", tree), "an empty file was taken for the source")


@full
def test_sources_in_the_debugging_information():
    """clang's -gembed-source: shown although the file is gone or newer, also from compressed sections; and of one unit out of two."""
    for more in ([], ["-gz"], ["-O2"]):
        home = scratch()
        one, other, program = (os.path.join(home, name) for name in ("one.c", "other.c", "program"))
        texts = {one: "int spin(int);\nint main(void)\n{\n\treturn spin(300000000) == 3;\n}\n",
                 other: "int spin(int n)\n{\n\tfor (volatile int i = 0; i < n; i++)\n\t\t;\n\treturn n;\n}\n"}
        for path, text in texts.items():
            with open(path, "w") as file:
                file.write(text)
        done = execute([need("clang"), "-gdwarf-5", "-gembed-source", *more, "-o", program, one, other])
        expect_equal("status of clang: " + done.stderr_text(), done.status, 0)
        with open(other, "w") as file:
            file.write("another text\n" * 9)
        os.unlink(one)
        run = os.path.join(home, "run")
        execute([RUN, "-q", "-o", run, program])
        report = execute([REPORT, "--section", "source", "--routine", "spin", run]).stdout.decode()
        expect("volatile int i" in report and "another text" not in report, "%r: the source is not shown: %s", more, report)
        expect("newer" not in report and "not found" not in report, "it is called unfit: %s", report)


@full
def test_damaged_tables_of_sources():
    """Bytes of the line tables and of their texts are changed, from a fixed seed: the report ends, with or without the source."""
    home = scratch()
    source, program, run = (os.path.join(home, name) for name in ("one.c", "program", "run"))
    with open(source, "w") as file:
        file.write("int main(void)\n{\n\tfor (volatile int i = 0; i < 100000000; i++)\n\t\t;\n\treturn 0;\n}\n")
    execute([need("clang"), "-gdwarf-5", "-gembed-source", "-Wl,--build-id", "-o", program, source])
    execute([RUN, "-q", "-o", run, program])
    sections = execute([need("readelf"), "-SW", program]).stdout.decode().replace("[ ", "[").splitlines()
    places = [(int(words[4], 16), int(words[5], 16)) for words in map(str.split, sections) if len(words) > 6 and words[1].startswith(".debug_line")]
    expect_equal("sections with tables", len(places), 2)
    with open(program, "rb") as file:
        whole = file.read()
    draw = random.Random(16)
    for number in range(30):
        damaged = bytearray(whole)
        for _ in range(1 + number % 3):
            start, size = places[0] if draw.random() < 0.8 else places[1]
            damaged[start + draw.randrange(size)] = draw.choice((0, 1, 0x7f, 0x80, 0xff, draw.randrange(256)))
        with open(program + ".new", "wb") as file:
            file.write(damaged)
        os.replace(program + ".new", program)
        done = execute([REPORT, "--section", "source", "--routine", "main", run], timeout=20)
        expect(done.status in (0, 1), "damage %d: status %d: %s", number, done.status, done.stderr_text()[-300:])


def test_embedded_texts_that_may_be_others_are_not_shown():
    """Two units with different texts for one path; and a text with #line, which clang embeds as the text of the file that it names."""
    home = scratch()
    for number, body in enumerate(("n + 1", "n * 2")):
        os.mkdir(os.path.join(home, str(number)))
        with open(os.path.join(home, str(number), "work.c"), "w") as file:
            file.write("int work%d(int n)\n{\n\tfor (volatile int i = 0; i < 50000000; i++)\n\t\t;\n\treturn %s;\n}\n" % (number, body))
        execute([need("clang"), "-gdwarf-5", "-gembed-source", "-fdebug-compilation-dir=.", "-c", "work.c", "-o", "work.o"],
                directory=os.path.join(home, str(number)))
    with open(os.path.join(home, "main.c"), "w") as file:
        file.write('int work0(int), work1(int);\n#line 1 "%s/grammar.y"\nint main(void)\n{\n\treturn work0(1) + work1(2) == 3; /* generated */\n}\n'
                   % home)
    with open(os.path.join(home, "grammar.y"), "w") as file:
        file.write("the\ntrue\ngrammar\n")
    execute([need("clang"), "-gdwarf-5", "-gembed-source", "-o", "program", "main.c", "0/work.o", "1/work.o"], directory=home)
    os.rename(os.path.join(home, "0"), os.path.join(home, "gone"))
    os.rename(os.path.join(home, "1"), os.path.join(home, "gone too"))
    run = os.path.join(home, "run")
    expect_equal("status", execute([RUN, "-q", "-o", run, os.path.join(home, "program")]).status, 0)
    report = execute([REPORT, "--section", "source", "--routine", "work1", run]).stdout.decode()
    expect("volatile" not in report and "was not found" in report, "a text of one of two units is shown: %s", report)
    report = execute([REPORT, "--section", "source", "--routine", "main", run]).stdout.decode()
    expect("generated" not in report, "the generated text is shown as the grammar: %s", report)
