# SPDX-License-Identifier: MIT
"""The two levels of checking: what `make check` runs, and what it needs."""
import os
import re

from support import ROOT, clean_environment, execute, expect, expect_equal, full, need, scratch, skip

BESIDE = True  # no case asserts a time
MOST_PACKAGES = 60


def listed(*options):
    """{file: names of its cases}"""
    result = execute([os.path.join(ROOT, "tests", "run"), "--list"] + list(options))
    expect_equal("status of tests/run --list; stderr: %s" % result.stderr_text()[-300:], result.status, 0)
    files = {}
    for line in result.stdout.decode().splitlines():
        file, name = line.split()[:2]
        files.setdefault(file, set()).add(name)
    return files


def test_each_file_has_a_case_in_make_check():
    """Or says why not (FULL). Both levels together are all cases, and none is in both."""
    every, quick, rest = listed(), listed("--quick"), listed("--rest")
    for file, names in every.items():
        expect_equal("cases of %s in both levels" % file, quick.get(file, set()) & rest.get(file, set()), set())
        expect_equal("cases of %s" % file, quick.get(file, set()) | rest.get(file, set()), names)
    unexplained = [file for file in sorted(set(every) - set(quick)) if not reason_of(file)]
    expect(not unexplained, "without a case in `make check`, and no FULL = REASON: %s", unexplained)


def reason_of(file):
    with open(os.path.join(ROOT, "tests", "cases", file + ".py")) as text:
        match = re.search(r'^FULL = "(.{10,})"$', text.read(), re.M)
    return match and match.group(1)


def names_of(level):
    """Names of the level's packages; of a choice a|b the last one, which is that of newer releases."""
    result = execute([os.path.join(ROOT, "scripts", "install-deps"), "--names", level])
    expect_equal("status of install-deps --names", result.status, 0)
    return [choice.split("|")[-1] for choice in result.stdout.decode().split()]


def installed_with(packages):
    """What apt would install on a machine that has nothing, to have these."""
    nothing = os.path.join(scratch(), "status")
    open(nothing, "w").close()
    result = execute([need("apt-get"), "-s", "-o", "Debug::NoLocking=1", "-o", "Dir::State::status=" + nothing, "-o", "Dir::Cache::pkgcache=",
                      "-o", "Dir::Cache::srcpkgcache=", "--no-install-recommends", "install"] + packages, clean_environment({"LC_ALL": "C"}))
    if result.status:
        skip("apt knows no packages here: %s" % result.stderr_text().strip().splitlines()[-1:])
    return set(re.findall(r"^Inst (\S+)", result.stdout.decode(), re.M))


@full
def test_make_check_needs_few_packages():
    """On a minimal system with a compiler and make: a newcomer sees what comes, and it is not much."""
    minimal = ["?priority(required)", "apt", "gcc", "libc6-dev", "make"]
    brought = installed_with(minimal + names_of("check")) - installed_with(minimal)
    expect(len(brought) <= MOST_PACKAGES, "make check brings %d packages, %d at the most: %s", len(brought), MOST_PACKAGES, sorted(brought))
