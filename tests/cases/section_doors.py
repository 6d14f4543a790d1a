# SPDX-License-Identifier: MIT
"""The doors by which programs name parts of their run: ptrace.h in C and C++, the module of Fortran, Python by ctypes. In each language, by
each compiler and in each way of linking a program runs as well without the profiler, and with it each call arrives, in its order: of these
what is preloaded is a library that writes the calls down (tests/programs/section_stand_in.c). The last ones are of the profiler itself."""
import os
import re
import shutil
import sys

from support import ROOT, clean_environment, execute, expect, expect_equal, expect_near, full, need, part_skipped, run, scratch, skip

BESIDE = True  # no case asserts a time

INCLUDE = os.path.join(ROOT, "include")
PROGRAMS = os.path.join(ROOT, "tests", "programs")
MODULE = os.path.join(INCLUDE, "ptrace.f90")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
C_WARNINGS = WARNINGS + ["-Wconversion", "-Wundef", "-Wstrict-prototypes", "-Wmissing-prototypes"]
CXX_WARNINGS = WARNINGS + ["-Wconversion", "-Wundef", "-Wold-style-cast", "-Wzero-as-null-pointer-constant"]

# What the programs tell, and print with the profiler's stand-in.
C_CALLS = ["phase read", "name table 64", "begin solve", "mark step -2", "begin inner", "end -", "begin by address", "end by address",
           "end solve", "phase -", "times - 824"]
C_SAYS = "824 1 7 102\n"
CXX_CALLS = ["begin all", "begin deeper", "begin deeper", "end deeper", "end deeper", "phase caught", "times - 824", "begin returned",
             "mark step 5000000000", "end returned", "end all"]
CXX_SAYS = "told\n"
FORTRAN_CALLS = ["phase read", "name table 64"] + [
    call for step in (-1, -2) for call in ("begin solve", "mark step %d" % step, "begin padded name", "end -", "end solve")] + [
    "mark %s 5000000000" % (255 * "x"), "phase -", "times - 824"]
ALONE = "alone\n"


def compiled(compiler, flags, *sources, name="program"):
    """The path of a program or library; a compiler that is missing skips, one that complains fails."""
    directory = scratch()
    path = os.path.join(directory, name)
    result = execute([need(compiler), "-I", INCLUDE, *flags, *sources, "-o", path], directory=directory)
    expect(result.status == 0 and not result.stderr, "%s %s: status %d: %s", compiler, " ".join(flags), result.status, result.stderr_text()[:600])
    return path


def stand_in(*flags):
    return compiled("cc", ["-fPIC", "-shared", "-O1", "-Wall", *flags], os.path.join(PROGRAMS, "section_stand_in.c"), name="libstand_in.so")


def told(command, library, **variables):
    """(what it prints, the calls that arrived); library: the stand-in, None: without the profiler"""
    calls = os.path.join(scratch(), "calls")
    variables = dict(variables, SECTION_CALLS=calls)
    if library:
        variables["LD_PRELOAD"] = library
    result = execute(command, clean_environment(variables))
    expect(result.status == 0 and not result.stderr, "%s: status %d: %s", command, result.status, result.stderr_text()[:300])
    if not os.path.exists(calls):
        return result.stdout.decode(), []
    with open(calls) as file:
        return result.stdout.decode(), file.read().splitlines()


def check(what, command, library, calls, says):
    """With and without the profiler."""
    expect_equal("%s, without the profiler" % what, told(command, None), (ALONE, []))
    expect_equal("%s, under it" % what, told(command, library), (says, calls))


def has(compiler):
    if not shutil.which(compiler):
        part_skipped("%s is not installed" % compiler)
    return shutil.which(compiler) is not None


def links(compiler, flags):
    """Whether it links anything so: a linker or a static library may be missing."""
    source = os.path.join(scratch(), "empty.c")
    with open(source, "w") as file:
        file.write("int main(void) { return 0; }\n")
    works = execute([compiler, *flags, source, "-o", source + ".out"]).status == 0
    if not works:
        part_skipped("%s %s links nothing here" % (compiler, " ".join(flags)))
    return works


# C

# Where code is not position-independent a weak name would be bound to nothing when the program is linked.
MODELS = [["-O0"], ["-O2"], ["-O0", "-fno-pie", "-no-pie"], ["-O2", "-fno-pie", "-no-pie"]]
MORE_MODELS = [["-O1", "-fPIC", "-no-pie"], ["-O2", "-flto", "-fno-pie", "-no-pie"], ["-O2", "-Wl,-z,now", "-Wl,-z,defs"], ["-Os", "-fno-plt"],
               ["-O2", "-mcmodel=large", "-fno-pie", "-no-pie"], ["-O2", "-mcmodel=large"], ["-O1", "-mcmodel=medium", "-fno-pie", "-no-pie"],
               ["-O2", "-masm=intel", "-fno-pie", "-no-pie"], ["-O1", "-mcmodel=large", "-masm=intel"], ["-O1", "-fvisibility=hidden"],
               ["-O2", "-ffunction-sections", "-Wl,--gc-sections"], ["-O1", "-D__TINYC__"], ["-O1", "-finstrument-functions"], ["-O1", "-fsanitize=undefined"]]
STANDARDS = ["c89", "gnu89", "c99", "c11", "c17", "c2x"]


def check_c(compiler, flags, library):
    program = compiled(compiler, C_WARNINGS + flags, os.path.join(PROGRAMS, "section_doors.c"))
    check("%s %s" % (compiler, " ".join(flags)), [program], library, C_CALLS, C_SAYS)


def test_c():
    """gcc and clang, position-independent or not; and the standard that knows least."""
    library = stand_in()
    for compiler in filter(has, ("gcc", "clang")):
        for flags in MODELS + [["-std=c89", "-O1"]]:
            check_c(compiler, flags, library)


@full
def test_c_in_every_way():
    """Standards, models of code, link-time optimisation, linkers."""
    library = stand_in()
    for compiler in filter(has, ("gcc", "clang")):
        for flags in [["-std=" + standard] for standard in STANDARDS] + [m for m in MORE_MODELS if links(compiler, m)]:
            check_c(compiler, flags, library)
        for linker in ("bfd", "gold", "lld"):
            for flags in (["-fuse-ld=" + linker], ["-fuse-ld=" + linker, "-fno-pie", "-no-pie"], ["-fuse-ld=" + linker, "-flto", "-O2"]):
                if links(compiler, flags):
                    check_c(compiler, flags, library)


def test_static_programs_run():
    """The profiler cannot be there, and its calls are done with."""
    for compiler in filter(has, ("gcc", "clang", "musl-gcc")):
        for flags in (["-static"], ["-static", "-O2", "-fno-pie"], ["-static-pie", "-fPIE"]):
            if links(compiler, flags):
                program = compiled(compiler, WARNINGS + flags, os.path.join(PROGRAMS, "section_doors.c"))
                expect_equal("%s %s" % (compiler, flags), told([program], None), (ALONE, []))


def test_a_library_of_the_program_tells_too():
    """Loaded late, by dlopen, with names of its own."""
    source = os.path.join(scratch(), "plugin.c")
    with open(source, "w") as file:
        file.write('#include <ptrace.h>\nvoid work(void);\nvoid work(void)\n{\n\tptrace_begin("plugin");\n\tptrace_end("plugin");\n}\n')
    plugin = compiled("cc", C_WARNINGS + ["-O2", "-fPIC", "-shared", "-fvisibility=default"], source, name="plugin.so")
    script = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).work(); print('alone')"
    check("a library", [sys.executable, "-c", script, plugin], stand_in(), ["begin plugin", "end plugin"], ALONE)


def test_releases_fit_each_other():
    """One that knows fewer fields of ptrace_times leaves zeros, one that lacks a call is not missed."""
    program = compiled("cc", C_WARNINGS, os.path.join(PROGRAMS, "section_doors.c"))
    expect_equal("an older structure", told([program], stand_in(), KNOWN_BYTES="48"), ("824 1 0 0\n", C_CALLS))
    calls = [call for call in C_CALLS if not call.startswith("mark")]
    expect_equal("a release without marks", told([program], stand_in("-DWITHOUT_MARK")), (C_SAYS, calls))


def test_a_call_costs_a_test():
    """Optimised, there are between two calls a load of the address, a test and a jump, and what passes the name; no call of ours."""
    source = os.path.join(scratch(), "pair.c")
    with open(source, "w") as file:
        file.write('#include <ptrace.h>\nvoid pair(void);\nvoid pair(void)\n{\n\tptrace_begin("a");\n}\n')
    for compiler in filter(has, ("gcc", "clang")):
        path = compiled(compiler, ["-O2", "-fcf-protection=none"] if os.uname().machine == "x86_64" else ["-O2"], "-c", source, name="pair.o")
        code = execute([need("objdump"), "-d", "--no-show-raw-insn", path]).stdout.decode()
        lines = re.findall(r"^ +[0-9a-f]+:\t(\S+)(.*)$", code, re.M)
        used = [word for word, rest in lines if not word.startswith(("nop", "xchg", "cs", "data16"))]
        expect(0 < len(used) <= 12, "%s makes of a call: %s", compiler, lines)
        undefined = set(re.findall(r"^ +([Uw]) (\w+)$", execute([need("nm"), path]).stdout.decode(), re.M)) - {("U", "_GLOBAL_OFFSET_TABLE_")}
        expect_equal("%s: names that it needs" % compiler, undefined, {("w", "libptrace_begin")})


# C++

def check_cxx(compiler, flags, library):
    program = compiled(compiler, CXX_WARNINGS + flags, os.path.join(PROGRAMS, "section_doors.cc"))
    check("%s %s" % (compiler, " ".join(flags)), [program], library, CXX_CALLS, CXX_SAYS)


def test_cxx():
    """Guards end with their scope, also when an exception passes."""
    library = stand_in()
    for compiler in filter(has, ("g++", "clang++")):
        for flags in (["-std=c++11"], ["-O2", "-std=c++17", "-fno-pie", "-no-pie"], ["-DBESIDE_SYS_PTRACE"]):
            check_cxx(compiler, flags, library)


@full
def test_cxx_in_every_way():
    library = stand_in()
    for compiler in filter(has, ("g++", "clang++")):
        for flags in [["-std=c++" + year] for year in ("11", "14", "17", "20", "2b")] + [m for m in MORE_MODELS if links(compiler, m)]:
            check_cxx(compiler, flags, library)


def test_a_guard_without_a_name_is_told():
    """It would end where it begins."""
    source = os.path.join(scratch(), "lost.cc")
    with open(source, "w") as file:
        file.write('#include <ptrace.h>\nint main()\n{\n\tptrace::section("lost");\n\treturn 0;\n}\n')
    for compiler in filter(has, ("g++", "clang++")):
        result = execute([compiler, "-std=c++17", "-I", INCLUDE, "-fsyntax-only", source])
        expect("nodiscard" in result.stderr_text(), "%s says: %s", compiler, result.stderr_text())


# Fortran and Python

def test_fortran():
    library = stand_in()
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    for flags in (["-O0"], ["-O2", "-std=f2008"], ["-O2", "-std=f2018", "-fno-pie", "-no-pie"]):
        program = compiled("gfortran", warnings + flags, MODULE, os.path.join(PROGRAMS, "section_doors.f90"))
        check("gfortran %s" % " ".join(flags), [program], library, FORTRAN_CALLS, C_SAYS)
    if links("gfortran", ["-static"]):
        program = compiled("gfortran", ["-static"], MODULE, os.path.join(PROGRAMS, "section_doors.f90"))
        expect_equal("a static program", told([program], None), (ALONE, []))


def blocks(language, page="sections.md"):
    """Fenced code of a page."""
    with open(os.path.join(ROOT, "docs", page), encoding="utf-8") as file:
        return re.findall(r"^```%s\n(.*?)^```$" % re.escape(language), file.read(), re.M | re.S)


def test_python():
    """The code of docs/sections.md, by each Python that is here."""
    script = os.path.join(scratch(), "sections.py")
    with open(script, "w") as file:
        file.write("".join(blocks("python")))
    calls = ["begin solve", "mark step 0", "end solve", "begin solve", "mark step 1", "end solve"]
    pythons = {os.path.realpath(path) for path in (sys.executable, shutil.which("python3", path="/usr/bin")) if path}
    library = stand_in()
    for python in sorted(pythons):
        expect_equal("%s, without the profiler" % python, told([python, script], None), ("", []))
        expect_equal("%s, under it" % python, told([python, script], library), ("", calls))


# The profiler itself

def check_report(what, command, counts, marks):
    """The report has what the program told: how often each section and phase began, and the values of marks."""
    one = run(command[0], command[1:])
    expect_equal("status of %s: %s" % (what, one.profiled.stderr_text()[-300:]), one.profiled.status, 0)
    expect(ALONE.encode() not in one.profiled.stdout, "%s did not find the profiler", what)
    sections = one.report["sections"]
    expect_equal("sections of %s" % what, {row["section"]: row["count"] for row in sections["rows"] if row["kind"] != "outside"}, counts)
    expect_equal("marks of %s" % what, {row["name"]: (row["count"], row["min_value"], row["max_value"]) for row in sections["marks"]}, marks)


def test_each_language_under_the_profiler():
    c_counts = {"read": 1, "solve": 1, "solve/inner": 1, "solve/by address": 1}
    for compiler, flags in ("gcc", ["-O2"]), ("clang", ["-O2", "-fno-pie", "-no-pie"]):
        if has(compiler):
            check_report(compiler, [compiled(compiler, flags, os.path.join(PROGRAMS, "section_doors.c"))], c_counts, {"step": (1, -2, -2)})
    if has("g++"):
        program = compiled("g++", ["-O2", "-fno-pie", "-no-pie"], os.path.join(PROGRAMS, "section_doors.cc"))
        check_report("C++", [program], {"caught": 1, "all": 1, "all/deeper": 2, "all/returned": 1}, {"step": (1, 5000000000, 5000000000)})
    if has("gfortran"):
        program = compiled("gfortran", ["-O2"], MODULE, os.path.join(PROGRAMS, "section_doors.f90"))
        check_report("Fortran", [program], {"read": 1, "solve": 2, "solve/padded name": 2},
                     {"step": (2, -2, -1), 255 * "x": (1, 5000000000, 5000000000)})
    script = os.path.join(scratch(), "sections.py")
    with open(script, "w") as file:
        file.write("".join(blocks("python")))
    check_report("Python", [os.path.realpath(sys.executable), script], {"solve": 2}, {"step": (2, 0, 1)})


def test_times_that_a_program_reads():
    """Differences of two readings lie between those of the program's own clocks around them and within; their parts are the whole."""
    one = run(compiled("cc", ["-O2", "-I", PROGRAMS, "-pthread"], os.path.join(PROGRAMS, "section_times.c")))
    truth = one.truth
    # of the profiler's clock, and of T_i of what goes on at the instant of reading
    for what, tolerance, floor in ("cpu", 0, 1e-6), ("elapsed", 0.002, 1e-4), ("levels", 0.02, 0.001):
        least, most = truth[what + "_least"], truth[what + "_most"]
        slack = tolerance * most + floor
        expect(least - slack <= truth[what] <= most + slack, "%s is %s, the program's own between %s and %s", what, truth[what], least, most)
    expect_near("the parts of the time, less the whole", truth["parts"], 0, 0, 1e-9)
    expect(truth["slept"] >= 0.03 and truth["slept"] <= truth["elapsed"], "waits: %s", truth)
    expect(0 < truth["joined"] <= truth["elapsed"], "waits: %s", truth)
    expect_equal("bytes", truth["bytes"], 824)


# What the pages show

COMPILERS = {"c": ("cc", ["-std=c11"], ".c"), "c++": ("c++", ["-std=c++11"], ".cc"), "fortran": ("gfortran", [], ".f90")}


def test_code_of_the_pages_compiles_and_tells():
    """Each example in C, C++ and Fortran is a program: it runs with and without the profiler, and each section that begins ends."""
    library, seen = stand_in(), 0
    for language, (compiler, flags, suffix) in COMPILERS.items():
        if not has(compiler):
            continue
        for text in blocks(language) + [text for text in blocks(language, "recipes.md") if "ptrace.h" in text]:
            source = os.path.join(scratch(), "example" + suffix)
            with open(source, "w") as file:
                file.write(text)
            sources = [MODULE, source] if language == "fortran" else [source]
            program = compiled(compiler, ["-Wall", "-Wextra", "-Werror", "-O1", "-pthread", *flags], *sources)
            said, none = told([program], None)
            expect_equal("calls without the profiler", none, [])
            said_too, calls = told([program], library)
            expect(calls, "an example in %s tells nothing: %s", language, text)
            expect_equal("begins and ends of an example in %s" % language, sum(c.startswith("begin ") for c in calls),
                         sum(c.startswith("end ") for c in calls))
            seen += 1
    if not seen:
        skip("no compiler is installed")


def test_header_module_and_page_have_the_same_calls():
    """The calls of ptrace.h are those of the Fortran module, of the man page and its names, and of what make install links."""
    with open(os.path.join(INCLUDE, "ptrace.h"), encoding="utf-8") as file:
        header = file.read()
    calls = set(re.findall(r"^PTRACE_CALL_\(\w+, (\w+),", header, re.M))
    expect_equal("calls", len(calls), 6)
    with open(MODULE) as file:
        public = set(re.findall(r"\bptrace_\w+", re.search(r"^  public :: (.*)$", file.read(), re.M).group(1)))
    expect_equal("calls of the module", public, calls)
    with open(os.path.join(ROOT, "docs", "man", "ptrace.h.3"), encoding="utf-8") as file:
        page = file.read()
    named = re.search(r"^\.SH NAME\n(.*?) \\-", page, re.M).group(1).split(", ")
    expect_equal("names of the page", set(named), calls)
    expect_equal("calls in its synopsis", set(re.findall(r'^\.BI "\w+ (\w+)\(', page, re.M)), calls)
    with open(os.path.join(ROOT, "scripts", "install.mk")) as file:
        linked = re.search(r"^CALLS +:= \$\(addprefix (\w+),(.*)\)$", file.read(), re.M)
    expect_equal("names that are installed", {linked.group(1) + name for name in linked.group(2).split()}, calls)
    causes = re.findall(r"^\tPTRACE_WAIT_(\w+) =", header, re.M)
    expect(len(causes) > 20, "causes: %s", causes)
    lost = [cause for cause in causes if not re.search(r"\b%s\b" % cause, page)]
    expect(not lost, "causes that the page does not have: %s", lost)
