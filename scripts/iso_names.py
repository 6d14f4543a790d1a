# SPDX-License-Identifier: MIT
"""Which names with external linkage ISO C leaves to programs: check-imports, and the cases that define them."""
import re

# C17 7.1.3 and 7.31: names that begin with an underscore are the implementation's; str, mem and wcs, is and to with a small letter behind
# them are kept for later, and so are thrd_, mtx_, cnd_, tss_ and atomic_ with one.
RESERVED = re.compile(r"_|(str|mem|wcs|is|to|thrd_|mtx_|cnd_|tss_|atomic_)[a-z]")

# Those of its library that libptrace.so defines or uses.
LIBRARY = set("""call_once clearerr errno exit fclose fflush fgetc fgets fopen fprintf fputc fputs fread freopen fwrite getc getchar
    longjmp printf putc putchar puts quick_exit setvbuf signal system stderr stdin stdout vfprintf vprintf""".split())


def is_left_to_programs(name):
    return not RESERVED.match(name) and name not in LIBRARY
