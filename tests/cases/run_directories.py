# SPDX-License-Identifier: MIT
"""The directory of a run: which one it is, what is in it, what is refused, and which one the reports find of their own accord."""
import os
import re
import shutil
import stat
import subprocess
import time

import support
from command import described, ptrace_run, script
from support import RUN, clean_environment, execute, expect, expect_equal, full, need, report_json, scratch

BESIDE = True  # no case asserts a time


def test_default_directory_takes_the_first_free_number():
    place = scratch()
    os.mkdir(os.path.join(place, "true.ptrace.2"))
    for _ in range(2):
        ptrace_run("-q", "true", directory=place)
    expect_equal("directories", sorted(os.listdir(place)), ["true.ptrace.1", "true.ptrace.2", "true.ptrace.3"])
    expect_equal("mode", stat.S_IMODE(os.stat(os.path.join(place, "true.ptrace.1")).st_mode), 0o700)


def test_run_json():
    place = scratch()
    before = time.time()
    ptrace_run("-q", "-o", "run", "sh", "-c", "exit 0", b"\xff\xc3\xa9\"\n", directory=place)
    run = described(os.path.join(place, "run"))
    expect_equal("format", (run["format"], run["version"]), ("ptrace-run", 1))
    expect_equal("command", run["command"], ["sh", "-c", "exit 0", "\ufffd\u00e9\"\n"])
    expect_equal("directory", os.path.realpath(run["directory"]), os.path.realpath(place))
    expect(before - 1 < run["start_unix"] < time.time() + 1, "start_unix is %r", run["start_unix"])
    expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", run["start"]), "start is %r", run["start"])
    expect_equal("mode", stat.S_IMODE(os.stat(os.path.join(place, "run", "run.json")).st_mode), 0o600)


def expect_taken(result, place):
    expect_equal("status; stderr: %s" % result.stderr_text(), result.status, 125)
    expect("remove it" in result.stderr_text() and "-o DIR" in result.stderr_text(), "no remedy: %r", result.stderr_text())
    expect_equal("lines", result.stderr_text().count("\n"), 1)
    expect(not os.path.exists(os.path.join(place, "started")), "the program was started")


def test_a_second_start_is_refused():
    """Two starts are no run, by hand or by a variable; not even if the first was another version's, or has left no description."""
    place = scratch()
    ptrace_run("-q", "-o", "run", "true", directory=place)
    first = described(os.path.join(place, "run")), sorted(os.listdir(os.path.join(place, "run")))
    expect_taken(ptrace_run("-o", "run", "touch", "started", directory=place), place)
    expect_taken(ptrace_run("touch", "started", directory=place, environment={"PTRACE_OUTPUT": "run/"}), place)
    expect_equal("run.json and files", (described(os.path.join(place, "run")), sorted(os.listdir(os.path.join(place, "run")))), first)
    for gone in ".claim", "run.json":
        os.unlink(os.path.join(place, "run", gone))
        expect_taken(ptrace_run("-o", "run", "touch", "started", directory=place), place)


def test_starts_that_are_added_are_one_run():
    """By option and by variable, one after the other and side by side; a directory that is not ours stays untouched."""
    place = scratch()
    for environment, options in (({}, ["--add"]), ({"PTRACE_ADD": "1"}, [])):
        ptrace_run("-q", "-o", "run", *options, "true", directory=place, environment=environment)
    starts = [subprocess.Popen([RUN, "-q", "--add", "-o", "run", "sleep", "0.2"], cwd=place, env=clean_environment()) for _ in range(3)]
    expect_equal("statuses", [start.wait() for start in starts], [0] * 3)
    starts = [subprocess.Popen([RUN, "-q", "--add", "-o", "fresh", "true"], cwd=place, env=clean_environment()) for _ in range(6)]
    expect_equal("statuses of a run that none has begun", [start.wait() for start in starts], [0] * 6)
    expect_equal("its processes", len(report_json(os.path.join(place, "fresh"))["processes"]), 6)
    report = report_json(os.path.join(place, "run"))
    expect_equal("commands", sorted(p["command"] for p in report["processes"]), 3 * ["sleep 0.2"] + 2 * ["true"])
    expect(report["run"]["complete"] and report["run"]["others_seconds"] is None, "the run: %r", report["run"])
    expect(report["run"]["elapsed_seconds"] > max(p["elapsed_seconds"] for p in report["processes"]), "elapsed: %r", report["run"])
    result = ptrace_run("--add", "true", directory=place)
    expect_equal("without -o", (result.status, "-o DIR" in result.stderr_text()), (2, True))
    os.mkdir(os.path.join(place, "mine"))
    with open(os.path.join(place, "mine", "file"), "w") as file:
        file.write("kept")
    expect_equal("a directory of others", ptrace_run("--add", "-o", "mine", "true", directory=place).status, 125)
    expect_equal("its content", os.listdir(os.path.join(place, "mine")), ["file"])


def test_of_starts_side_by_side_one_has_the_directory():
    place = scratch()
    starts = [subprocess.Popen([RUN, "-q", "-o", "run", "sleep", "0.2"], cwd=place, env=clean_environment(), stderr=subprocess.DEVNULL)
              for _ in range(6)]
    expect_equal("statuses", sorted(start.wait() for start in starts), [0] + 5 * [125])
    expect_equal("profiles", len([f for f in os.listdir(os.path.join(place, "run")) if f.endswith(".profile")]), 1)


def without_links(place, renames):
    """A library with which a directory has no hard links, as on vfat; without `renames`, no naming in one step at all."""
    source, library = (os.path.join(place, name) for name in ("links.c", "links.so"))
    with open(source, "w") as file:
        file.write("#include <errno.h>\nint linkat(void) { errno = EPERM; return -1; }\n")
        if not renames:
            file.write("int renameat2(void) { errno = EINVAL; return -1; }\n")
    expect_equal("compiler", execute([need("gcc"), "-fno-builtin", "-shared", "-fPIC", "-o", library, source]).status, 0)
    return {"LD_PRELOAD": library}


def test_one_start_has_a_directory_without_hard_links():
    for renames in True, False:
        place = scratch()
        environment = clean_environment(without_links(place, renames))
        starts = [subprocess.Popen([RUN, "-q", "-o", "run", "sleep", "0.2"], cwd=place, env=environment, stderr=subprocess.DEVNULL)
                  for _ in range(4)]
        expect_equal("statuses", sorted(start.wait() for start in starts), [0] + 3 * [125])
        expect_equal("command", described(os.path.join(place, "run"))["command"], ["sleep", "0.2"])
        expect_taken(ptrace_run("-o", "run", "touch", "started", directory=place, environment=environment), place)
        left = [name for name in os.listdir(os.path.join(place, "run")) if name.startswith(".run.json.")]
        expect(not left, "left behind: %s", left)


def test_the_same_process_joins_its_run():
    """What takes the place of ptrace-run is the same start, even without the variables of the first."""
    place = scratch()
    os.mkdir(os.path.join(place, "run"))
    again = ptrace_run("-q", "--exec", "-o", "run", "/usr/bin/env", "-i", RUN, "-q", "-o", "run", "/bin/true", directory=place)
    expect_equal("status; stderr: %s" % again.stderr_text(), again.status, 0)
    expect_equal("profiles", len([f for f in os.listdir(os.path.join(place, "run")) if f.endswith(".profile")]), 2)


def shown_run(place):
    """The directory of the run that ptrace-report shows of its own accord; None: none."""
    result = execute([support.REPORT, "--section", "about"], directory=place)
    shown = re.search(r"^  run +([^,]+), started", result.stdout.decode(), re.M)
    return shown.group(1) if shown else None


def test_the_newest_run_is_found_whatever_it_is_called():
    place = scratch()
    os.makedirs(os.path.join(place, "one", "two", "three"))
    os.makedirs(os.path.join(place, ".hidden"))
    with open(os.path.join(place, "one", "app.profile"), "w") as file:
        file.write("another tool's")
    expect_equal("without a run", shown_run(place), None)
    for age, name in enumerate(("true.ptrace.7", "named", "one/two/deep", ".hidden/run", "one/two/three/deeper")):
        ptrace_run("-q", "-o", name, "true", directory=place)
        os.utime(os.path.join(place, name), (1e9 + age, 1e9 + age))
    expect_equal("the newest within three levels", shown_run(place), "one/two/deep")
    for name in "named", "true.ptrace.7":
        os.utime(os.path.join(place, name))
        expect_equal("after it got a file", shown_run(place), name)
    expect_equal("in a run itself", shown_run(os.path.join(place, "named")), ".")


def test_directories_that_are_refused():
    place = scratch()
    os.mkdir(os.path.join(place, "foreign"))
    open(os.path.join(place, "foreign", "letter"), "w").close()
    os.mkdir(os.path.join(place, "other"))
    with open(os.path.join(place, "other", "run.json"), "w") as file:
        file.write('{"format": "another"}')
    os.mkdir(os.path.join(place, "real"))
    os.symlink("real", os.path.join(place, "link"))
    open(os.path.join(place, "file"), "w").close()
    for name in ("foreign", "other", "link", "link/", "file", "missing/below"):
        result = ptrace_run("-o", name, "touch", os.path.join(place, "started"), directory=place)
        expect_equal("status for %s" % name, result.status, 125)
        expect("-o DIR" in result.stderr_text(), "no remedy for %s: %r", name, result.stderr_text())
    expect(not os.path.exists(os.path.join(place, "started")), "the program was started")
    expect_equal("files in the link's target", os.listdir(os.path.join(place, "real")), [])


def test_nothing_is_left_of_a_program_that_does_not_start():
    place = scratch()
    bad = script("#!/nonexistent/interpreter\n")
    expect_equal("status", ptrace_run(bad, directory=place).status, 126)
    expect_equal("left behind", os.listdir(place), [])


def test_inner_ptrace_run_joins_and_keeps_silent():
    place = scratch()
    result = ptrace_run("-o", "run", RUN, "--no-sync", "true", directory=place)
    expect_equal("lines", result.stderr_text().count("\n"), 1)
    expect_equal("directories", os.listdir(place), ["run"])


def routines_of(run):
    result = execute([support.REPORT, "--section", "routines", "--top", "0", run], clean_environment({"XDG_CACHE_HOME": scratch()}))
    return set(re.findall(r"\b(?:first|second)_body\b", result.stdout.decode()))


@full
def test_names_survive_a_program_that_is_built_anew():
    """With and without a build-id: each run has the names of the program that it ran, by ptrace-run and in its place."""
    place = scratch()
    text = "static volatile long n; __attribute__((noinline)) void %s_body(void) { for (long i = 0; i < 60000000; i++) n += i; } " \
           "int main(void) { %s_body(); return 0; }"
    for kind in "sha1", "none":
        for version in "first", "second":
            with open(os.path.join(place, "p.c"), "w") as file:
                file.write(text % (version, version))
            built = execute([need("cc"), "-g", "-O1", "-Wl,--build-id=" + kind, "-o", "p", "p.c"], directory=place)
            expect_equal("compiler", built.status, 0)
            for options in ["-q"], ["-q", "--exec"]:
                run = "-".join([kind, version] + options)
                expect_equal("status", ptrace_run(*options, "-o", run, "./p", directory=place).status, 0)
        for version in "first", "second":
            for options in ["-q"], ["-q", "--exec"]:
                run = os.path.join(place, "-".join([kind, version] + options))
                expect_equal("routines of " + run, routines_of(run), {version + "_body"})
        # copied as cp and scp do, with times of their own, and a program that is older than it was
        os.utime(os.path.join(place, "p"), (1, 1))
        run = os.path.join(place, kind + "-copied")
        shutil.copytree(os.path.join(place, kind + "-first--q"), run, copy_function=shutil.copyfile)
        expect_equal("routines of " + run, routines_of(run), {"first_body"})


def test_of_a_script_its_interpreter_is_copied():
    """Names are those of the file that runs; the text of a script has none."""
    place = os.path.realpath(scratch())
    shutil.copy(os.path.realpath("/bin/sh"), os.path.join(place, "shell"))
    for name, first in ("one", "#!%s/shell\n" % place), ("two", ""):
        with open(os.path.join(place, name), "w") as file:
            file.write(first + "exit 3\n")
        os.chmod(os.path.join(place, name), 0o755)
        for options in ["-q"], ["-q", "--exec"]:
            run = os.path.join(place, "-".join([name] + options))
            expect_equal("status", ptrace_run(*options, "-o", run, "./" + name, directory=place).status, 3)
            copied = [file for _, _, files in os.walk(os.path.join(run, "symbols")) for file in files]
            expect_equal("copies of " + run, copied, ["shell"] if first else [])
