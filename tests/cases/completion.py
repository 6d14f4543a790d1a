# SPDX-License-Identifier: MIT
"""What bash and zsh complete: options and values of the programs' own tables, runs, and the program that ptrace-run is to run."""
import os
import pty
import select
import subprocess
import time

from support import BUILD, ROOT, clean_environment, execute, expect, expect_equal, need, scratch, skip

BESIDE = True  # no case asserts a time

FOLDER = os.path.join(ROOT, "scripts", "completion")
PACKAGE = "/usr/share/bash-completion/bash_completion"
# Completes the words that it is given and prints what is offered; bash would call the function in the same way.
COMPLETE = """
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
_ptrace "$1" "${COMP_WORDS[COMP_CWORD]}"; printf '%s\\n' "${COMPREPLY[@]}"
"""


def environment():
    return clean_environment({"PATH": "%s:/usr/bin:/bin" % os.path.join(BUILD, "bin"), "XDG_CONFIG_HOME": "/nonexistent"})


def runs_and_others():
    """A run by its name, one by what is in it, a directory and a file that are none."""
    place = scratch()
    for name in ("app.ptrace.1", "kept", "source"):
        os.mkdir(os.path.join(place, name))
    for name in ("kept/run.json", "notes.txt"):
        open(os.path.join(place, name), "w").close()
    return place


def offered(place, *words, package=False):
    """What bash offers for the last word."""
    script = ("source %s; " % PACKAGE if package else "") + "source %s/ptrace.bash; %s" % (FOLDER, COMPLETE)
    result = execute([need("bash"), "--norc", "-c", script, "bash"] + list(words), environment(), directory=place)
    return sorted(set(result.stdout.decode().split("\n")) - {""})


def table(program):
    """The rows that it prints of its options: option to (letter, argument, values)."""
    rows = execute([os.path.join(BUILD, "bin", program), "--print-options"], environment()).stdout.decode().splitlines()
    return {option: (letter, argument, values.split()[1:]) for option, letter, argument, values, _ in (row.split("\t") for row in rows)}


def test_what_is_typed_is_not_executed():
    """Pressing TAB behind a command in parentheses must not run it."""
    place = scratch()
    for typed in "$(touch done),", "overview,`touch done`,", "$(touch done)", "<(touch done),":
        for words in ["ptrace-report", "--section", typed], ["ptrace-report", "--section", "=", typed], ["ptrace-attach", typed], \
                ["ptrace-report", typed], ["ptrace-run", typed], ["ptrace-run", "-o", typed], [typed, "-"]:
            offered(place, *words)
            expect(not os.path.exists(os.path.join(place, "done")), "%s was executed", words)


def test_options_are_those_of_the_table():
    """All of them, with their letters; of those that begin so, these."""
    place = scratch()
    for program in sorted(os.listdir(os.path.join(BUILD, "bin"))):
        if not program.startswith("ptrace-"):
            continue
        rows = table(program)
        expect("--help" in rows and rows["--help"][0] == "-h", "the table of %s is %s", program, rows)
        every = sorted(list(rows) + [letter for letter, _, _ in rows.values() if letter != "-"])
        expect_equal("options of %s" % program, offered(place, program, "-"), every)
        expect_equal("options of %s from --he" % program, offered(place, program, "--he"), ["--help"])


def test_values_are_those_of_the_table():
    """With a blank or = before them, after other options, and several with commas, each once."""
    place = scratch()
    formats = table("ptrace-report")["--format"][2]
    expect("json" in formats and "html" in formats, "formats: %s", formats)
    for words in (["--format", ""], ["--format", "="], ["--format", "=", ""], ["run", "--top", "3", "--format", ""]):
        expect_equal("after %s" % words, offered(place, "ptrace-report", *words), sorted(formats))
    expect_equal("--by p", offered(place, "ptrace-report", "--by", "p"), ["process"])
    expect_equal("the second section", offered(place, "ptrace-report", "--section", "overview,thr"), ["overview,threads"])
    expect("threads,threads" not in offered(place, "ptrace-report", "--section", "threads,"), "a section is offered twice")
    expect_equal("a preset", offered(place, "ptrace-run", "-e", "cac"), ["cache"])
    expect_equal("a number", offered(place, "ptrace-report", "--top", ""), [])


def test_runs_and_files_are_offered_where_they_belong():
    """Runs as operands, all directories where one is to be written, files for a report."""
    place = runs_and_others()
    expect_equal("runs", offered(place, "ptrace-report", ""), ["app.ptrace.1", "kept"])
    expect_equal("no run of this name", offered(place, "ptrace-diff", "kept", "so"), ["source"])
    expect_equal("directories", offered(place, "ptrace-run", "-qo", ""), ["app.ptrace.1", "kept", "source"])
    expect_equal("files", offered(place, "ptrace-report", "-o", "no"), ["notes.txt"])


def test_programs_are_offered_behind_options():
    """ptrace-run completes a command, ptrace-attach a process; options of the command are its own."""
    place = runs_and_others()
    for words in (["-s", "50", "ptrace-mer"], ["--output", "=", "x", "--", "ptrace-mer"], ["-r", "ptrace-mer"]):
        expect_equal("after %s" % words, offered(place, "ptrace-run", *words), ["ptrace-merge"])
    expect_equal("an argument of the program", offered(place, "ptrace-run", "cat", "no"), ["notes.txt"])
    expect_equal("an option of the program", offered(place, "ptrace-run", "cat", "--out"), [])
    expect(str(os.getpid()) in offered(place, "ptrace-attach", str(os.getpid())[0]), "this process is not offered")


def test_bash_completion_knows_the_program():
    """With the package, a program's arguments are completed in its own way."""
    if not os.path.exists(PACKAGE):
        skip("the package bash-completion is not installed")
    place = scratch()
    expect("--format" in offered(place, "ptrace-run", "-s", "5", "ptrace-report", "--for", package=True), "--format is not offered")


def test_shells_that_read_the_file_stay_as_they_were():
    """It sets no option of the shell and no variable."""
    state = "{ shopt -p; set -o; compgen -v; } | grep -vx before"
    script = 'before=$(%s); source %s/ptrace.bash; diff <(echo "$before") <(%s)' % (state, FOLDER, state)
    expect_equal("what changed", execute([need("bash"), "--norc", "-c", script], environment()).stdout.decode(), "")


# zsh completes on a terminal only

SETUP = "PS1= PROMPT_EOL_MARK=; LISTMAX=1000; setopt nobeep; fpath=(%s $fpath); autoload -Uz compinit; compinit -u -D; " \
        "print READY$((1+1))\n"


class Terminal:
    """zsh, interactive, without anything that the user set."""

    def __init__(self, place):
        self.master, terminal = pty.openpty()
        self.shell = subprocess.Popen([need("zsh"), "-f", "-i"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=place,
                                      env=dict(environment(), TERM="dumb"), start_new_session=True)
        os.close(terminal)
        os.write(self.master, (SETUP % FOLDER).encode())
        self.read("READY2")

    def read(self, wanted, seconds=20):
        """What is printed until it has the text, or nothing comes any more."""
        text, end = "", time.monotonic() + seconds
        while wanted not in text and time.monotonic() < end:
            if select.select([self.master], [], [], 0.2)[0]:
                text += os.read(self.master, 65536).decode(errors="replace")
        return text

    def completes(self, typed, wanted):
        """Whether TAB makes the text appear; the line is erased again."""
        os.write(self.master, typed.encode() + b"\t")
        shown = self.read(wanted)
        os.write(self.master, b"\x15print ERASED$((1+1))\n")
        self.read("ERASED2")
        expect(wanted in shown, "zsh shows %r for %r and TAB, expected %r", shown, typed, wanted)

    def close(self):
        self.shell.kill()
        self.shell.wait()
        os.close(self.master)


def test_zsh():
    """Options with their texts, values, runs, and what ptrace-run is to run."""
    terminal = Terminal(runs_and_others())
    try:
        terminal.completes("ptrace-report --forma", "--format")
        terminal.completes("ptrace-run --", "print the report on standard error")
        terminal.completes("ptrace-report --format ", "diagnostics")
        terminal.completes("ptrace-report --section overview,thr", "overview,threads")
        terminal.completes("ptrace-report a", "app.ptrace.1")
        terminal.completes("ptrace-run -s 50 ptrace-mer", "ptrace-merge")
        terminal.completes("ptrace-run ptrace-report --by pro", "process")
    finally:
        terminal.close()
