/* SPDX-License-Identifier: MIT */
/* Calls in C++: exceptions leave routines, small ones are inlined, templates have several
 * instances. Counts its own calls. */
#include "truth.h"

#include <stdexcept>

static long catchers, throwers, inlined, whole, real;

static inline int small(int x)
{
	inlined++;
	return x * 3;
}

template <typename T> NOINLINE T sum(T a, T b)
{
	(sizeof(T) == sizeof(int) ? whole : real)++;
	return a + b;
}

NOINLINE static int thrower(int depth)
{
	throwers++;
	if (!depth)
		throw std::runtime_error("the end");
	return small(thrower(depth - 1));
}

NOINLINE static int catcher(int depth)
{
	catchers++;
	try {
		return thrower(depth);
	} catch (const std::exception &) {
		return small(depth);
	}
}

int main()
{
	volatile int kept = 0;

	for (int i = 0; i < 1000; i++) {
		kept = sum<int>(kept, catcher(i % 5));
		kept = (int)sum<double>(kept, i % 2 ? 0.5 : 1.5);
	}
	truth("catcher", (double)catchers);
	truth("thrower", (double)throwers);
	truth("small", (double)inlined);
	truth("sum<int>", (double)whole);
	truth("sum<double>", (double)real);
	truth_end();
}
