# SPDX-License-Identifier: MIT
"""Promises are kept: each option that a man page, another page or a completion promises is one that the program prints for
--print-options, the table from which it parses; with the same letter and argument, and none is kept from the pages."""
import glob
import os
import re

from document_pages import every_page
from manual import PAGES, asked, page, programs, section
from support import ROOT, expect, expect_equal

BESIDE = True  # no case asserts a time

# Options on our pages that other programs have, and whose they are.
OF_OTHERS = {
    "--cap-add": "docker", "--name": "docker", "--pids-limit": "docker", "--privileged": "docker", "--read-only": "docker", "--rm": "docker",
    "--security-opt": "docker", "--cflags": "pkg-config", "--variable": "pkg-config", "--perf-basic-prof": "node",
    "--interpreted-frames-native-stack": "node", "--io-threads": "redis-server", "--port": "redis-server", "--save": "redis-server",
    "--chrome": "uftrace", "--diff": "uftrace", "--talp-summary": "dlb_run", "--colors": "flamegraph.pl", "--countname": "flamegraph.pl",
    "--inclusive": "callgrind_annotate", "--show": "callgrind_annotate", "--only-keep-debug": "objcopy", "--strip-debug": "strip",
    "--strip-unneeded": "strip", "--decompress-debug-sections": "objcopy", "--pid": "gdb and strace", "--foreground": "the service of a recipe",
    "--value": "systemctl", "--text": "extrap",
}
# A question of shells, and no option: a program's only word.
FOR_SHELLS = "--print-options"


def printed(program):
    """{option: (letter, argument, values)}; "-" where there is none."""
    rows = [row.split("\t") for row in asked(program, FOR_SHELLS).splitlines()]
    expect(rows and all(len(row) == 5 for row in rows), "%s prints %s", program, rows)
    options = {option: (letter, argument, values.split()[1:]) for option, letter, argument, values, _ in rows}
    letters = [letter for letter, _, _ in options.values() if letter != "-"]
    expect(len(options) == len(rows) and len(set(letters)) == len(letters), "%s prints an option twice: %s", program, rows)
    return options


def promised(text):
    """The same of OPTIONS of a man page, without values: paragraphs begin with `-o, --output DIR`, or several options of one kind."""
    options = {}
    for head in re.findall(r"^\.T[PQ]\n(?:\.\w+ )?(.*)", section(text, "OPTIONS"), re.M):
        words = re.sub(r"\s+", " ", re.sub(r'\\f[A-Z]|"|\\&', "", head)).strip().replace(" ,", ",")
        several = words.split(", ")
        if len(several) > 1 and all(re.fullmatch(r"--[\w-]+", word) for word in several):
            options.update((word, ("-", "-")) for word in several)
            continue
        found = re.fullmatch(r"(?:(-\w), )?(--[\w-]+)(?:[ =]?(\S.*))?", words)
        expect(found, "a paragraph of OPTIONS begins with %r", words)
        letter, option, argument = found.groups()
        options[option] = (letter or "-", argument or "-")
    return options


def plain(argument):
    """Without what marks parts that may be left out or come again: NAME[,NAME...] is NAME,NAME."""
    return re.sub(r"[\[\]. ]", "", argument)


def differs(shown, row):
    """Whether an option of a page, (letter, argument), is not as the program prints it."""
    letter, argument, values = row
    if shown[0] != letter or (shown[1] == "-") != (argument == "-"):
        return True
    return plain(shown[1]) != plain(argument) and plain(shown[1]).split("|") != values


def test_man_pages_promise_what_programs_print():
    """In both directions: names, letters, arguments; a page that differs in one of them is found."""
    row = ("-o", "DIR", [])
    expect(not differs(("-o", "DIR"), row) and not differs(("-", "a | b"), ("-", "FORMAT", ["a", "b"])), "what is the same differs")
    for wrong in ("-", "DIR"), ("-o", "-"), ("-o", "FILE"):
        expect(differs(wrong, row), "%s is as %s", wrong, row)
    made = '.SH OPTIONS\n.TP\n.BR -o ", " --output " \\fIDIR\\fR"\nText --not.\n.TQ\n.BR --x-y ", " --z\n'
    expect_equal("options of a made page", promised(made), {"--output": ("-o", "DIR"), "--x-y": ("-", "-"), "--z": ("-", "-")})
    for program in programs():
        table, shown = printed(program), promised(page(program))
        expect_equal("options that %s has and its page does not" % program, sorted(set(table) - set(shown)), [])
        expect_equal("options that the page of %s promises" % program, sorted(set(shown) - set(table)), [])
        wrong = {option: (shown[option], table[option]) for option in table if differs(shown[option], table[option])}
        expect(not wrong, "%s: options whose letter or argument is another on the page: %s", program, wrong)


def words_with_dashes(text):
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", re.sub(r"\\f[A-Z]", "", text.replace("\\-", "-"))))


def test_every_page_promises_what_some_program_prints():
    """Wherever a page names an option, in a command or a sentence: it is ours, or a program's of OF_OTHERS."""
    ours = {option for program in programs() for option in printed(program)} | {FOR_SHELLS}
    used = set()
    for path in sorted(glob.glob(PAGES + "/*.[1-9]")) + [os.path.join(ROOT, name) for name in ["README.md"] + every_page()]:
        with open(path, encoding="utf-8") as file:
            words = words_with_dashes(file.read())
        unknown = sorted(words - ours - set(OF_OTHERS))
        expect(not unknown, "%s: no program of ours has %s", os.path.relpath(path, ROOT), unknown)
        used |= words
    expect_equal("options of others that no page has", sorted(set(OF_OTHERS) - used), [])
    expect_equal("options of ours that are named as those of others", sorted(ours & set(OF_OTHERS)), [])


def test_completions_are_of_these_programs():
    """Both shells complete them, and ask each for its table; what they offer then is compared with it in completion."""
    folder = os.path.join(ROOT, "scripts", "completion")
    with open(os.path.join(folder, "ptrace.bash")) as file:
        bash = file.read()
    with open(os.path.join(folder, "_ptrace")) as file:
        zsh = file.read()
    expect_equal("programs that bash completes", sorted(re.search(r"^complete -F _ptrace (.*)$", bash, re.M).group(1).split()), programs())
    expect_equal("programs that zsh completes", sorted(re.match(r"#compdef (.*)\n", zsh).group(1).split()), programs())
    for name, text in ("bash", bash), ("zsh", zsh):
        own = {word for program in programs() for word in printed(program)} & words_with_dashes(text)
        expect_equal("options that stand in the completion of %s" % name, sorted(own), [])
        expect(FOR_SHELLS in text, "%s does not ask the programs", name)
