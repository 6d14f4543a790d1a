# SPDX-License-Identifier: MIT
"""Commands that README, the pages of docs/ and the EXAMPLES of the man pages show, with what is pasted behind them; and running them.

A command of a page is an indented line, or a line behind `$ ` in a fence, that begins with a word of STARTERS. What follows it up to
the next command or to other text is what it is said to print."""
import os
import re
import shlex

from support import BUILD, ROOT, clean_environment, execute, need

PAGES = ["README.md"] + ["docs/%s.md" % name for name in (
    "tutorial", "install", "reading", "attach", "top", "mpi", "openmp", "servers", "shared-machine", "python", "ci", "containers", "recipes",
    "coming-from", "limits")] + [
    "docs/man/ptrace-%s.1" % name for name in ("run", "report", "diff", "export", "merge", "top", "attach")]
STARTERS = ("ptrace-run ptrace-report ptrace-diff ptrace-export ptrace-merge ptrace-top ptrace-attach make cc gcc for mpirun srun sudo "
            "docker podman kubectl export scripts/install-deps tar objcopy strip debuginfod-find mkdir echo").split()
COMMAND = re.compile(r"(?:\$ )?((?:%s)(?: .*)?)$" % "|".join(re.escape(s) for s in STARTERS), re.S)


class Command:
    """text: as it is typed; pasted: lines that the page shows as its output; status and output: of its run, if it has been run."""

    def __init__(self, page, text):
        self.page, self.text, self.pasted, self.status, self.output = page, text, [], None, None

    def __str__(self):
        return "%s: %s" % (self.page, self.text)


def read(page):
    with open(os.path.join(ROOT, page)) as file:
        return file.read()


def markdown_lines(text):
    """(is code, line), where a fence has code only behind its `$ `."""
    is_fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_fenced = not is_fenced
        elif is_fenced:
            yield line.startswith("$ "), line
        else:
            yield line.startswith("    "), line[4:] if line.startswith("    ") else line


def manual_lines(text):
    """Of the section EXAMPLES: what stands between .nf and .fi, as it is printed."""
    examples = re.search(r"^\.SH EXAMPLES\n(.*?)^\.SH", text, re.M | re.S)
    is_code = False
    for line in examples.group(1).splitlines() if examples else ():
        if line in (".nf", ".fi"):
            is_code = line == ".nf"
        elif not line.startswith("."):
            yield is_code, re.sub(r"\\f[BRI]|\\&", "", line).replace("\\-", "-").replace("\\e", "\\")


def joined(lines):
    """A loop over several lines is one command."""
    loop = []
    for is_code, line in lines:
        if loop or is_code and re.match(r"for .* do$", line):
            loop.append(line)
        if not loop:
            yield is_code, line
        elif line == "done":
            yield True, "\n".join(loop)
            loop = []


def commands(page):
    found, last = [], None
    lines = manual_lines(read(page)) if page.endswith(".1") else markdown_lines(read(page))
    for is_code, line in joined(lines):
        match = COMMAND.match(line) if is_code else None
        if match and not re.match(r"ptrace-\w+:", line):
            # what is said about a command behind it is no part of it
            last = Command(page, re.sub(r"(?<=\S) {2,}# .*", "", match.group(1)).strip())
            found.append(last)
        elif last and line.strip():
            last.pasted.append(line)
    return found


def run_all(page_commands, directory, setup=""):
    """Runs them one after the other in one shell, which has what a user's has after `make`; a terminal would show both streams."""
    script = ["exec 2>&1", setup]
    for number, command in enumerate(page_commands):
        script += ["printf '\\n@@begin %d\\n'" % number, command.text, "printf '\\n@@end %d %%d\\n' $?" % number]
    environment = clean_environment({"PATH": "%s/bin:%s" % (BUILD, os.environ["PATH"]), "HOME": directory, "CC": need("cc")})
    result = execute(["sh", "-c", "\n".join(script)], environment, directory=directory)
    text = result.stdout.decode()
    for number, command in enumerate(page_commands):
        run = re.search(r"\n@@begin %d\n(.*?)\n@@end %d (\d+)\n" % (number, number), text, re.S)
        command.output, command.status = (run.group(1), int(run.group(2))) if run else (text[-500:], None)
    return page_commands


# The shape of an output: what stays the same from run to run

def headings(lines):
    """{line that begins a section: line of its column names}; the latter is empty where a section has none."""
    found = {}
    lines = [line.strip() for line in lines if line.strip()]
    for at, line in enumerate(lines):
        if re.match(r"@ \w+: ", line):
            below = lines[at + 1] if at + 1 < len(lines) else ""
            found[line] = " ".join(below.split()) if is_header(below) else ""
    return found


def is_header(line):
    """Names of columns are several words without figures of any kind."""
    return len(line.split()) > 2 and not re.search(r"\d(?!n\b)|[█?%]|^command|^-", line)


def labels(lines, section):
    """First words of the rows of a section that has no columns."""
    found, is_in = [], False
    for line in lines:
        match = re.match(r"  ([a-z]+(?: [a-z]+)?)  +\S", line)
        if line.startswith("@ "):
            is_in = line.startswith("@ %s:" % section)
        elif is_in and match:
            found.append(match.group(1))
    return found


def last_line_shape(line):
    """Of ptrace-run's own line: figures, units and the path are left out."""
    line = re.sub(r"profile in\b.*", "profile in DIR", line)
    return re.sub(r"\d[\d.]*( (?:s|ms|us|ns)\b)?", lambda m: "N s" if m.group(1) else "N", line)


# Whether the commands have what a page writes

def words_of(text):
    """[[word]] of each call of one of our commands in a line of shell."""
    for part in re.split(r"\|\||&&|[|;()]", text):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            words = part.split()
        for at, word in enumerate(words):
            if re.fullmatch(r"(?:\S*/)?ptrace-(run|report|diff|export|merge|top|attach)", word):
                yield [os.path.basename(word)] + words[at + 1:]
                break
