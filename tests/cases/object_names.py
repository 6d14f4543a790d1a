# SPDX-License-Identifier: MIT
"""Parts of static objects have their names in the source, as far as debugging information tells."""
import os
import subprocess

from support import ROOT, built, expect, expect_equal, full, need, scratch

BESIDE = True  # no case asserts a time

SOURCES = os.path.join(ROOT, "tests", "programs")
C, CXX = "static_objects.c", "static_objects_more.cc"


def compiled(source, compiler, *flags):
    program = os.path.join(scratch(), "program")
    standard = ["-std=gnu++17"] if source == CXX else []
    subprocess.run([need(compiler), "-w", *standard, *flags, "-o", program, os.path.join(SOURCES, source), "-pthread"], check=True, cwd=scratch())
    return program


def symbol(program, name):
    """(address, size)"""
    rows = [r.split() for r in subprocess.run([need("nm"), "-S", program], capture_output=True, text=True, check=True).stdout.splitlines()]
    return next((int(r[0], 16), int(r[1], 16)) for r in rows if r[-1] == name)


def address_of(program, name):
    return symbol(program, name)[0]


def symbolized(program, addresses):
    done = subprocess.run([built("symbolize_places"), program] + ["=%x" % a for a in addresses], capture_output=True, text=True, timeout=60)
    expect_equal("status of the symbolizer (%s)" % done.stderr, done.returncode, 0)
    return done.stdout.splitlines()


def parts(program):
    """[(name in the source, name that is shown)]"""
    anchor = address_of(program, "anchor")
    told = [line.split("\t") for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()]
    expect(len(told) >= 15, "the program tells of %d parts", len(told))
    return list(zip((name for name, _ in told), symbolized(program, [anchor + int(distance) for _, distance in told])))


# What a compiler writes itself in front of a routine's own variables; what it does not describe, although it lays it out.
ELSEWHERE = {"clang": {"own_table[1].lock": "tell_own.own_table[1].lock", "own_lock": "tell_own.own_lock"},
             "clang++": {"cache::shards[7].changed[1]": "cache::shards[7].changed+48"}}


def check(source, compiler, *flags):
    for name, shown in parts(compiled(source, compiler, *flags)):
        expect(shown in (name, ELSEWHERE.get(compiler, {}).get(name)), "%s %s: %s is called %s", compiler, flags, name, shown)


def test_parts_of_objects_of_c():
    """Arrays of several dimensions, structs in structs, unions, arrays without an end, objects of a routine: against the compiler's addresses."""
    for flags in (("-O2", "-g"), ("-g", "-gdwarf-4"), ("-g", "-gdwarf-2", "-gstrict-dwarf"), ("-g", "-fdebug-types-section")):
        check(C, "gcc", *flags)


@full
def test_parts_of_objects_of_cxx():
    """Classes, bases, namespaces, std::array; of std::mutex and its like nothing inside is named."""
    for flags in (("-O2", "-g"), ("-g", "-gdwarf-4"), ("-g", "-fdebug-types-section")):
        check(CXX, "g++", *flags)


def test_parts_of_objects_in_split_units():
    check(C, "gcc", "-g", "-gsplit-dwarf")
    check(CXX, "g++", "-g", "-gsplit-dwarf")


@full
def test_parts_of_objects_by_clang():
    for flags in (("-O2", "-g"), ("-g", "-gsplit-dwarf")):
        check(C, "clang", *flags)
        check(CXX, "clang++", *flags)


def test_without_debugging_information_the_distance_is_told():
    program = compiled(C, "gcc", "-O2")
    shard, size = symbol(program, "shard")
    shown = dict(parts(program))
    expect_equal("the array itself", shown["shard[0].hits"], "shard")
    first = int(shown["shard[0].lock"].replace("shard+", ""))
    expect_equal("an element", shown["shard[7].lock"], "shard+%d" % (7 * size // 16 + first))
    expect_equal("a lock alone", shown["plain_lock"], "plain_lock")
    expect_equal("a part", symbolized(program, [shard + 8]), ["shard+8"])


def test_types_that_contain_themselves_end():
    """Damaged: names of names, members, elements, bases, and unions whose ways double at each step."""
    program = compiled("type_cycles.s", "gcc")
    names = ("own_name", "two_names", "own_member", "own_element", "own_base", "wide_union")
    expect_equal("parts of nonsense", symbolized(program, [address_of(program, n) + 8 for n in names]), ["%s+8" % n for n in names])
    expect_equal("what stands beside it", symbolized(program, [address_of(program, "sound") + 8]), ["sound.second"])
