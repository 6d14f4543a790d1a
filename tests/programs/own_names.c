/* SPDX-License-Identifier: MIT */
/* A program of ISO C that has functions of its own with names that are libc's, or those of MPI and
 * OpenMP: ISO C leaves all of them to it. Nobody calls them; one that is called says so and ends
 * the program. OWN_NAMES is a file with a line OWN(name) for each, which the case writes
 * (cases/own_names.py). In turn: computes, says "ready", reads a line of standard input, computes
 * again, and ends with status 8. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void called(const char *name)
{
	fputs(name, stdout);
	fputs(" is called\n", stdout);
	exit(3);
}

#define OWN(name)                                                                                  \
	void name(void)                                                                            \
	{                                                                                          \
		called(#name);                                                                     \
	}
#include OWN_NAMES
#undef OWN

/* Where a program that is not position independent takes the address of a function of libc's, the
 * address is that of its own way to that function, which every search by name finds first. This one
 * is called for the first time after the line was read: until then it is not bound. */
static int (*volatile put)(int, FILE *);

static void compute(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	volatile double sum = 0;

	while (clock() < end)
		for (int i = 0; i < 10000; i++)
			sum += i;
}

static void on_signal(int number)
{
	(void)number;
}

/* Calls that libc makes calls of its own for. */
static void use_libc(void)
{
	char text[64];
	FILE *file = tmpfile();

	setlocale(LC_ALL, "");
	signal(SIGINT, on_signal);
	raise(SIGINT);
	if (system("exit 0"))
		exit(5);
	if (!file)
		return;
	snprintf(text, sizeof text, "%f\n", 1.5);
	fwrite(text, 1, strlen(text), file);
	rewind(file);
	if (fread(text, 1, 3, file) != 3)
		exit(5);
	fclose(file);
}

static void at_end(void)
{
	fputs("ends\n", stdout);
	fflush(stdout);
}

int main(void)
{
	char line[16];

	put = fputc;
	atexit(at_end);
	compute(0.05);
	use_libc();
	fputs("ready\n", stdout);
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		return 4;
	fputc('o', stdout);
	put('n', stdout);
	use_libc();
	compute(0.1);
	return 8;
}
