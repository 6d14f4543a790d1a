/* SPDX-License-Identifier: MIT */
/* A router: two threads forward batches of packets with the table of routes locked for reading, a
 * third one computes new routes and installs them with the table locked for writing. The cause is
 * that readers come first (glibc's default): one of them is always inside, the writer does not get
 * in until the last packet is forwarded, and computes its routes alone afterwards. Fixed, the lock
 * prefers writers. Innocent: the lock of the counters, and a thread that prints them now and then.
 *
 * cause: the writer of the read-write lock is starved by readers, and works alone after them
 * finding: writer-starved
 * place: install_route|update_routes|table(\.|_)lock
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum {
	FORWARDERS = 2,
	BATCHES = 800,
	PACKETS = 12000,
	ROUTES = 4096,
	UPDATES = 20,
	SETTLINGS = 120000
};

static struct {
	pthread_rwlock_t lock;
	uint32_t next_hops[ROUTES];
	uint32_t ages[ROUTES];
} table;

static struct {
	pthread_mutex_t lock;
	uint64_t packets, prints;
	int is_done;
} counters = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* The longest prefix for which there is a hop. */
static uint32_t look_up(uint64_t address)
{
	for (int bits = 12; bits > 0; bits--) {
		uint64_t prefix = mix(address >> (40 - bits)) % ROUTES;

		if (table.next_hops[prefix] & 1u << bits)
			return table.next_hops[prefix];
	}
	return 0;
}

static uint64_t forward_batch(uint64_t batch)
{
	uint64_t sum = 0;

	pthread_rwlock_rdlock(&table.lock);
	for (uint64_t i = 0; i < PACKETS; i++) {
		uint64_t address = mix(batch * PACKETS + i) >> 24;

		sum += (look_up(address) ^ address) & 0xffff;
		for (int k = 0; k < 16; k++)
			sum = mix(sum + address) & 0xffffffff;
	}
	pthread_rwlock_unlock(&table.lock);
	return sum;
}

static void *forward_packets(void *sum)
{
	uint64_t first = *(uint64_t *)sum * BATCHES;

	for (uint64_t batch = first; batch < first + BATCHES; batch++) {
		*(uint64_t *)sum += forward_batch(batch);
		if (batch % 8)
			continue;
		pthread_mutex_lock(&counters.lock);
		counters.packets += 8 * PACKETS;
		pthread_mutex_unlock(&counters.lock);
	}
	return NULL;
}

/* Costs settle after some rounds over all neighbours. */
static uint32_t compute_route(uint64_t update)
{
	uint32_t costs[256], best = 0;

	for (int i = 0; i < 256; i++)
		costs[i] = (uint32_t)mix(update + (uint64_t)i) % 1000;
	for (int round = 0; round < SETTLINGS; round++)
		for (int i = 0; i < 256; i++) {
			uint32_t through = costs[(i * 7 + round) & 255] + 3 + (i & 7);
			costs[i] = costs[i] < through ? costs[i] : through;
		}
	for (int i = 0; i < 256; i++)
		best += costs[i];
	return best;
}

/* How long a route has been known has no part in where packets go. */
static void install_route(uint64_t update, uint32_t cost)
{
	pthread_rwlock_wrlock(&table.lock);
	for (int i = 0; i < ROUTES; i++)
		table.ages[i] += (uint32_t)(mix(update) + cost) & 0xff;
	pthread_rwlock_unlock(&table.lock);
}

static void *update_routes(void *unused)
{
	for (uint64_t update = 0; update < UPDATES; update++)
		install_route(update, compute_route(update));
	return unused;
}

static void *print_counters(void *unused)
{
	int is_done = 0;

	while (!is_done) {
		usleep(40000);
		pthread_mutex_lock(&counters.lock);
		counters.prints++;
		is_done = counters.is_done;
		pthread_mutex_unlock(&counters.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t forwarders[FORWARDERS], updater, printer;
	uint64_t sums[FORWARDERS], ages = 0;
	pthread_rwlockattr_t attribute;

	(void)argv;
	pthread_rwlockattr_init(&attribute);
	if (argc > 1)
		pthread_rwlockattr_setkind_np(&attribute,
					      PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&table.lock, &attribute);
	for (int i = 0; i < ROUTES; i++)
		table.next_hops[i] = (uint32_t)mix((uint64_t)i);
	pthread_create(&printer, NULL, print_counters, NULL);
	for (int i = 0; i < FORWARDERS; i++) {
		sums[i] = (uint64_t)i;
		pthread_create(&forwarders[i], NULL, forward_packets, &sums[i]);
	}
	pthread_create(&updater, NULL, update_routes, NULL);
	for (int i = 0; i < FORWARDERS; i++)
		pthread_join(forwarders[i], NULL);
	pthread_join(updater, NULL);
	pthread_mutex_lock(&counters.lock);
	counters.is_done = 1;
	pthread_mutex_unlock(&counters.lock);
	pthread_join(printer, NULL);
	for (int i = 0; i < ROUTES; i++)
		ages += table.ages[i];
	printf("%lu packets, hops %lx, ages %lu\n", (unsigned long)counters.packets,
	       (unsigned long)(sums[0] + sums[1]), (unsigned long)ages);
	return 0;
}
