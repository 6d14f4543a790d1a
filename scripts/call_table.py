# SPDX-License-Identifier: MIT
"""What check-mpi-calls, check-gomp-calls, check-mpi-bindings, check-aliases, check-versions and check-imports have in common:
the rows of a table of calls, the installed libraries, and how mistakes are reported."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MPI = os.path.join(ROOT, "preload", "mpi")
MPI_TABLE = os.path.join(MPI, "mpi_calls.def")


def read_rows(path, prefix, pattern):
    """[(line, match of a row)], and {pattern of what is left out: line}."""
    rows, left = [], {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            out = re.match(prefix + r'_LEFT\(([\w*]+), ".+"\)$', line.rstrip())
            row = re.match(pattern, line.rstrip())
            if out:
                left[out[1]] = number
            elif row:
                rows.append((number, row))
            elif line.startswith(prefix + "_"):
                sys.exit("%s:%d: not a row: %s" % (path, number, line.rstrip()))
    return rows, left


def read_mpi_rows(path=MPI_TABLE):
    """[(name, whether it is a large-count variant, line, (arity, effect, members))], and what is left out."""
    rows, left = read_rows(path, "MPI", r"MPI_CALL(S?)\((\w+), (\d+), (\w+)(.*)\)$")
    return [(row[2] + "_c" * large, large, line, row.groups()[2:]) for line, row in rows
            for large in (False, True)[:1 + bool(row[1])]], left


def run(command, text="", errors=subprocess.STDOUT):
    """The completed command; one that does not exist counts as failed."""
    try:
        return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=errors, timeout=600,
                              universal_newlines=True, env=dict(os.environ, LC_ALL="C"))
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, "", "")


def loader_paths(library):
    """Paths at which the loader would find the library."""
    return re.findall(r"%s .*=> (\S+)" % re.escape(library), run(["/sbin/ldconfig", "-p"]).stdout)


def machine(path):
    """Class and machine of an ELF file; two files that differ do not go into one process."""
    with open(path, "rb") as file:
        header = file.read(20)
    return header[4:5], header[18:20]


def read_symbols(library):
    """[(address, kind, name, version)] of the symbols that a library exports."""
    done = run(["nm", "-D", "--defined-only", library])
    if done.returncode:
        sys.exit("%s: nm cannot read %s: %s" % (os.path.basename(sys.argv[0]), library, done.stdout.strip()))
    return re.findall(r"^(\w+) (\w) (\w[\w.]*)(?:@@?(\S+))?$", done.stdout, re.M)


class Mistakes(list):
    """Lines that begin with the place in the table."""

    def __init__(self, table):
        super().__init__()
        self.table = os.path.relpath(table)

    def add(self, line, name, text):
        self.append("%s:%d: %s: %s" % (self.table, line, name, text))

    def tell(self):
        """Prints them; the exit status."""
        print("\n".join(self) + "\n" * bool(self), end="", file=sys.stderr)
        return 1 if self else 0


def main(document, check, *defaults):
    """check(argument...): as the command line has them, otherwise as by default."""
    given = sys.argv[1:]
    if len(given) > len(defaults) or given in (["-h"], ["--help"]):
        print(document)
        sys.exit(0 if len(given) == 1 else 2)
    sys.exit(check(*given, *defaults[len(given):]))
