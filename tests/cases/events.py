# SPDX-License-Identifier: MIT
"""ptrace-run -e LIST and --list-events: names, presets, what the program's library is told, and what works here.

What needs a processor's counters is tested where there are some; where not, a program that asks for them runs as ever."""
import ctypes
import os
import platform
import re
import shutil
import struct

import support
from kernel import ATTRIBUTES_BYTES, EXCLUDE_HV, EXCLUDE_KERNEL, PERF_EVENT_OPEN, PERF_FLAG_FD_CLOEXEC
from support import (BUILD, ROOT, RUN, built, clean_environment, execute, expect, expect_equal, expect_same, full, need,
                     part_skipped, run, scratch, skip)

BESIDE = True  # no case asserts a time

# enum perf_type_id and enum perf_sw_ids of <linux/perf_event.h>: part of the kernel's interface.
HARDWARE, SOFTWARE = 0, 1
SOFTWARE_EVENTS = {"cpu-clock": 0, "task-clock": 1, "page-faults": 2, "context-switches": 3, "cpu-migrations": 4, "minor-faults": 5,
                   "major-faults": 6, "cgroup-switches": 11}
OF_KERNEL = {"context-switches", "cpu-migrations", "cgroup-switches"}  # they happen nowhere else
PRESETS = ("branch", "cache", "flops", "ipc", "sharing", "software", "stalls", "tlb")


def ptrace_run(*arguments, environment=None, before=()):
    if support.NATIVE_ONLY:
        skip("native only")
    return execute(list(before) + [RUN] + list(arguments), clean_environment(environment), directory=scratch())


def variables_of(*options, environment=None, command=()):
    """(entries of PTRACE_EVENTS as lists of 9 fields, entries of PTRACE_METRICS as lists of 4) that the program has"""
    result = ptrace_run("-q", *options, "--", *command, "env", "-0", environment=environment)
    expect_equal("status of %s, which says %r" % (options, result.stderr_text()), result.status, 0)
    variables = dict(entry.split("=", 1) for entry in result.stdout.decode().split("\0") if "=" in entry)
    events, metrics = variables.get("PTRACE_EVENTS"), variables.get("PTRACE_METRICS")
    return ([entry.split(" ", 8) for entry in events.split(";")] if events is not None else None,
            [entry.split("|") for entry in metrics.split(";")] if metrics is not None else None)


def names_of(events):
    return [event[8] for event in events]


def refused(*arguments, environment=None, status=2):
    """The one line that is said; nothing was started, no run directory made."""
    directory = scratch()
    mark, output = os.path.join(directory, "started"), os.path.join(directory, "run")
    result = ptrace_run("-o", output, *arguments, "touch", mark, environment=environment)
    expect_equal("status of %s" % (arguments,), result.status, status)
    expect_equal("standard output", result.stdout, b"")
    expect_equal("what was started or made", os.listdir(directory), [])
    lines = result.stderr_text().splitlines()
    expect(len(lines) == 1 and lines[0].startswith("ptrace-run: "), "it says %r", lines)
    return lines[0][len("ptrace-run: "):]


# Names

def test_wrong_names():
    """One line with the nearest names, status 2, and nothing was started."""
    for name, wanted in (("cycels", "did you mean cycles?"), ("page_fault", "page-faults"), ("sofware", "did you mean software?"),
                         ("task-clock,branch-mises", "branch-misses"), ("zzzzzzzz", "--list-events"), ("cycles:precise=9", "precise"),
                         ("cycles,,", "a name is missing"), ("{cycles", "not closed"), ("cycles@0", "whole number from 1"),
                         ("ipc@1000", "cannot be sampled"), ("{ipc}", "outside of the braces"), ("a;b", "';'")):
        line = refused("-e", name)
        expect(wanted in line, "of %s it says %r, expected %r", name, line, wanted)
    expect("cycles" in refused(environment={"PTRACE_EVENTS": "cycels"}), "the variable is not checked")


def test_the_librarys_variables():
    """The program has what the kernel is asked for; generic names have the same numbers on each processor."""
    events, metrics = variables_of("-e", "task-clock,cycles:u,{instructions,branches:k},page-faults@100,r01c0,cycles:u")
    expect_equal("events", events, [
        ["1", "1", "1", "0", "0", "0", "0", "ns", "task-clock"],
        ["2", "0", "0", "0", "0", "1", "0", "count", "cycles:u"], ["2", "4", "1c0", "0", "0", "0", "0", "count", "r01c0"],
        ["3", "0", "1", "0", "0", "0", "0", "count", "instructions"], ["3", "0", "4", "0", "0", "2", "0", "count", "branches:k"],
        ["4", "1", "2", "0", "0", "0", "100", "count", "page-faults"]])
    expect_equal("metrics", metrics, None)
    names = [name for name in SOFTWARE_EVENTS if name != "cgroup-switches"]
    events, _ = variables_of("-e", ",".join(names))
    expect_equal("numbers", [(e[1], int(e[2], 16)) for e in events], [("1", SOFTWARE_EVENTS[name]) for name in names])
    expect_equal("units", [e[7] for e in events], ["ns" if "clock" in name else "count" for name in names])


def test_events_of_the_list_add_up():
    """-e a -e b is -e a,b; an empty LIST asks for nothing; the variable is a LIST as well, and an option comes before it."""
    expect_equal("two options", names_of(variables_of("-e", "cycles", "--events", "branches")[0]), ["cycles", "branches"])
    expect_equal("the variable", names_of(variables_of(environment={"PTRACE_EVENTS": "branches"})[0]), ["branches"])
    environment = {"PTRACE_EVENTS": "branches", "PTRACE_METRICS": "stale||1|1"}
    expect_equal("option and variable", names_of(variables_of("-e", "cycles", environment=environment)[0]), ["cycles"])
    expect_equal("an empty option", variables_of("-e", "", environment=environment), (None, None))
    expect_equal("nothing", variables_of(), (None, None))


def test_an_inner_ptrace_run_keeps_what_the_outer_one_asked_for():
    """The encoded variables are taken as they are, also from a user who has them; an inner option replaces them."""
    inner = [RUN, "-q", "--"]
    expect_equal("with an inner one", variables_of("-e", "ipc,page-faults", command=inner), variables_of("-e", "ipc,page-faults"))
    expect_equal("another list", names_of(variables_of("-e", "ipc", command=[RUN, "-q", "-e", "branches", "--"])[0]), ["branches"])
    expect_equal("its metrics", variables_of("-e", "ipc", command=[RUN, "-q", "-e", "branches", "--"])[1], None)
    encoded = {"PTRACE_EVENTS": "1 1 1 0 0 0 0 ns task-clock", "PTRACE_METRICS": "x|s|task-clock / 1e9|@1 1e9 /"}
    expect_equal("encoded", variables_of(environment=encoded), ([["1", "1", "1", "0", "0", "0", "0", "ns", "task-clock"]],
                                                                [["x", "s", "task-clock / 1e9", "@1 1e9 /"]]))


# Presets

def value_of(steps, counts):
    """The steps of a formula, as the analyzer evaluates them."""
    stack = []
    for step in steps.split(" "):
        if step in ("+", "-", "*", "/"):
            right, left = stack.pop(), stack.pop()
            stack.append({"+": left + right, "-": left - right, "*": left * right, "/": left / right}[step])
        else:
            stack.append(counts[step] if step in counts else float(step))
    expect_equal("values left of %s" % steps, len(stack), 1)
    return stack[0]


def test_presets_are_encoded():
    """Each shipped preset gives events in whole groups, and formulas of these events."""
    events, metrics = variables_of("-e", "ipc")
    expect_equal("events of ipc", names_of(events), ["cycles", "instructions"])
    expect_equal("metrics of ipc", [m[:3] for m in metrics], [["IPC", "", "instructions / cycles"],
                                                              ["frequency", "GHz", "cycles / cpu_seconds / 1e9"]])
    counts = {"@1": 5e9, "@2": 10e9, "cpu_seconds": 2.0, "elapsed_seconds": 1.0}
    expect_equal("values", [value_of(m[3], counts) for m in metrics], [2.0, 2.5])
    for preset in PRESETS:
        events, metrics = variables_of("-e", preset)
        if not events:
            part_skipped("preset %s has no events for this processor" % preset)
            continue
        groups = [int(event[0]) for event in events]
        expect_equal("groups of %s" % preset, (groups, max(groups)), (sorted(groups), len(set(groups))))
        expect(max(groups.count(g) for g in groups) <= 8, "%s has a group of more than 8: %s", preset, groups)
        counts = dict({"@%d" % (i + 1): 7.0 for i in range(len(events))}, cpu_seconds=2.0, elapsed_seconds=1.0)
        for metric in metrics:
            value_of(metric[3], counts)


def test_presets_share_events():
    """What two presets need is counted once, and the formulas of both name it."""
    events, metrics = variables_of("-e", "ipc,branch,ipc")
    expect_equal("events", sorted(names_of(events)), ["branch-misses", "branches", "cycles", "instructions"])
    expect_equal("metrics", len(metrics), 5)
    place = {"@%d" % (i + 1): name for i, name in enumerate(names_of(events))}
    for name, _, formula, steps in metrics:
        used = {place[s] for s in steps.split(" ") if s in place}
        expect_equal("events of %s" % name, used, {w for w in re.findall(r"[a-z-]+", formula) if w in place.values()})


def preset_file(text, name="own.events", directory=None):
    path = os.path.join(directory or scratch(), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


OWN = "description My own.\n[any]\nevent page-faults as faults\nmetric faults [1/s] = faults / elapsed_seconds\n"


def test_presets_of_the_user():
    """A file is found by its path, in PTRACE_EVENT_PATH and among the user's settings, and hides a shipped one of its name."""
    path = preset_file(OWN)
    wanted = ([["1", "1", "2", "0", "0", "0", "0", "count", "page-faults"]],
              [["faults", "1/s", "faults / elapsed_seconds", "@1 elapsed_seconds /"]])
    expect_equal("by its path", variables_of("-e", path), wanted)
    folders = {"PTRACE_EVENT_PATH": "/nowhere:" + os.path.dirname(path)}
    expect_equal("in a folder", variables_of("-e", "own", environment=folders), wanted)
    home = scratch()
    preset_file(OWN, "libptrace/events/ipc.events", os.path.join(home, ".config"))
    for environment in {"HOME": home, "XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": os.path.join(home, ".config")}:
        expect_equal("with %s" % environment, variables_of("-e", "ipc", environment=environment), wanted)
    listed = ptrace_run("--list-events", "own", environment=folders)
    expect(b"  own " in listed.stdout and b"My own." in listed.stdout, "the list has no preset of the user: %r", listed.stdout)


def test_wrong_presets():
    """FILE:LINE, what is wrong and the remedy; status 2, and nothing was started. The list of presets says it as well."""
    for text, line, wanted in ((OWN + "metric x = faults +\n", 5, "formula of x, column 9: a value is missing"),
                               (OWN + "event cycels\n", 5, "did you mean cycles?"), (OWN + "evnt cycles\n", 5, "'evnt' is none of"),
                               ("description D\n", 1, "write [any]"), (OWN + "metric x = fault\n", 5, "did you mean faults?")):
        path = preset_file(text)
        said = refused("-e", path)
        expect(said.startswith("%s:%d: " % (path, line)) and wanted in said, "it says %r, expected line %d and %r", said, line, wanted)
    expect("No such file" in refused("-e", "./none.events"), "a missing file is not told")
    directory = os.path.dirname(preset_file(OWN))
    result = execute([RUN, "-e", "own.events", "true"], clean_environment(), directory=directory)
    expect("write ./own.events" in result.stderr_text(), "it says %r", result.stderr_text())
    path = preset_file("nonsense\n")
    listed = ptrace_run("--list-events", "own", environment={"PTRACE_EVENT_PATH": os.path.dirname(path)})
    expect_equal("status of the list", listed.status, 0)
    expect(("own          is wrong: %s:1: " % path).encode() in listed.stdout, "the list says %r", listed.stdout)


def test_a_preset_without_a_section_for_this_processor():
    """The program runs, and one line says so."""
    path = preset_file("description D\n[no_such_processor]\nevent cycles\n")
    result = ptrace_run("-q", "-e", path + ",page-faults", "--", "true")
    expect_equal("status", result.status, 0)
    expect("has no events for this processor" in result.stderr_text(), "it says %r", result.stderr_text())


def test_too_much():
    """More events, or longer texts, than fit into the environment are refused."""
    expect("more than 32 events" in refused("-e", ",".join("r%x" % i for i in range(1, 34))), "33 events are not refused")
    metrics = "".join("metric m%d = %s\n" % (i, " + ".join(["page-faults"] * 16)) for i in range(16))
    first = preset_file("description D\n[any]\nevent page-faults\n" + metrics)
    second = preset_file("description D\n[any]\nevent page-faults\n" + metrics.replace("metric m", "metric n" + "n" * 50))
    said = refused("-e", "%s,%s" % (first, second))
    expect("8192 bytes" in said, "it says %r", said)


# The program

@full
def test_a_program_runs_as_ever():
    """With counters or without: same output, same status, nothing said."""
    for events in "cycles,instructions,task-clock", "ipc,cache,software", "cycles@1000000,page-faults@100":
        one = run("equal", options=["-e", events])
        expect_same(one, stderr=True)
    one = run("/bin/sh", ["-c", "kill -9 $$"], options=["-e", "cycles"])
    expect_equal("status", one.profiled.status, -9)


def libraries_of(*arguments):
    """What the dynamic linker did, of ptrace-run and all that it started."""
    directory = scratch()
    result = ptrace_run(*arguments, environment={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": os.path.join(directory, "log")})
    expect_equal("status", result.status, 0)
    texts = []
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), errors="replace") as file:
            texts.append(file.read())
    expect(any("libc.so" in text for text in texts), "the dynamic linker tells nothing")
    return "".join(texts)


def test_libpfm4_is_loaded_when_it_is_asked_for():
    """Its tables take 1.5 ms to load: more than all else that ptrace-run does before it starts a program."""
    expect("libpfm.so" not in libraries_of("-q", "--", "true"), "it is loaded without -e")
    expect("libpfm.so" in libraries_of("-q", "-e", "cycles", "--", "true"), "the log has no library that is loaded later")


def test_without_libpfm4():
    """One line names it and the remedy, status 125; without -e all is as ever."""
    directory = scratch()
    open(os.path.join(directory, "libpfm.so.4"), "w").close()
    environment = {"LD_LIBRARY_PATH": directory}
    said = refused("-e", "cycles", environment=environment, status=125)
    expect("libpfm.so.4" in said and "install libpfm4" in said, "it says %r", said)
    expect_equal("status without -e", ptrace_run("-q", "true", environment=environment).status, 0)


# What works here

def opens(kind, number, flags=EXCLUDE_HV):
    """Does perf_event_open of our own open that event, on this process?"""
    call = PERF_EVENT_OPEN.get(platform.machine()) or skip("the number of perf_event_open is not known here")
    attributes = bytearray(ATTRIBUTES_BYTES)
    struct.pack_into("=IIQ", attributes, 0, kind, ATTRIBUTES_BYTES, number)
    struct.pack_into("=Q", attributes, 40, flags)
    buffer = (ctypes.c_char * ATTRIBUTES_BYTES).from_buffer(attributes)
    descriptor = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(call), buffer, ctypes.c_int(0), ctypes.c_int(-1), ctypes.c_int(-1),
                                                           ctypes.c_ulong(PERF_FLAG_FD_CLOEXEC))
    if descriptor >= 0:
        os.close(descriptor)
    return descriptor >= 0


def is_open_to_user(name):
    """Of software events; an ordinary user may count them without the kernel's part, if there is another one."""
    number = SOFTWARE_EVENTS[name]
    return opens(SOFTWARE, number) or name not in OF_KERNEL and opens(SOFTWARE, number, EXCLUDE_HV | EXCLUDE_KERNEL)


def listed(*arguments, before=(), environment=None):
    result = ptrace_run("--list-events", *arguments, before=before, environment=environment)
    expect_equal("status", (result.status, result.stderr), (0, b""))
    return result.stdout.decode().splitlines()


def under(lines, title):
    """The first words of the lines below a title."""
    start = [i for i, line in enumerate(lines) if line.startswith(title)]
    names = []
    for line in lines[start[0] + 1:] if start else []:
        if not line.startswith("  "):
            break
        if not line.startswith("  ("):
            names.append(line.split()[0])
    return names


def test_the_list_tells_what_can_be_opened():
    """As system calls of our own find out."""
    lines = listed()
    software = under(lines, "software events")
    for name, number in SOFTWARE_EVENTS.items():
        if name != "cgroup-switches":  # Linux 5.13
            expect_equal("%s is listed" % name, name in software, is_open_to_user(name))
    hardware = under(lines, "hardware events")
    expect_equal("cycles are listed", "cycles" in hardware, opens(HARDWARE, 0) or opens(HARDWARE, 0, EXCLUDE_HV | EXCLUDE_KERNEL))
    expect_equal("a reason is given", [line for line in lines if line.startswith("no hardware counters: ")] != [], "cycles" not in hardware)
    expect_equal("presets", under(lines, "presets"), list(PRESETS))
    states = {line.split()[0]: line for line in lines[lines.index("presets: events for a purpose, and metrics of them"):]}
    expect("works" in states["software"], "of the preset software it says %r", states["software"])
    if "cycles" not in hardware:
        expect("does not work here" in states["ipc"], "of the preset ipc it says %r", states["ipc"])
        part_skipped("this machine has no counters of its processor")


def test_the_list_of_some():
    """A pattern is a part of a name, or has wildcards; in either case of letters."""
    expect_equal("FAULTS", under(listed("FAULTS"), "software events"), ["page-faults", "minor-faults", "major-faults"])
    expect_equal("m*-faults", under(listed("m*-faults"), "software events"), ["minor-faults", "major-faults"])
    found = ["context-switches"] if is_open_to_user("context-switches") else []
    expect_equal("=context", under(listed("--list-events=context"), "software events"), found)
    expect("no event or preset is called like 'zzzz'" in listed("zzzz"), "it does not say that there is none")


def test_the_list_where_perf_events_are_refused():
    """By a filter, as in many containers: it says so, and a program runs all the same."""
    lines = listed(before=[built("no_perf")])
    expect_equal("software events", under(lines, "software events"), [])
    expect("perf_event_open is refused" in lines[-1], "it ends with %r", lines[-1])
    result = ptrace_run("-q", "-e", "software,ipc", "--", "echo", "done", before=[built("no_perf")])
    expect_equal("the program", (result.status, result.stdout, result.stderr), (0, b"done\n", b""))


def test_the_list_of_an_ordinary_user():
    """Who may not count the kernel sees what remains, and which setting would change it. context-switches happen in the kernel alone."""
    if os.geteuid() != 0:
        skip("needs root, to become another user")
    with open("/proc/sys/kernel/perf_event_paranoid") as file:
        level = int(file.read())
    if level != 2:
        skip("kernel.perf_event_paranoid is %d here, not 2" % level)
    directory = scratch()
    os.chmod(directory, 0o755)
    for part in "bin", "share":
        shutil.copytree(os.path.join(BUILD, part), os.path.join(directory, part))
    become = [need("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
    result = execute(become + [os.path.join(directory, "bin", "ptrace-run"), "--list-events"])
    if b"setpriv" in result.stderr:
        skip("setpriv cannot be used here: %s" % result.stderr_text()[-100:])
    lines = result.stdout.decode().splitlines()
    software = under(lines, "software events")
    expect("task-clock" in software and "page-faults" in software, "it lists %s", software)
    expect(not {"context-switches", "cpu-migrations"} & set(software), "it lists events of the kernel: %s", software)
    expect(any(re.match(r"  page-faults +without the kernel", line) for line in lines), "page-faults are not marked")
    expect(any("kernel.perf_event_paranoid is 2" in line for line in lines), "it does not name the setting")


# Installed

@full
def test_installed_presets():
    """make install puts them where the installed ptrace-run finds them."""
    directory = scratch()
    result = execute(["make", "-C", ROOT, "install", "BUILD=%s" % BUILD, "PREFIX=/usr", "DESTDIR=%s" % directory],
                     clean_environment({"MAKEFLAGS": ""}))
    expect_equal("status of make install, which says %r" % result.stderr_text()[-300:], result.status, 0)
    installed = os.path.join(directory, "usr", "bin", "ptrace-run")
    lines = execute([installed, "--list-events"], clean_environment()).stdout.decode().splitlines()
    expect_equal("presets", under(lines, "presets"), list(PRESETS))
