/* SPDX-License-Identifier: MIT */
#include "preload/locks/wait_rate.h"

#include "preload/base/likely.h"
#include "preload/process/settings.h"

enum {
	/* Cost of a measured wait: what its thread does, partly while it has the lock, so that
	 * others wait longer, and fall asleep that would not have. With less (1000) two threads
	 * that take a lock of SQLite's from everywhere ran three times as long as natively; with
	 * 2000 three of Python's that pass on its global lock x1.85, with this x1.36. */
	WAIT_NS = 5000,
	BUDGET_OF_ALL = 100,         /* percent: whoever asks for that wants all waits measured */
	DEBT_MOST_NS = 64 * WAIT_NS, /* if waits are rare all are measured */
	FADE = 256,                  /* each measured wait takes 1/FADE off holders' times */
};

/* xorshift64 (Marsaglia 2003): any numbers will do that no program can be in step with. */
static uint64_t draw(struct wait_rate *rate)
{
	uint64_t chance = rate->chance ? rate->chance : (uintptr_t)rate | 1;

	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return rate->chance = chance;
}

/* The last one gets the rest. */
struct row_blame *wait_rate_draw(struct wait_rate *rate, const struct rated_wait *rated)
{
	uint64_t at = draw(rate) % (rated->holders_ns | 1);
	struct row_blame *blame = rated->holders[0].blame;

	for (int i = 0; i < RATE_HOLDERS && rated->holders[i].blame; i++) {
		blame = rated->holders[i].blame;
		if (at < rated->holders[i].ns)
			break;
		at -= rated->holders[i].ns;
	}
	return blame;
}

void wait_rate_charged(struct wait_rate *rate, struct row_blame *blame, uint64_t ns, bool is_known)
{
	if (rate->charged < RATE_HOLDERS)
		rate->charges[rate->charged++] = (struct rated_holder){blame, is_known ? ns : 0};
}

/* ---- what a measured wait adds to its place */

static void add_holder(struct wait_rate *rate, struct rated_wait *rated,
		       const struct rated_holder *charge)
{
	int at = 0;

	if (!charge->ns && rated->holders[0].blame)
		return;
	while (at < RATE_HOLDERS - 1 && rated->holders[at].blame &&
	       rated->holders[at].blame != charge->blame)
		at++;
	struct rated_holder *holder = &rated->holders[at];
	holder->ns += charge->ns;
	rated->holders_ns += charge->ns;
	/* of many that share the last slot one stands for all */
	if (!holder->blame || draw(rate) % (holder->ns | 1) < charge->ns)
		holder->blame = charge->blame;
}

static void fade(struct rated_wait *rated)
{
	rated->holders_ns = 0;
	for (int i = 0; i < RATE_HOLDERS; i++) {
		rated->holders[i].ns -= rated->holders[i].ns / FADE;
		rated->holders_ns += rated->holders[i].ns;
	}
}

/* Replaces the one with the smallest `every`, which has the least to lose. */
static struct rated_wait *make_place(struct wait_rate *rate, uint64_t key)
{
	struct rated_wait *set = rate->places[key >> 61], *found = set;

	for (int i = 1; i < RATE_WAYS; i++)
		if (set[i].every < found->every)
			found = &set[i];
	*found = (struct rated_wait){.key = key, .every = 1};
	return found;
}

/* Adds what was spent, and subtracts the share of the time since the last one. */
static void keep_budget(struct wait_rate *rate, uint64_t now_ns, uint64_t words_ns)
{
	int64_t allowed_ns = (int64_t)((now_ns - rate->told_ns) * settings.budget_percent / 100);

	rate->debt_ns += WAIT_NS + (int64_t)words_ns - allowed_ns;
	rate->told_ns = now_ns;
	if (rate->debt_ns < 0 || settings.budget_percent >= BUDGET_OF_ALL)
		rate->debt_ns = 0;
}

static void set_rate(struct wait_rate *rate, struct rated_wait *rated)
{
	if (rate->debt_ns > DEBT_MOST_NS) {
		rate->debt_ns = DEBT_MOST_NS / 2;
		rated->every *= rated->every < RATE_EVERY_MOST ? 2 : 1;
	} else if (!rate->debt_ns && rated->every > 1) {
		rated->every /= 2;
	}
	rate->is_short |= rated->every > 1;
	/* `every` - 1 on average */
	rated->left = rated->every > 1 ? (uint32_t)(draw(rate) % (2 * rated->every - 1)) : 0;
}

void wait_rate_measured(struct wait_rate *rate, uint64_t key, struct row_waits *row, uint64_t ns,
			uint64_t now_ns, uint64_t words_ns)
{
	struct rated_wait *rated = wait_rate_find(rate, key);

	if (unlikely(!rated))
		rated = make_place(rate, key);
	if (unlikely(rated->row && rated->row->object != row->object)) /* another one lies there */
		*rated = (struct rated_wait){.key = key, .every = rated->every};
	rated->row = row;
	fade(rated);
	for (unsigned i = 0; i < rate->charged && !wait_rate_is_unlike(row, ns); i++)
		add_holder(rate, rated, &rate->charges[i]);
	keep_budget(rate, now_ns, words_ns);
	set_rate(rate, rated);
	if (!rated->holders[0].blame)
		rated->left = 0;
}

void wait_rate_woken(struct wait_rate *rate, uint64_t key, uint64_t ns, uint64_t again_ns)
{
	struct rated_wait *rated = wait_rate_find(rate, key);

	if (unlikely(!rated))
		return;
	rated->woken_ns += ns - rated->woken_ns / FADE;
	rated->again_ns += again_ns - rated->again_ns / FADE;
}
