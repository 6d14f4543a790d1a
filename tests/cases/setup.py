# SPDX-License-Identifier: MIT
"""Setting up: what `make` and scripts/install-deps say where something is missing, and that flags that changed are not passed over.

tests/newcomer tries the whole of it in a minimal Debian."""
import os
import re

from support import ROOT, clean_environment, execute, expect, expect_equal, full, need, scratch

BESIDE = True  # no case asserts a time
OBJECT = "analyze/base/die.o"


def own_environment(**more):
    """Nothing of the make, and of the flags, that run the tests."""
    inherited = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "BUILD", "CC", "CFLAGS", "WERROR", "ARCH")
    environment = {key: value for key, value in clean_environment().items() if key not in inherited}
    environment.update(more)
    return environment


def make(*arguments):
    """(status, lines of both outputs)"""
    result = execute([need("make"), "-C", ROOT, "--no-print-directory"] + list(arguments), environment=own_environment())
    return result.status, (result.stderr + result.stdout).decode().splitlines()


def builds(*arguments):
    status, lines = make("-s", *arguments)
    expect(status == 0, "make %s: status %d: %s", arguments, status, " | ".join(lines[-3:]))
    return lines


def script(directory, name, lines):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + lines + "\n")
    os.chmod(path, 0o755)
    return path


@full
def test_changed_flags_build_anew():
    """Objects are as old as the flags that they were built with; what is built is installed whatever the flags."""
    build = os.path.join(scratch(), "b")
    object_file = os.path.join(build, OBJECT)
    here = ["BUILD=" + build, object_file]
    builds(*here)
    with open(object_file, "rb") as file:
        before = file.read()
    expect_equal("status of make -q with the same flags", make("-q", *here)[0], 0)
    expect_equal("status of make -q with others", make("-q", "CFLAGS=-O0 -Wl,-z,now -DA='\"b c\"'", *here)[0], 1)
    builds("CFLAGS=-O0 -Wl,-z,now -DA='\"b c\"'", *here)
    with open(object_file, "rb") as file:
        expect(file.read() != before, "the object of -O0 is that of -O2")
    expect_equal("status of make -q with these", make("-q", "CFLAGS=-O0 -Wl,-z,now -DA='\"b c\"'", *here)[0], 0)
    expect_equal("status of make -q with the first", make("-q", *here)[0], 1)
    would_probe = {goal: "probe-build" in "".join(make("-n", "BUILD=" + build, goal)[1]) for goal in ("all", "install")}
    expect_equal("whether it would look at the flags", would_probe, {"all": True, "install": False})


def refused(words, *arguments):
    status, lines = make("-j2", *arguments)
    expect(status != 0 and len(lines) <= 2 and all(word in lines[0] for word in words), "make %s: status %d, %d lines: %s; expected %s",
           arguments, status, len(lines), " | ".join(lines[:3]), words)


def test_what_is_missing_is_one_line():
    """Compiler, C library, libraries, another processor, a directory that cannot be written, or that make cannot name."""
    directory = scratch()
    here = "BUILD=" + os.path.join(directory, "b")
    without = script(directory, "without-libdw", 'case "$*" in *-ldw*) exit 1 ;; esac; exec cc "$@"')
    refused(["no compiler", "nowhere"], "CC=nowhere", here)
    refused(["libc6-dev"], "CFLAGS=-nostdinc", here)
    refused(["libdw-dev"], "CC=" + without, here)
    refused(["processor"], "CFLAGS=-m32", here)
    refused(["nonsense"], "CFLAGS=--nonsense", here)
    refused(["cannot write", "BUILD="], "BUILD=/proc/nothing")
    refused(["no blank"], "BUILD=%s/a b" % directory)
    refused(["not empty"], "BUILD=")
    refused(["glibc"], "CC=" + need("musl-gcc"), here)


def test_help_needs_no_compiler():
    status, lines = make("help", "CC=nowhere")
    expect_equal("status", status, 0)
    expect(all(line.startswith(("make", "tests/run")) for line in lines), "lines: %s", lines)


def test_clang_builds_the_same_without_warnings():
    """libc's inline copies of stdio's calls, after which clang would hide our own, and attributes and flags that are gcc's."""
    build = os.path.join(scratch(), "b")
    wrappers = os.path.join(build, "preload/wrap/wrap_stdio_read.o")
    lines = builds("BUILD=" + build, "CC=" + need("clang"), wrappers, *[os.path.join(build, name) for name in (
        "preload/io/io_rows.o", "analyze/export/sqlite_names.o")])
    said = [line for line in lines if not line.startswith("   ")]
    expect(not said, "besides the names of files: %s", said[:3])
    symbols = execute([need("nm"), wrappers]).stdout.decode()
    visible = execute([need("readelf"), "-sW", wrappers]).stdout.decode()
    for name in ("getchar", "getc_unlocked", "getline"):
        expect(re.search(r" T %s$" % name, symbols, re.M), "%s is not defined", name)
        expect(re.search(r" GLOBAL +DEFAULT +\d+ %s$" % name, visible, re.M), "%s is hidden", name)


def install_deps(level, installed, known):
    """scripts/install-deps, by a user without root rights; installed and known: patterns of sh."""
    directory = scratch()
    script(directory, "id", "echo 1000")
    script(directory, "sudo", "exit 1")
    script(directory, "npm", "exit 0")
    script(directory, "uname", "echo aarch64")
    script(directory, "dpkg-query", 'for name; do case $name in %s) echo "$name installed" ;; esac; done' % installed)
    script(directory, "apt-cache", 'case $2 in %s) echo "  Candidate: 1.0" ;; *) echo "  Candidate: (none)" ;; esac' % known)
    script(directory, "apt-get", "exit 1")
    result = execute([os.path.join(ROOT, "scripts/install-deps"), level],
                     environment=own_environment(PATH=directory + ":/usr/bin:/bin", BUILD=os.path.join(directory, "b")))
    return result.status, (result.stdout + result.stderr).decode().splitlines()


def test_the_command_to_paste_has_packages_alone():
    """No choice of packages, which would be a pipe; and without what only tests use it goes on."""
    status, lines = install_deps("check-all", installed="nothing", known="pkg-config | libtcmalloc-minimal4t64) false ;; *")
    expect_equal("status", status, 1)
    words = lines[-1].partition("--no-install-recommends")[2].split()
    expect(lines[-1].startswith("  apt-get update && apt-get install -y ") and {"gcc", "libdw-dev"} <= set(words), "it says: %s", lines[-1][:200])
    wrong = [word for word in words if not re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", word)]
    expect(not wrong, "no names of packages: %s", wrong)
    expect(bool({"pkgconf", "pkg-config"} & set(words)), "neither pkgconf nor pkg-config: %s", words)
    status, lines = install_deps("check-all", installed="pigz | valgrind) ;; *", known="*")
    expect_equal("status without packages that tests skip: %s" % lines, status, 0)
    expect(any("left out" in line and line.endswith(" pigz valgrind") for line in lines), "it says: %s", lines)


def test_a_demo_that_fails_names_its_log():
    """What make says is in it; what tells why is shown."""
    directory = scratch()
    failing = script(directory, "make", "echo '   build/a.o'; echo 'a.c:1: error: no such thing'; exit 2")
    result = execute([os.path.join(ROOT, "scripts/demo")], environment=own_environment(MAKE=failing, BUILD=directory, JOBS="2"))
    lines = result.stderr_text().splitlines()
    expect(result.status == 1 and len(lines) == 2 and "a.c:1: error" in lines[0] and directory + "/demo.log" in lines[1],
           "status %d: %s", result.status, lines)
    directory = os.path.join(directory, "a b")
    os.mkdir(directory)
    result = execute([os.path.join(ROOT, "scripts/demo")], environment=own_environment(MAKE=failing, BUILD=directory, JOBS="2"))
    expect(result.status == 1 and not result.stdout and "a blank" in result.stderr_text(), "in a directory that cannot be preloaded from: %s",
           result.stderr_text())
