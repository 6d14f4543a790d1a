# SPDX-License-Identifier: MIT
"""What make install puts where, that it works there and wherever it is moved to, and that make uninstall leaves nothing; flags of
the link; make dist. The Debian package is tests/check-package's."""
import hashlib
import os
import re
import shutil
import subprocess
import tarfile

import support
from support import BUILD, ROOT, built, clean_environment, execute, expect, expect_equal, full, need, report_json, scratch, skip

BESIDE = True  # no case asserts a time

TRIPLET = "%s-linux-gnu" % os.uname().machine
# As a distribution asks for it.
PLACES = {"PREFIX": "/usr", "LIBDIR": "/usr/lib/%s/ptrace" % TRIPLET, "MANDIR": "/usr/share/man"}


def make(target, **variables):
    words = ["make", "-C", ROOT, target, "BUILD=%s" % BUILD] + ["%s=%s" % pair for pair in variables.items()]
    result = execute(words, clean_environment({"MAKEFLAGS": ""}))
    expect_equal("status of make %s, which says %r" % (target, result.stderr_text()[-400:]), result.status, 0)


def installed():
    """A directory with everything below it."""
    if support.NATIVE_ONLY:
        skip("native only")
    directory = scratch()
    make("install", DESTDIR=directory, INSTALLED=os.path.join(scratch(), "linked"), **PLACES)
    return directory


def names_below(directory):
    found = []
    for folder, folders, files in os.walk(directory):
        found += [os.path.relpath(os.path.join(folder, name), directory) for name in files + folders]
    return found


def profiled_threads(program, place):
    """How many threads a run of `true` had, by the installed programs."""
    run = os.path.join(place, "run")
    result = execute([os.path.join(program, "ptrace-run"), "-q", "-o", run, "/bin/true"], clean_environment())
    expect_equal("ptrace-run's status; it says %r" % result.stderr, (result.status, result.stderr), (0, b""))
    shutil.rmtree(os.path.join(place, "kept"), ignore_errors=True)
    os.rename(run, os.path.join(place, "kept"))
    return report_json(os.path.join(place, "kept"))["run"]["threads"]


def pass_by_musl(program):
    """A program of musl that a shell starts: without a message, and as without the profiler."""
    place = scratch()
    result = execute([os.path.join(program, "ptrace-run"), "-q", "-o", "run", "/bin/sh", "-c", '"$0"; true', built("harm_musl_hello")],
                     clean_environment(), directory=place)
    expect_equal("ptrace-run's status; it says %r" % result.stderr, (result.status, result.stderr), (0, b""))


@full
def test_install_and_uninstall():
    """In a distribution's places, moved as a whole, and away again with all directories that are ours alone."""
    directory = installed()
    programs, library = os.path.join(directory, "usr/bin"), os.path.join(directory, PLACES["LIBDIR"][1:], "libptrace.so")
    expect(os.path.isfile(library), "there is no %s", library)
    expect_equal("threads", profiled_threads(programs, scratch()), 1)
    moved = os.path.join(scratch(), "elsewhere")
    os.rename(directory, moved)
    expect_equal("threads, moved", profiled_threads(os.path.join(moved, "usr/bin"), scratch()), 1)
    for link in (n for n in names_below(moved) if os.path.islink(os.path.join(moved, n))):
        expect(os.path.exists(os.path.join(moved, link)) and not os.readlink(os.path.join(moved, link)).startswith("/"),
               "the link %s leads to %s", link, os.readlink(os.path.join(moved, link)))
    make("uninstall", DESTDIR=moved, **PLACES)
    left = [name for name in names_below(moved) if "ptrace" in name or not os.path.isdir(os.path.join(moved, name))]
    expect_equal("what uninstall leaves", left, [])


@full
def test_uninstall_removes_nothing_else():
    """A directory for documents that is shared with others, and names that the shell would take for several."""
    if support.NATIVE_ONLY:
        skip("native only")
    directory = scratch()
    documents = os.path.join(directory, "usr/share/doc")
    make("install", DESTDIR=directory, INSTALLED=os.path.join(scratch(), "linked"), **PLACES, DOCDIR="/usr/share/doc")
    with open(os.path.join(documents, "docs", "other"), "w"):
        pass
    make("uninstall", DESTDIR=directory, **PLACES, DOCDIR="/usr/share/doc")
    expect_equal("documents", names_below(documents), ["docs", "docs/other"])
    for target, name in ("install", "DOCDIR='/doc'"), ("uninstall", "DESTDIR=%s and more" % documents), ("uninstall", "DESTDIR=%s " % documents):
        result = execute(["make", "-C", ROOT, "-n", target, "BUILD=%s" % BUILD, name], clean_environment({"MAKEFLAGS": ""}))
        expect_equal("status", result.status, 2)
        expect("without blanks" in result.stderr_text(), "it says %r", result.stderr_text())
    expect_equal("documents", names_below(documents), ["docs", "docs/other"])


@full
def test_installed_library_is_passed_by_musl():
    """The links for $LIB are beside the installed library, too."""
    built("harm_musl_hello")
    pass_by_musl(os.path.join(installed(), "usr/bin"))


@full
def test_installed_files():
    """Pages, documents with what they show, the examples, completion for each program; links in documents lead somewhere."""
    directory = installed()
    programs = sorted(os.listdir(os.path.join(directory, "usr/bin")))
    expect_equal("programs", programs, sorted(n for n in os.listdir(os.path.join(BUILD, "bin")) if n.startswith("ptrace-")))
    for program in programs:
        for path in ("usr/share/man/man1/%s.1" % program, "usr/share/bash-completion/completions/%s" % program):
            expect(os.path.exists(os.path.join(directory, path)), "there is no %s", path)
    with open(os.path.join(directory, "usr/share/zsh/site-functions/_ptrace")) as file:
        expect_equal("programs that zsh completes", sorted(file.readline().split()[1:]), programs)
    documents = os.path.join(directory, "usr/share/doc/ptrace")
    expect(os.path.exists(os.path.join(documents, "examples", "words.c")), "there is no example")
    for path in [n for n in names_below(documents) if n.endswith(".md") and os.path.basename(n) != "CHANGELOG.md"]:
        with open(os.path.join(documents, path)) as file:
            for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", file.read()):
                expect(os.path.exists(os.path.join(documents, os.path.dirname(path), link)), "%s has a link to %s", path, link)


@full
def test_programs_are_compiled_against_what_is_installed():
    """pkg-config finds header and module, also when all of it was moved; each call has a page."""
    moved = os.path.join(scratch(), "elsewhere")
    os.rename(installed(), moved)
    environment = clean_environment({"PKG_CONFIG_PATH": os.path.join(moved, "usr/share/pkgconfig")})

    def asked(*words):
        result = execute([need("pkg-config"), *words, "ptrace"], environment)
        expect_equal("status of pkg-config %s: %s" % (words, result.stderr_text()), result.status, 0)
        return result.stdout.decode().strip()

    expect_equal("version", asked("--modversion"), version_of_make())
    expect_equal("libraries", asked("--libs-only-l"), "")
    expect(os.path.isfile(asked("--variable=fortran_source")), "there is no %s", asked("--variable=fortran_source"))
    program = os.path.join(scratch(), "program")
    source = b'#include <ptrace.h>\nint main(void) { ptrace_begin("a"); ptrace_end("a"); return 0; }'
    subprocess.run([need("cc"), "-Wall", "-Werror", *asked("--cflags").split(), "-x", "c", "-", "-o", program], input=source, check=True)
    expect_equal("status of the program", execute([program]).status, 0)
    pages = os.path.join(moved, "usr/share/man/man3")
    for call in "begin", "end", "phase", "mark", "name", "times":
        with open(os.path.join(pages, "ptrace_%s.3" % call)) as page:
            expect("ptrace_%s" % call in page.read(), "the page of ptrace_%s has no such name", call)


def link_flags(path):
    return subprocess.run([need("readelf"), "-dlW", path], capture_output=True, text=True).stdout


def test_everything_is_bound_at_start():
    """Programs can lie anywhere in memory, and what the dynamic linker wrote is read-only before they begin; the library as well."""
    for program in [os.path.join(BUILD, "bin", name) for name in os.listdir(os.path.join(BUILD, "bin")) if name.startswith("ptrace-")]:
        flags = link_flags(program)
        expect("GNU_RELRO" in flags and re.search(r"FLAGS_1.*\bNOW\b", flags), "%s is bound lazily: %s", program, flags)
        expect(re.search(r"FLAGS_1.*\bPIE\b", flags), "%s is not position-independent", program)
    flags = link_flags(support.LIBRARY)
    expect("GNU_RELRO" in flags and re.search(r"FLAGS_1.*\bNOW\b", flags), "the library is bound lazily: %s", flags)
    lazily = os.path.join(scratch(), "lazily")
    subprocess.run([need("cc"), "-Wl,-z,lazy", "-Wl,-z,norelro", "-x", "c", "-", "-o", lazily], input=b"int main(void){return 0;}",
                   check=True)
    expect(not re.search(r"GNU_RELRO|FLAGS_1.*\bNOW\b", link_flags(lazily)), "a program that is bound lazily looks like the others")


def test_flags_of_a_distribution_count():
    """CPPFLAGS and CFLAGS in each compilation, CFLAGS and LDFLAGS in each link, of all that make install installs."""
    flags = ["CC=cc", "CPPFLAGS=-DOF_CPP", "CFLAGS=-O2 -DOF_C", "LDFLAGS=-Wl,-zOF_LD"]
    words = ["make", "-n", "V=1", "-C", ROOT, "BUILD=%s" % os.path.join(scratch(), "new"), "PREFIX=/usr", "install"] + flags
    lines = execute(words, clean_environment({"MAKEFLAGS": ""})).stdout.decode().splitlines()
    compiled = [line for line in lines if " -c " in line and line.endswith(".o")]
    linked = [line for line in lines if line.startswith("cc ") and " -c " not in line]
    expect(len(compiled) > 400, "compilations: %d", len(compiled))
    made = sorted({os.path.basename(line.split(" -o ")[1]) for line in linked})
    every = ["libptrace.so"] + [name for name in os.listdir(os.path.join(BUILD, "bin")) if name.startswith("ptrace-")]
    expect_equal("programs and libraries", made, sorted(every))
    for line in compiled:
        expect("-DOF_CPP" in line and "-DOF_C " in line, "flags are missing: %s", line)
    for line in linked:
        expect("-DOF_C " in line and "-Wl,-zOF_LD" in line, "flags are missing: %s", line)


@full
def test_dist_is_the_same_twice():
    """The bytes do not depend on when it is made, by whom, and with which mask."""
    asked = execute([need("git"), "-C", ROOT, "rev-parse", "HEAD"])
    if asked.status != 0:
        skip("git gives nothing of this directory: %s" % asked.stderr_text()[:100])
    sums = set()
    for mask in (0o22, 0o77):
        file, before = os.path.join(scratch(), "source.tar.gz"), os.umask(mask)
        try:
            make("dist", DIST=file)
        finally:
            os.umask(before)
        with open(file, "rb") as archive:
            sums.add(hashlib.sha256(archive.read()).hexdigest())
    expect_equal("different files", len(sums), 1)
    with tarfile.open(file) as archive:
        members = archive.getmembers()
    expect(len(members) > 1000, "files: %d", len(members))
    expect_equal("owners and times", len({(m.uid, m.gid, m.mtime) for m in members}), 1)
    expect_equal("the directory in it", {m.name.split("/")[0] for m in members}, {"ptrace-%s" % version_of_make()})


def version_of_make():
    with open(os.path.join(ROOT, "Makefile")) as file:
        return re.search(r"^VERSION +:= (\S+)", file.read(), re.M).group(1)


def test_package_has_the_version():
    """Of the Makefile, of which manual pages and programs have theirs (manual)."""
    with open(os.path.join(ROOT, "debian", "changelog")) as file:
        expect_equal("the first line of debian/changelog", file.readline().split()[:2], ["ptrace", "(%s)" % version_of_make()])
