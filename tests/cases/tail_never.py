# SPDX-License-Identifier: MIT
"""No routine is put into a call path that did not run: where tail calls may have gone two ways, and debugging information or the
objects of the profile show one of them only. In each program `never_runs` is the other way, and no output may have it."""
import os

from support import RUN, clean_environment, execute, expect, expect_equal, need, report_json, report_text, scratch

BESIDE = True  # no case asserts a time

HEAD = """
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#define NI __attribute__((noinline))
extern pthread_mutex_t lock;
"""
# A holder releases the lock by hog(x), x is 0, while main waits.
MAIN = """
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void hog(int x);
static void nap(long ns) { struct timespec t = {0, ns}; nanosleep(&t, 0); }
static volatile int zero;
NI void *hold(void *unused)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&lock);
		nap(5000000);
		hog(zero);
		nap(1000000);
	}
	return unused;
}
int main(void)
{
	pthread_t holder;
	pthread_create(&holder, 0, hold, 0);
	for (int i = 0; i < 20; i++) {
		nap(1000000);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	pthread_join(holder, 0);
	return 0;
}
"""
BARRIER = 'asm volatile("");'
UNLOCK = "pthread_mutex_unlock(&lock);"

POINTER_FIRST = """
NI void last(int x) { %s %s }
void (*volatile table[2])(int) = {last, last};
NI void never_runs(int x) { %s last(x + 1); }
NI void hog(int x) { %s if (x) never_runs(x); else table[1](x); }
NI void hog_the_other_way(int x) { %s if (!x) table[1](x); else never_runs(x); }
""" % (BARRIER, UNLOCK, BARRIER, BARRIER, BARRIER)
WEAK_HERE = "__attribute__((weak)) void hook(void) { %s %s } /* never_runs */\n" % (BARRIER, UNLOCK) + "NI void hog(int x) { %s hook(); }\n" % BARRIER
STRONG = "static NI void other(void) { %s }\nvoid hook(void) { other(); %s }\n" % (BARRIER, UNLOCK)
HELPER = "NI void helper(int x) { %s %s }\n" % (BARRIER, UNLOCK)

DELETES = """
#include <cstdlib>
#include <new>
__attribute__((noinline)) void never_runs(void *p) { asm volatile(""); free(p); }
__attribute__((noinline)) void release(void *p, int x) { asm volatile(""); if (x) never_runs(p); else ::operator delete(p); }
static void *volatile kept[64];
int main(int argc, char **argv)
{
	for (int i = 0; i < 3000000; i++) {
		release(kept[i % 64], argc > 1);
		kept[i % 64] = ::operator new(16 + i % 64 * 40);
	}
}
"""


def build(compiler, directory, name, text, *flags):
    source, made = os.path.join(directory, name), os.path.join(directory, os.path.splitext(name)[0] + ".out")
    with open(source, "w") as file:
        file.write(text)
    done = execute([need(compiler), "-w", "-O2", "-g", "-o", made, source, *flags, "-pthread"])
    expect_equal("status of %s (%s)" % (compiler, done.stderr_text()[-300:]), done.status, 0)
    return made


def report_of(program, directory):
    run = os.path.join(scratch(), "run")
    done = execute([RUN, "-q", "-o", run, program], clean_environment({"LD_LIBRARY_PATH": directory}))
    expect_equal("status of the program (%s)" % done.stderr_text()[-200:], done.status, 0)
    return report_json(run), report_text(run)


def check(program, directory, name="never_runs"):
    report, text = report_of(program, directory)
    expect(name not in text and name not in repr(report), "%s is in the report: %s", name,
           [line for line in text.splitlines() if name in line][:3])
    return report


def test_a_pointer_that_stands_first():
    """In whatever order the compiler has the two jumps."""
    for compiler in "gcc", "clang":
        directory = scratch()
        check(build(compiler, directory, "pointer.c", HEAD + POINTER_FIRST + MAIN), directory)
        check(build(compiler, directory, "other.c", HEAD + POINTER_FIRST + MAIN.replace("hog(zero)", "hog_the_other_way(zero)")), directory)


def test_a_weak_routine_that_lost():
    """The strong one of another file runs, and has the blame."""
    for compiler in "gcc", "clang":
        directory = scratch()
        strong = os.path.join(directory, "strong.c")
        with open(strong, "w") as file:
            file.write(HEAD + STRONG)
        report = report_of(build(compiler, directory, "weak.c", HEAD + WEAK_HERE + MAIN, strong), directory)[0]
        hooks = {os.path.basename(b["file"]) for row in report["synchronization"] for b in row["blame"] if b["routine"] == "hook"}
        expect(hooks <= {"strong.c"}, "hook of %s is blamed", hooks)


def test_a_library_whose_routine_the_program_replaces():
    for compiler in "gcc", "clang":
        directory = scratch()
        library = HEAD + HELPER.replace("helper", "replaced") + "NI void hog(int x) { for (volatile int i = 0; i < 2000000; i++); replaced(x); }\n"
        os.rename(build(compiler, directory, "library.c", library, "-fPIC", "-shared"), os.path.join(directory, "libhelp.so"))
        program = HEAD + "NI void other(void) { %s }\nvoid replaced(int x) { other(); %s }\n" % (BARRIER, UNLOCK) + MAIN
        made = build(compiler, directory, "program.c", program, "-L" + directory, "-lhelp", "-rdynamic")
        report = report_of(made, directory)[0]
        files = {os.path.basename(b["file"] or "") for row in report["synchronization"] for b in row["blame"] if b["routine"] == "replaced"}
        expect("library.c" not in files, "the library's own routine is blamed, and the program's runs")


def test_a_library_that_the_profile_does_not_have():
    """Two define the routine; the first runs, and only the second was sampled."""
    directory = scratch()
    busy = "void busy(void) { for (volatile int i = 0; i < 30000000; i++); }\n"
    for name, text in ("first", HELPER), ("second", HELPER + busy):
        os.rename(build("gcc", directory, name + ".c", HEAD + text, "-fPIC", "-shared"), os.path.join(directory, "lib%s.so" % name))
    program = HEAD + "void helper(int x); void busy(void);\nNI void hog(int x) { %s helper(x); }\n" % BARRIER + \
        MAIN.replace("pthread_join(holder", "busy();\n\tpthread_join(holder")
    made = build("gcc", directory, "program.c", program, "-L" + directory, "-lfirst", "-lsecond")
    report = report_of(made, directory)[0]
    files = {os.path.basename(b["file"] or "") for row in report["synchronization"] for b in row["blame"] if b["routine"] == "helper"}
    expect("second.c" not in files, "the second library's routine is blamed, and the first one's runs")


def test_delete_jumps_to_free_itself():
    for compiler in "g++", "clang++":
        directory = scratch()
        check(build(compiler, directory, "deletes.cc", DELETES), directory)
