/* SPDX-License-Identifier: MIT */
/* section_routines N: calls routines of libroutines.so N times each, with arguments of all kinds,
 * and says whether each gave what it should; within a coroutine on a stack that ends right above,
 * in threads, after a jump out of one, and with errno and rounding as they were.
 *
 * Truth: calls of each. */
#include "section_routines.h"
#include "truth.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <ucontext.h>

static int wrong;

static void expect_that(bool is_so, const char *what)
{
	if (is_so)
		return;
	printf("wrong: %s\n", what);
	wrong++;
}

int descend_again(int depth)
{
	return descend(depth);
}

static void check_arguments(int i)
{
	struct large large, turned;
	struct pair pair = {i, -i};

	for (int at = 0; at < LARGE; at++)
		large.word[at] = i + at;
	turned = turn(large, 3);
	expect_that(turned.word[0] == i + 3 && turned.word[LARGE - 1] == i + 2, "a large struct");
	pair = swap(pair);
	expect_that(pair.first == -i && pair.second == i, "a struct in registers");
	expect_that(many_integers(i, 1, 1, 1, 1, 1, 1, 1, 1, i) == 11 * i + 44, "integers");
	expect_that(many_reals(i, 1, 1, 1, 1, 1, 1, 1, 1, i, i) == 12 * i + 44, "reals");
	expect_that(halve(1 + 2 * i) == i + 0.5L, "a long double");
	expect_that(sum_of(12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., (double)i) == 66 + i,
		    "a variable number");
	expect_that(descend(5) == 6, "recursion");
}

#ifdef __x86_64__
__attribute__((target("avx"))) static void check_vectors(void)
{
	quad value = {1, 2, 3, 4}, got = twice(value);

	expect_that(got[0] == 2 && got[1] == 4 && got[2] == 6 && got[3] == 8, "a vector");
}
#endif

static void check_state(void)
{
	fesetround(FE_UPWARD);
	errno = 1234;
	halve(1);
	expect_that(errno == 1234, "errno");
	expect_that(fegetround() == FE_UPWARD, "rounding");
	fesetround(FE_TONEAREST);
	errno = 0;
}

/* ---- jumps, threads, other stacks */

static jmp_buf back;

static void jump(void *unused)
{
	(void)unused;
	longjmp(back, 1);
}

static void check_jump(void)
{
	if (!setjmp(back))
		call(jump, NULL);
}

static int calls;

static void *work(void *unused)
{
	for (int i = 0; i < calls; i++)
		check_arguments(i);
	return unused;
}

static ucontext_t main_context, other;

static void on_other_stack(void)
{
	check_arguments(7);
	swapcontext(&other, &main_context);
}

/* Above the stack nothing can be read. */
static void check_stack(void)
{
	const size_t bytes = 65536;
	char *memory = mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	mprotect(memory + bytes, 4096, PROT_NONE);
	getcontext(&other);
	other.uc_stack.ss_sp = memory;
	other.uc_stack.ss_size = bytes;
	other.uc_link = &main_context;
	makecontext(&other, on_other_stack, 0);
	swapcontext(&main_context, &other);
}

int main(int count, char **arguments)
{
	pthread_t threads[3];

	calls = count > 1 ? atoi(arguments[1]) : 10;
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	work(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < calls; i++) {
		check_state();
		check_jump();
#ifdef __x86_64__
		if (__builtin_cpu_supports("avx"))
			check_vectors();
#endif
	}
	check_stack();
	truth("many_integers", 4 * calls + 1);
	truth("many_reals", 4 * calls + 1);
	truth("turn", 4 * calls + 1);
	truth("sum_of", 4 * calls + 1);
	truth("swap", 4 * calls + 1);
	truth("descend", 6 * (4 * calls + 1));
	truth("halve", 4 * calls + 1 + calls);
	truth("call", calls);
	truth_end();
	return wrong != 0;
}
