// SPDX-License-Identifier: MIT
#include "unwind_shapes.h"

#include <stdexcept>

namespace
{

struct prober {
	void (*probe)();
	~prober()
	{
		probe();
	}
};

__attribute__((noinline)) void thrower(int depth, void (*probe)())
{
	prober local{probe};

	if (depth == 0)
		throw std::runtime_error("thrown by a test");
	thrower(depth - 1, probe);
	__asm__ volatile("" ::: "memory");
}

} // namespace

void shapes_throw(void (*probe)())
{
	try {
		thrower(5, probe);
	} catch (const std::exception &) {
		probe();
	}
}
