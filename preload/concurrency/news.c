/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/news.h"
#include "preload/base/interrupted.h"

#include <string.h>

/* So many quiet threads are read nevertheless: that costs less than a microsecond, and threads that
 * wake now and then need not be listed again each time. */
enum { QUIET_MOST = 32, KEPT_MOST = 64 };

uint64_t news_listed[NEWS_WORDS];
bool news_is_crowded;

static struct {
	uint64_t kept[NEWS_WORDS]; /* atomic: always read */
	/* the drain's own */
	uint64_t unsure[NEWS_WORDS]; /* struck off, and to be read once more */
	unsigned quiet;              /* of those listed, in the last drain */
} news;

void news_forget_all(void)
{
	memset(news_listed, 0, sizeof news_listed);
	memset(&news, 0, sizeof news);
	news_is_crowded = false;
}

/* ---- threads ---- */

__attribute__((noinline, cold)) void news_list(const struct event_ring *event_ring)
{
	__atomic_fetch_or(news_word(news_listed, event_ring), news_bit(event_ring),
			  __ATOMIC_SEQ_CST);
}

__attribute__((noinline, cold)) void news_keep(struct event_ring *event_ring)
{
	/* release: a drain that sees what follows sees this */
	__atomic_fetch_or(news_word(news.kept, event_ring), news_bit(event_ring), __ATOMIC_SEQ_CST);
	event_ring->is_kept = true;
}

static void unkeep(const struct event_ring *event_ring)
{
	__atomic_fetch_and(news_word(news.kept, event_ring), ~news_bit(event_ring),
			   __ATOMIC_SEQ_CST);
}

__attribute__((noinline, cold)) void news_drop(struct event_ring *event_ring)
{
	unkeep(event_ring);
	event_ring->is_kept = false;
}

/* Listed first: the claimed call is news until it is applied. */
void news_claim(const struct event_ring *event_ring)
{
	news_list(event_ring);
	unkeep(event_ring);
}

void news_claim_failed(const struct event_ring *event_ring)
{
	__atomic_fetch_or(news_word(news.kept, event_ring), news_bit(event_ring), __ATOMIC_SEQ_CST);
}

void news_end(const struct event_ring *event_ring)
{
	if (event_ring->is_kept)
		__atomic_fetch_and(news_word(news.kept, event_ring), ~news_bit(event_ring),
				   __ATOMIC_RELAXED);
}

/* ---- the drain ---- */

static bool has_news(const struct event_ring *event_ring)
{
	return __atomic_load_n(&event_ring->head, __ATOMIC_SEQ_CST) != event_ring->tail ||
	       __atomic_load_n(&event_ring->open_since_ns, __ATOMIC_RELAXED) >= OPEN_HELD ||
	       event_ring->claimed_ns;
}

static unsigned words_in_use(void)
{
	return (event_ring_count() + NEWS_BITS - 1) / NEWS_BITS;
}

static struct event_ring *event_ring_at(unsigned word, uint64_t bits)
{
	return event_ring_of(word * NEWS_BITS + (unsigned)__builtin_ctzll(bits));
}

/* Those of these threads that have events. */
static uint64_t with_news(unsigned word, uint64_t bits)
{
	uint64_t found = 0;

	for (; bits; bits &= bits - 1) {
		const struct event_ring *event_ring = event_ring_at(word, bits);
		if (event_ring && has_news(event_ring))
			found |= bits & -bits;
	}
	return found;
}

/* Returns the threads that it read. */
static uint64_t strike_off_word(unsigned word, bool may_strike, unsigned *quiet)
{
	uint64_t listed = __atomic_load_n(&news_listed[word], __ATOMIC_SEQ_CST);
	uint64_t kept = __atomic_load_n(&news.kept[word], __ATOMIC_ACQUIRE);
	uint64_t looked_at = listed | kept | news.unsure[word];

	if (!looked_at)
		return 0;
	uint64_t loud = with_news(word, looked_at), silent = listed & ~loud & ~kept;
	uint64_t back = loud & ~listed & ~kept;
	*quiet += (unsigned)__builtin_popcountll(silent);
	if (back)
		__atomic_fetch_or(&news_listed[word], back, __ATOMIC_SEQ_CST);
	if (!may_strike)
		silent = 0;
	news.unsure[word] |= silent;
	if (silent)
		__atomic_fetch_and(&news_listed[word], ~silent, __ATOMIC_SEQ_CST);
	/* not before: if the drain is left here by a jump, those that it struck off stay in
	 * `unsure` */
	interrupted_fence();
	news.unsure[word] = silent;
	return looked_at;
}

unsigned news_strike_off(void)
{
	unsigned words = words_in_use(), quiet = 0, count = 0, kept = 0;
	bool may_strike = news.quiet > QUIET_MOST;

	for (unsigned i = 0; i < words; i++) {
		count += (unsigned)__builtin_popcountll(strike_off_word(i, may_strike, &quiet));
		kept += (unsigned)__builtin_popcountll(news.kept[i]);
	}
	news_is_crowded = kept > KEPT_MOST;
	news.quiet = quiet;
	return count;
}

static uint64_t looked_at(unsigned word)
{
	return __atomic_load_n(&news_listed[word], __ATOMIC_ACQUIRE) |
	       __atomic_load_n(&news.kept[word], __ATOMIC_ACQUIRE) | news.unsure[word];
}

unsigned news_find(struct event_ring *sources[], unsigned room)
{
	unsigned words = words_in_use(), found = 0;

	for (unsigned i = 0; i < words; i++)
		for (uint64_t bits = looked_at(i); bits && found < room; bits &= bits - 1) {
			struct event_ring *event_ring = event_ring_at(i, bits);
			if (event_ring && has_news(event_ring))
				sources[found++] = event_ring;
		}
	return found;
}
