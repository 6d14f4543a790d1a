/* SPDX-License-Identifier: MIT */
#include "wait_rate.h"

#include "likely.h"

enum {
	WAIT_NS = 1000,              /* what a measured one costs, its release included */
	DEBT_MOST_NS = 64 * WAIT_NS, /* programs that wait now and then have all waits measured */
};

/* xorshift64 (Marsaglia 2003): any numbers will do that no program's rhythm follows. */
static uint64_t draw(struct wait_rate *rate)
{
	uint64_t chance = rate->chance ? rate->chance : (uintptr_t)rate | 1;

	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return rate->chance = chance;
}

void wait_rate_charged(struct wait_rate *rate, struct row_blame *blame, uint64_t ns, bool is_known)
{
	if (!is_known) {
		rate->unknown = blame;
		return;
	}
	rate->charged_ns += ns;
	if (ns && draw(rate) % rate->charged_ns < ns)
		rate->drawn = blame;
}

/* Spent, and earned since the last one. */
static void keep_accounts(struct wait_rate *rate, uint64_t now_ns, uint64_t words_ns)
{
	rate->debt_ns +=
		WAIT_NS + (int64_t)words_ns - (int64_t)((now_ns - rate->told_ns) / RATE_SHARE);
	rate->told_ns = now_ns;
	if (rate->debt_ns < 0)
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
	/* every - 1 on average */
	rated->left = rated->every > 1 ? (uint32_t)(draw(rate) % (2 * rated->every - 1)) : 0;
}

void wait_rate_measured(struct wait_rate *rate, uint64_t key, struct row_waits *row,
			uint64_t now_ns, uint64_t words_ns)
{
	struct rated_wait *rated = &rate->rows[key >> 60];

	if (unlikely(rated->key != key))
		*rated = (struct rated_wait){.key = key, .every = 1};
	rated->row = row;
	if (rate->drawn || !rated->blame)
		rated->blame = rate->drawn ? rate->drawn : rate->unknown;
	rate->drawn = rate->unknown = NULL;
	rate->charged_ns = 0;
	keep_accounts(rate, now_ns, words_ns);
	set_rate(rate, rated);
	if (!rated->blame)
		rated->left = 0;
}
