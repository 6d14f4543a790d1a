/* SPDX-License-Identifier: MIT */
/* Code that is loaded, and unloaded, while the test runs. */
void plugin_run(void (*probe)(void));

__attribute__((noinline)) static void inner(int depth, void (*probe)(void))
{
	volatile int space[40];

	space[depth % 40] = depth;
	if (depth == 0)
		probe();
	else
		inner(depth - 1, probe);
	space[0] = space[1];
}

__attribute__((visibility("default"))) void plugin_run(void (*probe)(void))
{
	inner(4, probe);
	__asm__ volatile("" ::: "memory");
}
