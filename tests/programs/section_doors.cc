// SPDX-License-Identifier: MIT
// Guards of ptrace.h: their scope is left by return, and by exceptions, in the order in which C++
// destroys.
#ifdef BESIDE_SYS_PTRACE
#include <sys/ptrace.h>
#endif
#include <ptrace.h>

#include <cstdio>
#include <type_traits>

using guard = ptrace_section;
static_assert(!std::is_copy_constructible<guard>::value && !std::is_copy_assignable<guard>::value &&
		      !std::is_move_constructible<guard>::value,
	      "a copy would end the section twice");
#ifndef BESIDE_SYS_PTRACE
static_assert(std::is_same<guard, ptrace::section>::value, "two names for one class");
#endif

static void deeper(int levels)
{
	guard one("deeper");

	if (!levels)
		throw levels;
	deeper(levels - 1);
}

static int returned()
{
	guard one("returned");

	ptrace_mark("step", INT64_C(5000000000));
	return 0;
}

int main()
{
	guard all("all");
	struct ptrace_times times;

	try {
		deeper(1);
	} catch (int) {
		ptrace_phase("caught");
	}
	std::puts(ptrace_times(&times) ? "alone" : "told");
	return returned();
}
