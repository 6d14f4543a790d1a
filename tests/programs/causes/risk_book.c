/* SPDX-License-Identifier: MIT */
/* An order book: two threads quote prices to customers, a third one values all positions anew after
 * each tick of the market. The cause is that the third one keeps the book's lock while it computes
 * the risk, which needs only a copy of the prices; fixed, it copies them and lets go. Victims
 * (quotes) are many, the culprit is another routine, which hardly waits itself. Innocent: the lock
 * of the statistics, and a thread that writes them out now and then.
 *
 * cause: value_positions holds the lock of the book while it computes the risk
 * finding: lock-contention
 * place: held by .*(value_positions|simulate_path)|(value_positions|simulate_path)
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { INSTRUMENTS = 512, TICKS = 53, PATHS = 500, QUOTERS = 2, QUOTES = 48000 };

static struct {
	pthread_mutex_t lock;
	double prices[INSTRUMENTS];
	long quotes;
} book = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
	pthread_mutex_t lock;
	long flushes, ticks;
	int is_done;
} statistics = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int copies_prices;
static double risks[TICKS];

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double simulate_path(const double *prices, uint64_t seed)
{
	double value = 0;

	for (int step = 0; step < 20; step++)
		for (int i = 0; i < INSTRUMENTS; i++) {
			double move = (double)(next_random(&seed) >> 40) / (1 << 24) - 0.5;
			value += prices[i] * move * 0.01;
		}
	return value;
}

static double value_at_risk(const double *prices, int tick)
{
	double worst = 0;

	for (int path = 0; path < PATHS; path++)
		worst = fmin(worst, simulate_path(prices, (uint64_t)tick * PATHS + path + 1));
	return worst;
}

static double value_positions(int tick)
{
	double copy[INSTRUMENTS], risk;

	pthread_mutex_lock(&book.lock);
	if (copies_prices) {
		memcpy(copy, book.prices, sizeof(copy));
		pthread_mutex_unlock(&book.lock);
		return value_at_risk(copy, tick);
	}
	risk = value_at_risk(book.prices, tick);
	pthread_mutex_unlock(&book.lock);
	return risk;
}

/* The scenarios for the next tick, of the thread's own data. */
static double prepare_scenarios(int tick)
{
	double flat[INSTRUMENTS], sum = 0;

	for (int i = 0; i < INSTRUMENTS; i++)
		flat[i] = 1 + i % 7;
	for (int path = 0; path < PATHS / 10; path++)
		sum += simulate_path(flat, 900 + (uint64_t)tick + path);
	return sum;
}

static void *follow_market(void *unused)
{
	(void)unused;
	for (int tick = 0; tick < TICKS; tick++) {
		risks[tick] = value_positions(tick) + 1e-9 * prepare_scenarios(tick);
		pthread_mutex_lock(&statistics.lock);
		statistics.ticks++;
		pthread_mutex_unlock(&statistics.lock);
	}
	return NULL;
}

static double spread_of(double price, unsigned customer)
{
	double spread = 0;

	for (int i = 1; i < 3200; i++)
		spread += sqrt(price + i) / (customer + i);
	return spread;
}

static void *quote_customers(void *sum)
{
	for (unsigned i = 0; i < QUOTES; i++) {
		double price;

		pthread_mutex_lock(&book.lock);
		price = book.prices[i % INSTRUMENTS];
		book.quotes++;
		pthread_mutex_unlock(&book.lock);
		*(double *)sum += spread_of(price, i);
	}
	return NULL;
}

static void *flush_statistics(void *unused)
{
	int is_done = 0;

	(void)unused;
	while (!is_done) {
		usleep(30000);
		pthread_mutex_lock(&statistics.lock);
		statistics.flushes++;
		is_done = statistics.is_done;
		pthread_mutex_unlock(&statistics.lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t market, flusher, quoters[QUOTERS];
	double sums[QUOTERS] = {0}, risk = 0;

	(void)argv;
	copies_prices = argc > 1;
	for (int i = 0; i < INSTRUMENTS; i++)
		book.prices[i] = 100 + i;
	pthread_create(&flusher, NULL, flush_statistics, NULL);
	pthread_create(&market, NULL, follow_market, NULL);
	for (int i = 0; i < QUOTERS; i++)
		pthread_create(&quoters[i], NULL, quote_customers, &sums[i]);
	for (int i = 0; i < QUOTERS; i++)
		pthread_join(quoters[i], NULL);
	pthread_join(market, NULL);
	pthread_mutex_lock(&statistics.lock);
	statistics.is_done = 1;
	pthread_mutex_unlock(&statistics.lock);
	pthread_join(flusher, NULL);
	for (int i = 0; i < TICKS; i++)
		risk += risks[i];
	printf("%ld quotes of %.6f, risk %.6f\n", book.quotes, sums[0] + sums[1], risk);
	return 0;
}
