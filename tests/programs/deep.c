/* SPDX-License-Identifier: MIT */
/* Sleeps at the bottom of stacks of several depths, each frame of which turned left or right: first
 * all left, then all but one, near the bottom, in the middle, at the top, and all left again.
 * Frames of both sides have one size, so that nothing but return addresses tells the stacks apart.
 * Truth: depth_turn: sleeps in a stack of that depth whose frame of that number, from the bottom,
 * turned right (0: none). */
#include "truth.h"

enum { SLEEPS = 5, DEEPEST = 200 };

static char turns[DEEPEST + 1];

static void right(int depth);

#define STEP                                                                                       \
	if (!depth)                                                                                \
		bottom();                                                                          \
	else                                                                                       \
		(turns[depth] ? right : left)(depth - 1);                                          \
	KEEP

NOINLINE static void bottom(void)
{
	struct timespec shortly = {0, 50000};

	nanosleep(&shortly, NULL);
	KEEP;
}

__attribute__((noipa)) static void left(int depth)
{
	STEP;
}

__attribute__((noipa)) static void right(int depth)
{
	STEP;
}

static int sleep_at(int depth, int turn)
{
	turns[turn] = turn > 0;
	for (int i = 0; i < SLEEPS; i++)
		left(depth);
	turns[turn] = 0;
	return SLEEPS;
}

static void sleep_at_turns(int depth)
{
	const int turning[] = {0, 1, depth / 2, depth - 1, depth, 0};
	int counts[DEEPEST + 1] = {0};
	char name[32];

	for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
		counts[turning[i]] += sleep_at(depth, turning[i]);
	for (int turn = 0; turn <= depth; turn++) {
		snprintf(name, sizeof name, "%d_%d", depth, turn);
		if (counts[turn])
			truth(name, counts[turn]);
	}
}

int main(void)
{
	const int depths[] = {10, 40, 60, 100, DEEPEST};

	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
		sleep_at_turns(depths[i]);
	truth_end();
	return 0;
}
