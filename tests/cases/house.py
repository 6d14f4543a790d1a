# SPDX-License-Identifier: MIT
"""The structure of the source tree: scripts/check-layers finds violations of the order of rooms, docs/dev/where-is.md names what exists,
and a number with its unit is made into text in one place."""
import os
import re
import subprocess

from support import BUILD, ROOT, expect, expect_equal, scratch

BESIDE = True  # no case asserts a time


def build(files):
    """A tree with these files, and a README in each room."""
    root = scratch()
    with open(os.path.join(ROOT, "scripts", "check-layers")) as file:
        lists = re.search(r"^ROOMS = \{(.*?)^\}", file.read(), re.M | re.S).group(1)
    for house, rooms in re.findall(r'"(common|include|preload|analyze)": """(.*?)"""', lists, re.S):
        for room in rooms.split():
            os.makedirs(os.path.join(root, house, room), exist_ok=True)
            open(os.path.join(root, house, room, "README"), "w").close()
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w") as file:
            file.write(text)
    return root


def complaints(files):
    result = subprocess.run([os.path.join(ROOT, "scripts", "check-layers"), build(files)], capture_output=True, text=True)
    expect_equal("status with %r" % result.stdout, result.returncode, 1 if result.stdout else 0)
    return result.stdout.splitlines()


def refused(files, *words):
    lines = complaints(files)
    expect(len(lines) == 1 and all(word in lines[0] for word in words), "of %s it says %r, expected %s", sorted(files), lines, words)


def include(*headers):
    return "".join('#include "%s"\n' % header for header in headers)


def test_rooms_include_what_stands_above_them():
    """An include in the other direction is refused, by file and line."""
    low, high = "preload/base/low.h", "preload/waits/high.c"
    expect_equal("what is said of an include upwards", complaints({low: "", high: include(low)}), [])
    refused({"preload/base/low.c": "\n" + include("preload/waits/high.h"), "preload/waits/high.h": ""}, "preload/base/low.c:2:", "waits")
    refused({"analyze/model/time/a.c": include("analyze/model/run/b.h"), "analyze/model/run/b.h": ""}, "a.c:1:", "model/run")


def test_houses_share_the_file_format_and_the_launchers_alone():
    """The analyzer may include three headers and the schema of the preloaded library's file format, and the table of launchers."""
    main = "analyze/read/profile.c"
    expect_equal("what is said of the schema", complaints({main: include("preload/file/schema.h"), "preload/file/schema.h": ""}), [])
    launchers = "preload/process/launchers.def"
    expect_equal("what is said of the launchers", complaints({main: include(launchers), launchers: ""}), [])
    refused({main: include("preload/process/job.h"), "preload/process/job.h": ""}, "profile.c:1:", "launchers")
    refused({main: include("preload/file/store.h"), "preload/file/store.h": ""}, "profile.c:1:", "file format")
    refused({"preload/base/a.c": include("analyze/base/b.h"), "analyze/base/b.h": ""}, "a.c:1:")


def test_the_header_of_programs_is_the_librarys_alone():
    """What users' programs include: the preloaded library defines it; it includes no house itself."""
    header = "include/ptrace.h"
    expect_equal("what is said of the library", complaints({header: "", "preload/wrap/a.c": include(header)}), [])
    refused({header: "", "analyze/read/a.c": include(header)}, "a.c:1:")
    refused({header: include("preload/base/a.h"), "preload/base/a.h": ""}, "ptrace.h:1:")


def test_every_house_may_include_what_is_common():
    """The preloaded library only what needs nothing linked into it; what is common includes no house."""
    header, source = "common/a.h", "common/a.c"
    users = {"preload/base/b.c": include(header), "analyze/read/b.c": include(header), "scripts/run/b.c": include(header)}
    expect_equal("what is said of a header alone", complaints({header: "", **users}), [])
    refused({header: "", source: include(header), **users}, "preload/base/b.c:1:", "headers alone")
    refused({source: include("analyze/base/b.h"), "analyze/base/b.h": ""}, "common/a.c:1:", "no other house")


def test_modules_do_not_need_each_other():
    """A cycle within a room is named; includes between a module and its own parts are none."""
    a, b = "analyze/print/a", "analyze/print/b"
    refused({a + ".h": "", a + ".c": include(b + ".h"), b + ".h": include(a + ".h")}, a, b, "need each other")
    parts = {a + ".c": include(a + ".h", a + "_parts.h"), a + ".h": "", a + "_parts.h": include(a + ".h")}
    expect_equal("what is said of private headers", complaints(parts), [])


def test_nothing_stands_outside_of_rooms():
    """Nor is there a room without a README, nor an include of a file that does not exist."""
    root = {"analyze/lost.c": include("analyze/base/a.h"), "analyze/base/a.h": ""}
    refused(root, "analyze/lost.c:1:", "no room")
    refused({"analyze/base/a.c": include("analyze/base/gone.h")}, "a.c:1:", "there is no")


def test_where_is_names_what_is_there():
    """Each file of docs/dev/where-is.md exists and has the name in it that is to be looked for."""
    with open(os.path.join(ROOT, "docs", "dev", "where-is.md")) as file:
        rows = re.findall(r"^\| (.+?) \| (\S+) \| `(.+?)` \|$", file.read(), re.M)
    expect(len(rows) >= 30, "questions: %d", len(rows))
    for question, path, name in rows:
        expect(os.path.isfile(os.path.join(ROOT, path)), "%s: there is no %s", question, path)
        with open(os.path.join(ROOT, path)) as file:
            expect(name in file.read(), "%s: %s has no %s", question, path, name)


# A conversion of a measured number that a unit follows, in a text of C: "%.3g s", "%.0f %%"; parts of a text may stand in several lines.
NUMBER_WITH_UNIT = re.compile(r'%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[feg](?:"\s*")?(?: (?:"\s*")?(?:s|ms|us|ns|[KMG]iB|million)\b| ?%%)')
# Where numbers are made; laws that are broken, whose figures differ in their last digits; a change, which has a sign; the user's own
# threshold, as it was given.
NUMBERS_OF_THEIR_OWN = ("analyze/base/quantity.c", "analyze/model/run/conservation.c", "analyze/diff/words.c", "analyze/diff/diff_text.c")


def sources_that_tell():
    for folder, _, names in os.walk(os.path.join(ROOT, "analyze")):
        for name in sorted(n for n in names if n.endswith((".c", ".def"))):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if path not in NUMBERS_OF_THEIR_OWN:
                yield path


def test_numbers_with_units_read_alike():
    """Times, shares, sizes and rates are made by analyze/base/quantity, so that one quantity has one style on a page."""
    expect(NUMBER_WITH_UNIT.search('print("%.3g "\n\t"s asleep")') and NUMBER_WITH_UNIT.search('"%.0f %%"'), "the pattern finds nothing")
    found = []
    for path in sources_that_tell():
        with open(os.path.join(ROOT, path)) as file:
            text = file.read()
        found += ["%s:%d: %r" % (path, text.count("\n", 0, m.start()) + 1, m.group()) for m in NUMBER_WITH_UNIT.finditer(text)]
    expect(not found, "numbers that quantity does not make: %s", "; ".join(found))


def circles(objects, *tree):
    result = subprocess.run([os.path.join(ROOT, "scripts", "check-layers"), "--objects", objects, *tree], capture_output=True, text=True)
    expect_equal("status with %r" % result.stdout, result.returncode, 1 if result.stdout else 0)
    return result.stdout.splitlines()


def test_no_two_files_need_each_others_definitions():
    """What headers do not show: a file may declare, or share with others a header that declares, what another one defines."""
    expect_equal("circles", circles(BUILD), [])
    one, other = "analyze/read/one.c", "analyze/read/other.c"
    for back, told in (("", []), ("int one(void);\n", ["modules need each other: %s -> %s -> %s" % (one, other, one)])):
        tree = build({one: "int other(void);\nint one(void) { return other(); }\n",
                      other: back + "int other(void) { return %s; }\n" % ("one()" if back else "0")})
        for file in one, other:
            path = os.path.join(tree, "built", file[:-1] + "o")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            subprocess.run(["cc", "-c", os.path.join(tree, file), "-o", path], check=True)
        expect_equal("what is said with %r" % back, circles(os.path.join(tree, "built"), tree), told)
    expect_equal("without objects", len(circles(scratch())), 1)


def words_of_the_house():
    """(names of files, with and without what follows the point; words of all sources)"""
    files, words = set(), set()
    for house in "common", "include", "preload", "analyze", "scripts":
        for folder, _, names in os.walk(os.path.join(ROOT, house)):
            for name in names:
                files |= {name, name.rpartition(".")[0]}
                if name.endswith((".c", ".h", ".S", ".def")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        words |= set(re.findall(r"\w+", file.read()))
    return files, words


def test_readmes_of_rooms_name_what_exists():
    """Each file that is named, and each word that is none of the language."""
    files, words = words_of_the_house()
    for house in "common", "include", "preload", "analyze", "scripts":
        for folder, _, names in os.walk(os.path.join(ROOT, house)):
            if "README" not in names:
                continue
            with open(os.path.join(folder, "README"), encoding="utf-8") as file:
                text = file.read()
            named = set(re.findall(r"\b[a-z]\w*\.(?:c|h|def|S)\b", text)) - {"mpi.h"}  # which is MPI's
            named = {name for name in named if "NAME" not in name}
            gone = sorted(named - files)
            gone += sorted(set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", text)) - files - words)
            expect(not gone, "%s/README names what is not there: %s", os.path.relpath(folder, ROOT), gone)
