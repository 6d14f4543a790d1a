/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/level_account.h"

#include <stdbool.h>
#include <stddef.h>

static uint64_t *time_of(const struct level_account *account, enum concurrency_kind kind,
			 uint32_t level)
{
	uint32_t at = level < account->count ? level : account->count - 1;

	return &account->times[kind][(size_t)at * account->stride];
}

static void add(const struct level_account *account, enum concurrency_kind kind, uint32_t level,
		uint64_t ns)
{
	if (account->times[kind])
		*time_of(account, kind, level) += ns;
}

static bool is_seen(const struct levels_now *now)
{
	return now->view != PARALLELISM_UNSEEN;
}

void level_account_pass(const struct level_account *account, const struct levels_now *now,
			uint64_t ns)
{
	add(account, is_seen(now) ? CONCURRENCY_ON_PROCESSOR : CONCURRENCY_UNSEEN_ON_PROCESSOR,
	    now->on, ns);
	add(account, is_seen(now) ? CONCURRENCY_USEFUL : CONCURRENCY_UNSEEN_USEFUL, now->useful,
	    ns);
	if (now->view == PARALLELISM_IN_WINDOW) {
		add(account, CONCURRENCY_WINDOWS_ON_PROCESSOR, now->on, ns);
		add(account, CONCURRENCY_WINDOWS_USEFUL, now->useful, ns);
	}
}

static void add_single(const struct level_account *account, uint64_t elapsed_ns, uint64_t cpu_ns,
		       bool sets)
{
	uint64_t on_ns = cpu_ns < elapsed_ns ? cpu_ns : elapsed_ns;
	const uint64_t ns[] = {elapsed_ns - on_ns, on_ns};

	for (enum concurrency_kind kind = CONCURRENCY_ON_PROCESSOR; kind <= CONCURRENCY_USEFUL;
	     kind++)
		for (uint32_t level = 0; account->times[kind] && level < 2; level++) {
			uint64_t *time = time_of(account, kind, level);

			*time = (sets ? 0 : *time) + ns[level];
		}
}

void level_account_set_single(const struct level_account *account, uint64_t elapsed_ns,
			      uint64_t cpu_ns)
{
	add_single(account, elapsed_ns, cpu_ns, true);
}

void level_account_pass_single(const struct level_account *account, uint64_t elapsed_ns,
			       uint64_t cpu_ns)
{
	add_single(account, elapsed_ns, cpu_ns, false);
}

/* Returns what could not be moved: that level has had no more time. */
static uint64_t move_down(const struct level_account *account, enum concurrency_kind kind,
			  uint32_t level, uint64_t ns)
{
	uint64_t *from = time_of(account, kind, level);
	uint64_t moved = ns < *from ? ns : *from;

	*from -= moved;
	*time_of(account, kind, level - 1) += moved;
	return ns - moved;
}

/* From the present level first, because most of it was spent there. */
static void move_all_down(const struct level_account *account, enum concurrency_kind kind,
			  uint32_t level, uint64_t ns)
{
	if (!account->times[kind])
		return;
	level = level < account->count ? level : account->count - 1;
	if (level)
		ns = move_down(account, kind, level, ns);
	for (level = 1; ns && level < account->count; level++)
		ns = move_down(account, kind, level, ns);
}

void level_account_take_useful(const struct level_account *account, const struct levels_now *now,
			       uint64_t ns)
{
	move_all_down(account, is_seen(now) ? CONCURRENCY_USEFUL : CONCURRENCY_UNSEEN_USEFUL,
		      now->useful, ns);
	if (now->view == PARALLELISM_IN_WINDOW)
		move_all_down(account, CONCURRENCY_WINDOWS_USEFUL, now->useful, ns);
}
