/* SPDX-License-Identifier: MIT */
/* Names of C++: a template's member function, an overload, a lambda. Truth: the CPU time of each.
 */
#include "truth.h"

namespace space
{
template <typename Number> struct Worker {
	double used = 0;
	NOINLINE void work(Number seconds)
	{
		double before = cpu();
		BURN(seconds);
		used += cpu() - before;
	}
};
} // namespace space

static double overload_cpu;

NOINLINE void overload(int)
{
	double before = cpu();
	BURN(0.25);
	overload_cpu += cpu() - before;
}

int main()
{
	space::Worker<double> worker;
	worker.work(0.25);
	overload(1);
	truth("template", worker.used);
	truth("overload", overload_cpu);
	truth_end();
}
