/* SPDX-License-Identifier: MIT */
/* An index of words: one thread reads blocks of an archive, unpacks them and puts them into a
 * queue; three threads count their words. The cause is that the reader unpacks, which takes longer
 * than all the counting: the pool waits for blocks. Fixed, the reader hands on packed blocks, and
 * the pool unpacks them. Innocent: the lock of the totals, a thread that shows progress.
 *
 * cause: a single thread unpacks all blocks and feeds a pool that is faster
 * finding: condition-wait sequential
 * place: read_archive|unpack_block|put_block|has_blocks
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNTERS = 3, BLOCKS = 1100, BLOCK_BYTES = 65536, QUEUE = 8, BUCKETS = 4096 };

struct block {
	uint32_t seed;
	int is_packed;
	char text[BLOCK_BYTES];
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t has_blocks, has_room;
	struct block *blocks[QUEUE];
	unsigned first, filled;
	int is_closed;
} queue = {PTHREAD_MUTEX_INITIALIZER,
	   PTHREAD_COND_INITIALIZER,
	   PTHREAD_COND_INITIALIZER,
	   {0},
	   0,
	   0,
	   0};

static struct {
	pthread_mutex_t lock;
	uint64_t words, checksum;
} totals = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int blocks_done, is_finished;
static int pool_unpacks;

/* The text of a block out of its seed: an order-0 model whose table is searched for each letter. */
static void unpack_block(struct block *block)
{
	uint32_t state = block->seed, weights[32], sum = 0;

	for (int i = 0; i < 32; i++)
		sum += weights[i] = 1 + (block->seed * (i + 3)) % 29;
	for (int i = 0; i < BLOCK_BYTES; i++) {
		state = state * 1664525 + 1013904223;
		uint32_t point = (state >> 8) % sum, letter = 0;

		while (point >= weights[letter])
			point -= weights[letter++];
		block->text[i] = letter < 26 ? (char)('a' + letter) : ' ';
	}
	block->is_packed = 0;
}

static void put_block(struct block *block)
{
	pthread_mutex_lock(&queue.lock);
	while (queue.filled == QUEUE)
		pthread_cond_wait(&queue.has_room, &queue.lock);
	queue.blocks[(queue.first + queue.filled++) % QUEUE] = block;
	pthread_cond_signal(&queue.has_blocks);
	pthread_mutex_unlock(&queue.lock);
}

static struct block *take_block(void)
{
	struct block *block = NULL;

	pthread_mutex_lock(&queue.lock);
	while (!queue.filled && !queue.is_closed)
		pthread_cond_wait(&queue.has_blocks, &queue.lock);
	if (queue.filled) {
		block = queue.blocks[queue.first];
		queue.first = (queue.first + 1) % QUEUE;
		queue.filled--;
		pthread_cond_signal(&queue.has_room);
	}
	pthread_mutex_unlock(&queue.lock);
	return block;
}

static void count_words(const struct block *block)
{
	static _Thread_local uint32_t buckets[BUCKETS];
	uint64_t words = 0, checksum = 0;
	uint32_t hash = 2166136261u;

	for (int i = 0; i < BLOCK_BYTES; i++) {
		hash = (hash ^ (unsigned char)block->text[i]) * 16777619u;
		if (block->text[i] == ' ') {
			buckets[hash % BUCKETS]++;
			checksum += hash;
			hash = 2166136261u;
			words++;
		}
	}
	pthread_mutex_lock(&totals.lock);
	totals.words += words;
	totals.checksum += checksum;
	pthread_mutex_unlock(&totals.lock);
}

static void *count_blocks(void *unused)
{
	struct block *block;

	while ((block = take_block())) {
		if (block->is_packed)
			unpack_block(block);
		count_words(block);
		count_words(block);
		free(block);
		blocks_done++;
	}
	return unused;
}

static void read_archive(void)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct block *block = malloc(sizeof(*block));

		block->seed = (uint32_t)i * 2654435761u + 17;
		block->is_packed = 1;
		if (!pool_unpacks)
			unpack_block(block);
		put_block(block);
	}
	pthread_mutex_lock(&queue.lock);
	queue.is_closed = 1;
	pthread_cond_broadcast(&queue.has_blocks);
	pthread_mutex_unlock(&queue.lock);
}

static void *show_progress(void *unused)
{
	while (!is_finished)
		usleep(25000);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t counters[COUNTERS], progress;

	(void)argv;
	pool_unpacks = argc > 1;
	pthread_create(&progress, NULL, show_progress, NULL);
	for (int i = 0; i < COUNTERS; i++)
		pthread_create(&counters[i], NULL, count_blocks, NULL);
	read_archive();
	for (int i = 0; i < COUNTERS; i++)
		pthread_join(counters[i], NULL);
	is_finished = 1;
	pthread_join(progress, NULL);
	printf("%d blocks, %lu words, checksum %lx\n", blocks_done, (unsigned long)totals.words,
	       (unsigned long)totals.checksum);
	return 0;
}
