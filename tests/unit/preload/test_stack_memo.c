/* SPDX-License-Identifier: MIT */
#include "preload/stacks/callpath.h"
#include "preload/waits/stack_memo.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <alloca.h>
#include <pthread.h>
#include <string.h>

enum { DEEPEST = 400 };

static struct thread thread;
static struct site last; /* of the latest call */
static uint32_t path, truth;
static bool was_walked;

static void prepare(void)
{
	pthread_attr_t attributes;
	size_t bytes;
	void *low;

	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	memset(&thread, 0, sizeof thread);
	ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attributes), 0);
	ck_assert_int_eq(pthread_attr_getstack(&attributes, &low, &bytes), 0);
	pthread_attr_destroy(&attributes);
	thread.stack = (struct unwind_stack){(uint64_t)low, (uint64_t)low + bytes};
}

/* What a walk says that remembers nothing. */
static uint32_t walk_anew(const struct site *site)
{
	static struct unwind_path fresh;
	struct unwind_frame frame = site_frame(site);

	unwind_walk(&frame, &thread.stack, &fresh, NULL);
	return callpath_of(&fresh, 0);
}

/* In the place of a wrapper. */
__attribute__((noipa, optimize("no-omit-frame-pointer"))) static void call(void)
{
	last = *SITE_HERE;
	thread.walk.count = 0;
	path = stack_memo_site_path(&thread, &last);
	was_walked = thread.walk.count > 0;
	truth = walk_anew(&last);
}

/* ---- stacks of any depth, that turn left or right at each frame ---- */

static char turns[DEEPEST + 1];

static void left(int depth);
static void right(int depth);

#define STEP                                                                                       \
	do {                                                                                       \
		if (!depth)                                                                        \
			call();                                                                    \
		else                                                                               \
			(turns[depth] ? right : left)(depth - 1);                                  \
		__asm__ volatile("" ::: "memory");                                                 \
	} while (0)

__attribute__((noipa)) static void left(int depth)
{
	STEP;
}

__attribute__((noipa)) static void right(int depth)
{
	STEP;
}

static void go(int depth)
{
	left(depth);
	ck_assert_uint_eq(path, truth);
}

static const int depths[] = {10, 40, 60, 100, 200, DEEPEST};

START_TEST(the_same_stack_is_walked_once)
{
	prepare();
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
		for (int time = 0; time < 3; time++) {
			go(depths[i]);
			ck_assert_msg(was_walked == (time == 0), "depth %d, call %d", depths[i],
				      time);
		}
}
END_TEST

/* As many places as there are memos, wherever the loader put the stack. */
START_TEST(places_in_turn_do_not_push_each_other_out)
{
	prepare();
	for (int first = 10; first < 40; first += THREAD_MEMOS) {
		memset(thread.memos, 0, sizeof thread.memos);
		for (int time = 0; time < 5; time++)
			for (int i = 0; i < THREAD_MEMOS; i++) {
				go(first + i);
				ck_assert_msg(was_walked == (time == 0), "depth %d, round %d",
					      first + i, time);
			}
	}
}
END_TEST

/* One frame after the other turns and turns back. Frames of both sides have one size, so that the
 * stack lies where it lay. */
static void turn_each_frame(int depth)
{
	/* further out nothing is seen */
	int outermost = depth < UNWIND_DEPTH ? depth : UNWIND_DEPTH - 10;
	uint32_t straight = 0;
	uint64_t sp = 0;

	for (int time = 0; time <= 2 * outermost; time++) {
		bool has_turn = time % 2;
		turns[time / 2 + 1] = has_turn;
		go(depth);
		turns[time / 2 + 1] = 0;
		straight = time ? straight : path;
		sp = time ? sp : last.sp;
		ck_assert_uint_eq(last.sp, sp);
		ck_assert((path == straight) == !has_turn);
	}
}

START_TEST(a_stack_that_turned_anywhere_is_another_one)
{
	prepare();
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
		turn_each_frame(depths[i]);
}
END_TEST

START_TEST(without_room_for_more_a_deep_stack_is_walked_each_time)
{
	prepare();
	thread.has_memo_tails = true; /* there was no memory for them */
	for (int time = 0; time < 3; time++) {
		go(DEEPEST);
		ck_assert(was_walked);
	}
}
END_TEST

START_TEST(room_for_more_is_made_when_a_stack_is_deep)
{
	prepare();
	go(depths[0]);
	ck_assert(!thread.has_memo_tails);
	go(DEEPEST);
	ck_assert(thread.has_memo_tails);
	go(DEEPEST);
	ck_assert(!was_walked);
}
END_TEST

/* ---- frames of other sizes, with the same call below them at the same place ---- */

enum { ROUNDS = 64 };

/* Its frame is found by the frame pointer, too, and has that of its caller. */
__attribute__((noipa, optimize("no-omit-frame-pointer"))) static void call_within(void)
{
	call();
	__asm__ volatile("" ::: "memory");
}

static void (*innermost)(void);

/* Its frame is found by the frame pointer, and its room is as the calls before left it. */
__attribute__((noipa)) static void in_room(size_t bytes)
{
	char *room = alloca(bytes);

	__asm__ volatile("" : : "r"(room) : "memory");
	innermost();
	__asm__ volatile("" : : "r"(room) : "memory");
}

__attribute__((noipa)) static void small(size_t bytes)
{
	char frame[32];

	__asm__ volatile("" : : "r"(frame) : "memory");
	in_room(bytes);
	__asm__ volatile("" : : "r"(frame) : "memory");
}

__attribute__((noipa)) static void large(size_t bytes)
{
	char frame[512];

	__asm__ volatile("" : : "r"(frame) : "memory");
	in_room(bytes);
	__asm__ volatile("" : : "r"(frame) : "memory");
}

/* What the first stack left in the second one's room looks like the first stack. */
static void alternate(void)
{
	static struct {
		uint64_t sp;
		uint32_t path, truth;
	} seen[2 * ROUNDS];
	void (*const by_size[])(size_t) = {large, small};
	int same = 0;

	/* nothing else is called meanwhile, for it would write there */
	for (int i = 0; i < 2 * ROUNDS; i++) {
		by_size[i % 2](i % 2 ? 16 * (size_t)(i / 2) : 16);
		seen[i].sp = last.sp;
		seen[i].path = path;
		seen[i].truth = truth;
	}
	for (int i = 0; i < 2 * ROUNDS; i++) {
		ck_assert_msg(seen[i].path == seen[i].truth, "call %d", i);
		same += i % 2 && seen[i].sp == seen[i - 1].sp;
	}
	ck_assert_int_gt(same, 0);
}

START_TEST(a_stack_with_another_frame_at_the_same_place_is_another_one)
{
	prepare();
	innermost = call;
	alternate();
}
END_TEST

START_TEST(so_it_is_where_only_a_saved_frame_pointer_tells)
{
	prepare();
	innermost = call_within;
	alternate();
}
END_TEST

UNIT_MAIN("stack memo", the_same_stack_is_walked_once, places_in_turn_do_not_push_each_other_out,
	  a_stack_that_turned_anywhere_is_another_one,
	  without_room_for_more_a_deep_stack_is_walked_each_time,
	  room_for_more_is_made_when_a_stack_is_deep,
	  a_stack_with_another_frame_at_the_same_place_is_another_one,
	  so_it_is_where_only_a_saved_frame_pointer_tells)
