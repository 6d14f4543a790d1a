/* SPDX-License-Identifier: MIT */
#include "unwind_shapes.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

/* A call that is not the last thing that its caller does keeps the caller's frame. */
#define KEEP_FRAME __asm__ volatile("" ::: "memory")

static volatile long sink;

APART static long leaf(long a, long b)
{
	long local[12]; /* in the red zone */

	for (int i = 0; i < 12; i++)
		local[i] = a * i + b;
	KEEP_FRAME;
	for (int i = 0; i < 12; i++)
		b ^= local[i];
	return b;
}

APART static void recurse(int depth, void (*probe)(void))
{
	if (depth == 0)
		probe();
	else
		recurse(depth - 1, probe);
	KEEP_FRAME;
}

APART static void with_alloca(size_t bytes, void (*probe)(void))
{
	char *space = alloca(bytes);

	memset(space, 7, bytes);
	sink += space[bytes / 2];
	probe();
	sink += space[bytes - 1];
}

APART static void with_large_frame(void (*probe)(void))
{
	volatile char space[20000];

	space[1] = 1;
	space[19999] = 2;
	probe();
	sink += space[1] + space[19999];
}

/* Vectors that are to be aligned realign the stack; an alloca besides needs an argument pointer of
 * its own. */
typedef double vector __attribute__((vector_size(32)));

__attribute__((target("avx"))) APART static void with_realigned_stack(size_t bytes,
								      void (*probe)(void))
{
	volatile vector v[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
	char *space = alloca(bytes);

	space[0] = 1;
	KEEP_FRAME;
	probe();
	sink += (long)v[1][2] + space[0];
}

__attribute__((target("avx"))) APART static void with_realigned_arguments(long a, long b, long c,
									  long d, long e, long f,
									  long g, long h,
									  void (*probe)(void))
{
	volatile vector v[2] = {{(double)a, 2, 3, 4}, {5, 6, (double)b, 8}};

	probe();
	sink += c + d + e + f + g + h + (long)v[1][2];
}

APART static long with_many_pushes(long a, long b, long c, long d, long e, long f,
				   void (*probe)(void))
{
	long g = leaf(a, b), h = leaf(c, d), i = leaf(e, f), j = a * f, k = b * e;

	probe();
	g += leaf(a + g, h);
	probe();
	return a + b + c + d + e + f + g + h + i + j + k;
}

APART static void tail_target(void (*probe)(void))
{
	probe();
	KEEP_FRAME;
}

APART static void tail_caller(void (*probe)(void))
{
	sink++;
	tail_target(probe); /* a jump at -O2 */
}

static void (*compare_probe)(void);

static int compare(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	compare_probe();
	return left - right;
}

APART static void sort(void (*probe)(void))
{
	int numbers[] = {5, 3, 9, 1};

	compare_probe = probe;
	qsort(numbers, 4, sizeof *numbers, compare);
	sink += numbers[0];
}

void shapes_run(void (*probe)(void))
{
	sink += leaf(1, 2);
	recurse(100, probe);
	with_alloca(100 + (size_t)(sink & 63), probe);
	with_alloca(9000, probe);
	with_large_frame(probe);
	if (__builtin_cpu_supports("avx")) {
		with_realigned_stack(200, probe);
		with_realigned_arguments(1, 2, 3, 4, 5, 6, 7, 8, probe);
	}
	sink += with_many_pushes(1, 2, 3, 4, 5, 6, probe);
	tail_caller(probe);
	sort(probe);
	KEEP_FRAME;
}
