# SPDX-License-Identifier: MIT
"""Inputs of real programs (real_programs.py): always the same, by fixed seeds, and small."""
import os
import random

from support import short_or_long

MEGABYTE = 1 << 20
# Of every file that is made here: archives hold it.
MADE_AT = 1600000000


def write(place, name, content):
    path = os.path.join(place, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    os.utime(path, (MADE_AT, MADE_AT))
    return path


def data(place, short=4, long=24):
    """Megabytes, half of them noise, half text."""
    noise, size = random.Random(1), short_or_long(short, long) * MEGABYTE
    pieces = [noise.randbytes(2000) + b"some text that repeats itself, as text does; " * 44 for _ in range(size // 3980)]
    return write(place, "data", b"".join(pieces))


def lines(place, short=200000, long=1000000):
    """Numbers and words, one pair a line, in no order."""
    noise = random.Random(2)
    return write(place, "lines", "".join("%08d word%d\n" % (noise.randrange(10 ** 8), n % 997) for n in range(short_or_long(short, long))))


def tree(place, short=60, long=600):
    """Files of text in directories."""
    noise, root = random.Random(3), os.path.join(place, "tree")
    words = ["".join(noise.choice("abcdefgh") for _ in range(6)) for _ in range(300)]
    for number in range(short_or_long(short, long)):
        text = "\n".join(" ".join(noise.choice(words) for _ in range(9)) for _ in range(250))
        write(root, "d%d/f%d.txt" % (number % 7, number), text + "\n")
    for directory, _, _ in os.walk(root, topdown=False):
        os.utime(directory, (MADE_AT, MADE_AT))
    return root


def bases(noise, number):
    return "".join(noise.choices("ACGT", k=number))


def genome(place):
    """A reference, and reads of it with an error in each: paths of both."""
    noise = random.Random(4)
    whole = bases(noise, 100000)
    reads = []
    for number in range(short_or_long(1500, 12000)):
        at, wrong = noise.randrange(len(whole) - 150), noise.randrange(150)
        read = whole[at:at + wrong] + "A" + whole[at + wrong + 1:at + 150]
        reads.append("@r%d\n%s\n+\n%s\n" % (number, read, "I" * 150))
    return write(place, "reference.fa", ">whole\n%s\n" % whole), write(place, "reads.fq", "".join(reads))


def proteins(place, number, length=200):
    """Relatives of one another."""
    noise, letters = random.Random(5), "ACDEFGHIKLMNPQRSTVWY"
    base, found = noise.choices(letters, k=length), []
    for name in range(number):
        own = base[:]
        for at in noise.sample(range(length), length // 4):
            own[at] = noise.choice(letters)
        found.append(">p%d\n%s\n" % (name, "".join(own)))
    return write(place, "proteins.fa", "".join(found))


def picture(place):
    """A pattern with noise."""
    noise = random.Random(6)
    width = height = short_or_long(400, 1200)
    points = (((x * y + noise.randrange(40)) % 256, (x + y) % 256, (x ^ y) % 256) for y in range(height) for x in range(width))
    return write(place, "in.ppm", b"P6\n%d %d\n255\n" % (width, height) + b"".join(map(bytes, points)))


def sources(place, number=6):
    """Files of C, with one function each, and one that calls them all."""
    names = ["part%d" % n for n in range(number)]
    for n, name in enumerate(names):
        steps = "\n".join("  x = x * %d + (x >> %d);" % (3 + 2 * step + n, 1 + step % 13) for step in range(80))
        write(place, name + ".c", "unsigned %s(unsigned x)\n{\n%s\n  return x;\n}\n" % (name, steps))
    calls = "\n".join("unsigned %s(unsigned);" % name for name in names)
    sums = "\n".join("  sum += %s(sum);" % name for name in names)
    write(place, "all.c", "#include <stdio.h>\n%s\nint main(void)\n{\n  unsigned sum = 1;\n%s\n  printf(\"%%u\\n\", sum);\n  return 0;\n}\n" % (calls, sums))
    return names + ["all"]
