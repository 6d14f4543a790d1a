/* SPDX-License-Identifier: MIT */
/* libroutines.so: routines with arguments of all kinds, to be called through doors
 * (section_routines.c). */
#include "section_routines.h"

#include <setjmp.h>
#include <stdarg.h>

int many_integers(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

double many_reals(double a, double b, double c, double d, double e, double f, double g, double h,
		  double i, double j, int k)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + k;
}

struct large turn(struct large value, int by)
{
	struct large turned;

	for (int i = 0; i < LARGE; i++)
		turned.word[i] = value.word[(i + by) % LARGE];
	return turned;
}

struct pair swap(struct pair value)
{
	return (struct pair){value.second, value.first};
}

long double halve(long double value)
{
	return value / 2;
}

double sum_of(int count, ...)
{
	va_list rest;
	double sum = 0;

	va_start(rest, count);
	for (int i = 0; i < count; i++)
		sum += va_arg(rest, double);
	va_end(rest);
	return sum;
}

int descend(int depth)
{
	volatile int below = depth ? descend_again(depth - 1) : 0;

	return below + 1;
}

void call(void (*what)(void *), void *with)
{
	what(with);
}

#ifdef __AVX2__
quad twice(quad value)
{
	return value + value;
}
#elif defined(__x86_64__)
__attribute__((target("avx"))) quad twice(quad value)
{
	return value + value;
}
#endif
