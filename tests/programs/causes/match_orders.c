/* SPDX-License-Identifier: MIT */
/* An exchange: two threads check orders and match them against one book. The book is guarded by a
 * spinlock, which was fine while matching took an instant; now the fee of each order is computed
 * under it as well. The cause is that the spinlock is held for so long that the other thread spins;
 * fixed, the fee is computed before. Innocent: the lock of the tape, and a thread that sends
 * heartbeats.
 *
 * cause: compute_fee runs with the book's spinlock held, the other thread spins
 * finding: spin-wait lock-contention
 * place: match_order|book|compute_fee
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 2, ORDERS = 1500, LEVELS = 1024 };

static struct {
	pthread_spinlock_t lock;
	uint64_t volumes[LEVELS];
	uint64_t matched, fees;
} book;

static struct {
	pthread_mutex_t lock;
	uint64_t trades, heartbeats;
} tape = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int computes_before;
static atomic_int is_closed;

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint64_t digest(uint64_t seed, int rounds)
{
	for (int i = 0; i < rounds; i++)
		seed = mix(seed + (uint64_t)i);
	return seed;
}

/* A sliding scale over the customer's last trades. */
static uint64_t compute_fee(uint64_t order)
{
	return digest(order, 80000) % 100;
}

static uint64_t check_order(uint64_t order)
{
	return digest(~order, 35000);
}

static void match_order(uint64_t order)
{
	uint64_t fee = computes_before ? compute_fee(order) : 0,
		 *volume = &book.volumes[mix(order) % LEVELS];

	pthread_spin_lock(&book.lock);
	if (!computes_before)
		fee = compute_fee(order);
	*volume += 1 + order % 9;
	book.matched += 1 + order % 9;
	book.fees += fee;
	pthread_spin_unlock(&book.lock);
}

static void *handle_orders(void *sum)
{
	uint64_t first = *(uint64_t *)sum * ORDERS;

	for (uint64_t order = first; order < first + ORDERS; order++) {
		*(uint64_t *)sum += check_order(order);
		match_order(order);
		if (order % 16)
			continue;
		pthread_mutex_lock(&tape.lock);
		tape.trades += 16;
		pthread_mutex_unlock(&tape.lock);
	}
	return NULL;
}

static void *send_heartbeats(void *unused)
{
	while (!is_closed) {
		usleep(50000);
		pthread_mutex_lock(&tape.lock);
		tape.heartbeats++;
		pthread_mutex_unlock(&tape.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS], heart;
	uint64_t sums[THREADS];

	(void)argv;
	computes_before = argc > 1;
	pthread_spin_init(&book.lock, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&heart, NULL, send_heartbeats, NULL);
	for (int i = 0; i < THREADS; i++) {
		sums[i] = (uint64_t)i;
		pthread_create(&threads[i], NULL, handle_orders, &sums[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	is_closed = 1;
	pthread_join(heart, NULL);
	printf("%lu matched, fees %lu, %lu trades, checks %lx\n", (unsigned long)book.matched,
	       (unsigned long)book.fees, (unsigned long)tape.trades,
	       (unsigned long)(sums[0] + sums[1]));
	return 0;
}
