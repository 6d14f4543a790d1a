# SPDX-License-Identifier: MIT
"""Recipes of packaging/: the module file is loaded, the RPM spec has all files that are installed and no others, and the Spack recipe
calls what the Makefile has. Building such packages is not tried: packaging/README.md says so."""
import ast
import fnmatch
import glob
import os
import re
import shutil
import subprocess

from installed import installed, names_below
from support import ROOT, clean_environment, expect, expect_equal, full, need, part_skipped, scratch, skip

BESIDE = True  # no case asserts a time

SPEC = os.path.join(ROOT, "packaging", "rpm", "ptrace.spec")
MODULE = os.path.join(ROOT, "packaging", "modulefiles", "ptrace")
RECIPE = os.path.join(ROOT, "packaging", "spack", "ptrace", "package.py")
# What rpm makes of the macros, where installed() puts things.
MACROS = {"bindir": "usr/bin", "libdir": "usr/lib/*", "includedir": "usr/include", "datadir": "usr/share", "mandir": "usr/share/man", "docdir": "usr/share/doc"}
# What the commands of a module file do, for a Tcl that knows none of them.
TCL = """
proc module-whatis {args} {}
proc conflict {args} {}
proc prepend-path {name value} { puts "$name=$value" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
"""


def version():
    with open(os.path.join(ROOT, "Makefile")) as file:
        return re.search(r"^VERSION +:= (\S+)", file.read(), re.M).group(1)


def placed_module():
    """(directory for MODULEPATH, the file, the prefix that it has to find)"""
    prefix = os.path.join(scratch(), "moved here")
    directory = os.path.join(prefix, "share", "modulefiles")
    os.makedirs(os.path.join(directory, "ptrace"))
    return directory, shutil.copy(MODULE, os.path.join(directory, "ptrace", version())), prefix


def test_module_file_finds_its_prefix():
    """By Tcl alone, wherever it lies; a name with a blank is one directory."""
    _, file, prefix = placed_module()
    program = os.path.join(scratch(), "load.tcl")
    with open(program, "w") as text:
        text.write(TCL)
    result = subprocess.run([need("tclsh"), program, file], capture_output=True, text=True)
    expect_equal("what it sets: %s" % result.stderr, result.stdout, "PATH=%s/bin\n" % prefix)


def module_command():
    """Environment Modules' own program: MODULES_CMD names it in shells that have modules."""
    places = [os.environ.get("MODULES_CMD", ""), "/usr/libexec/modulecmd.tcl"] + glob.glob("/usr/lib/*/modulecmd.tcl")
    return next((place for place in places if os.path.exists(place)), None) or skip("Environment Modules are not installed")


def modules(command, directory, environment):
    """What it tells a shell to do."""
    return subprocess.run([need("tclsh"), module_command(), "sh", command, "ptrace"], env=dict(environment, MODULEPATH=directory),
                          capture_output=True, text=True)


def test_module_is_loaded_and_unloaded():
    """By Environment Modules, if it is installed."""
    directory, _, prefix = placed_module()
    first = clean_environment({"PATH": "/usr/bin:/bin"})
    loaded = modules("load", directory, first)
    shell = subprocess.run(["sh", "-c", loaded.stdout + "\nenv"], env=first, capture_output=True, text=True)
    after = dict(line.split("=", 1) for line in shell.stdout.splitlines() if "=" in line)
    expect_equal("PATH; it says %s" % loaded.stderr, after["PATH"], "%s/bin:/usr/bin:/bin" % prefix)
    unloaded = modules("unload", directory, after)
    shell = subprocess.run(["sh", "-c", unloaded.stdout + '\nprintf %s "$PATH"'], env=after, capture_output=True, text=True)
    expect_equal("PATH afterwards; it says %s" % unloaded.stderr, shell.stdout, "/usr/bin:/bin")


def spec_files():
    """Patterns of %files, as paths below the root."""
    with open(SPEC) as file:
        lines = re.search(r"^%files\n(.*?)\n\n", file.read(), re.M | re.S).group(1).splitlines()
    return [re.sub(r"%\{_(\w+)\}", lambda m: MACROS[m.group(1)], line) for line in lines]


@full
def test_spec_has_the_files_that_are_installed():
    """Each file is of a line of %files, itself or by its directory; each line is of a file."""
    directory = installed()
    files = [name for name in names_below(directory) if not os.path.isdir(os.path.join(directory, name)) or os.path.islink(os.path.join(directory, name))]
    expect(len(files) > 60, "files: %d", len(files))
    patterns = spec_files()
    matches = {pattern: [f for f in files if fnmatch.fnmatch(f, pattern) or fnmatch.fnmatch(f, pattern + "/*")] for pattern in patterns}
    expect_equal("lines without a file", [pattern for pattern, found in matches.items() if not found], [])
    expect_equal("files in no line", sorted(set(files) - {f for found in matches.values() for f in found}), [])


def test_spec_is_read_by_rpm():
    """Where rpmspec is installed: the names, and no macro is left over."""
    result = subprocess.run([need("rpmspec"), "-P", SPEC], capture_output=True, text=True)
    expect_equal("status of rpmspec: %s" % result.stderr, result.returncode, 0)
    expect(re.search(r"^Version: +%s$" % re.escape(version()), result.stdout, re.M), "version: %s", result.stdout[:300])
    if "_libdir" in result.stdout:
        part_skipped("rpm has no macros of a distribution here")


def test_spack_recipe_calls_what_there_is():
    """Python reads it; targets and variables are the Makefile's; libraries are those that scripts/install-deps installs."""
    with open(RECIPE) as file:
        tree = ast.parse(file.read())
    package = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    calls = [node for node in ast.walk(package) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    words = {name: [call.args[0].value for call in calls if call.func.id == name] for name in ("version", "depends_on", "make")}
    expect_equal("version", words["version"], [version()])
    expect_equal("targets", words["make"], ["install"])
    expect("PREFIX=" in ast.unparse(package), "the prefix is not said")
    with open(os.path.join(ROOT, "scripts", "install-deps")) as file:
        needed = re.search(r"^build='(.*?)'", file.read(), re.M | re.S).group(1)
    names = {"elfutils": "libdw-dev", "binutils+libiberty": "libiberty-dev", "json-c": "libjson-c-dev", "sqlite": "libsqlite3-dev",
             "zlib-api": "zlib1g-dev", "xz": "liblzma-dev", "libpfm4": "libpfm4-dev", "ncurses": "libncurses-dev", "gmake": "make", "c": "gcc"}
    expect_equal("what it depends on", sorted(words["depends_on"]), sorted(names))
    missing = [name for name, debian in names.items() if debian not in needed.split()]
    expect_equal("what building on Debian does not need", missing, [])
