/* SPDX-License-Identifier: MIT */
/* A shop that prices orders in four threads and writes each batch into a journal, which is on the
 * disk before the order counts. The cause is that the journal's lock is held during fdatasync, so
 * that nobody else can even append; fixed, a thread appends under the lock and waits for the disk
 * without it. Innocent: the lock of the stock, a thread that renews exchange rates now and then.
 *
 * cause: fdatasync of the journal with the journal's lock held
 * finding: lock-io lock-contention blocked
 * place: append_batch|journal|fdatasync
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CLERKS = 4, BATCHES = 600, ORDERS = 300, RECORD = 256, BLOCK = ORDERS * RECORD };

static struct {
	pthread_mutex_t lock;
	int file;
	long batches;
	uint64_t checksum;
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
	pthread_mutex_t lock;
	long items[64];
} stock = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int syncs_unlocked;
static atomic_int next_batch, is_done;
static _Atomic double exchange_rate = 1.0;

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	return x ^ (x >> 27);
}

static double discount_of(uint64_t customer)
{
	double discount = 0;

	for (int month = 1; month <= 600; month++)
		discount += sqrt((double)(customer % 1000 + month)) / (month + 1);
	return discount;
}

static uint64_t price_orders(int batch, char *records)
{
	uint64_t sum = 0;

	for (int i = 0; i < ORDERS; i++) {
		uint64_t order = mix((uint64_t)batch * ORDERS + i + 1);
		int cents = (int)(1000 * discount_of(order));
		int size = snprintf(records + i * RECORD, RECORD, "%016lx %d", (unsigned long)order,
				    cents);

		for (int k = size; k < RECORD; k++)
			records[i * RECORD + k] = (char)(order >> (k % 56));
		sum += order ^ (uint64_t)cents;
	}
	return sum;
}

static void append_batch(const char *records, uint64_t sum)
{
	pthread_mutex_lock(&journal.lock);
	if (write(journal.file, records, BLOCK) != BLOCK)
		abort();
	journal.batches++;
	journal.checksum += sum;
	if (syncs_unlocked)
		pthread_mutex_unlock(&journal.lock);
	fdatasync(journal.file);
	if (!syncs_unlocked)
		pthread_mutex_unlock(&journal.lock);
}

static void book_out(int batch)
{
	pthread_mutex_lock(&stock.lock);
	stock.items[batch % 64] += ORDERS;
	pthread_mutex_unlock(&stock.lock);
}

static void *handle_orders(void *unused)
{
	char *records = malloc(BLOCK);

	for (int batch = next_batch++; batch < BATCHES; batch = next_batch++) {
		append_batch(records, price_orders(batch, records));
		book_out(batch);
	}
	free(records);
	return unused;
}

static void *renew_rates(void *unused)
{
	while (!is_done) {
		usleep(20000);
		exchange_rate = 1.0 + 0 * exchange_rate;
	}
	return unused;
}

int main(int argc, char **argv)
{
	const char *place = getenv("TMPDIR");
	char path[4096];
	pthread_t clerks[CLERKS], rates;
	long items = 0;

	(void)argv;
	syncs_unlocked = argc > 1;
	snprintf(path, sizeof(path), "%s/journal-XXXXXX", place ? place : "/tmp");
	journal.file = mkstemp(path);
	if (journal.file < 0)
		return 1;
	unlink(path);
	pthread_create(&rates, NULL, renew_rates, NULL);
	for (int i = 0; i < CLERKS; i++)
		pthread_create(&clerks[i], NULL, handle_orders, NULL);
	for (int i = 0; i < CLERKS; i++)
		pthread_join(clerks[i], NULL);
	is_done = 1;
	pthread_join(rates, NULL);
	for (int i = 0; i < 64; i++)
		items += stock.items[i];
	printf("%ld batches, %ld items, checksum %lx\n", journal.batches, items,
	       (unsigned long)journal.checksum);
	return 0;
}
