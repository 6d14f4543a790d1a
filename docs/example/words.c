/* SPDX-License-Identifier: MIT */
/* Counts the words of a text with several threads: the example of `make demo` and of docs/tutorial.md.
 *
 *   words [THREADS [MEGABYTES]]     prints how many words there are, and how many different ones
 *
 * It is right, and hardly faster with two threads than with one. -DSTEP=1 and -DSTEP=2 build what the tutorial makes of it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef STEP
#define STEP 0
#endif

enum { SLOTS = 1 << 16, LONGEST_WORD = 15, MOST_THREADS = 64 };

struct entry {
	char word[LONGEST_WORD + 1];
	unsigned long count;
};

struct table {
	struct entry entries[SLOTS];
};

static struct table shared_table;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;
static size_t text_length;
static int threads;

struct part {
	size_t begin, end;
	struct table *own; /* STEP 2 */
};

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Lower-case words of 2 or 3 letters, blank after each. */
static void make_text(size_t length)
{
	uint32_t state = 2463534242u;

	text = malloc(length + 8);
	while (text_length < length) {
		uint32_t random = next_random(&state);
		int letters = 2 + (int)(random >> 31);
		for (int i = 0; i < letters; i++, random >>= 5)
			text[text_length++] = (char)('a' + random % 26);
		text[text_length++] = ' ';
	}
}

/* A thorough hash, and not a quick one. */
static uint32_t hash_word(const char *word, size_t length)
{
	uint64_t hash = 1469598103934665603u;

	for (int round = 0; round < 8; round++)
		for (size_t i = 0; i < length; i++)
			hash = (hash ^ (unsigned char)word[i]) * 1099511628211u;
	return (uint32_t)(hash ^ hash >> 32) % SLOTS;
}

static void count_word(struct table *table, uint32_t slot, const char *word, size_t length)
{
	while (table->entries[slot].count && (memcmp(table->entries[slot].word, word, length) ||
					      table->entries[slot].word[length]))
		slot = (slot + 1) % SLOTS;
	memcpy(table->entries[slot].word, word, length);
	table->entries[slot].count++;
}

static void add_word(struct part *part, const char *word, size_t length)
{
#if STEP == 0
	(void)part;
	pthread_mutex_lock(&table_lock);
	count_word(&shared_table, hash_word(word, length), word, length);
	pthread_mutex_unlock(&table_lock);
#elif STEP == 1
	(void)part;
	uint32_t slot = hash_word(word, length);
	pthread_mutex_lock(&table_lock);
	count_word(&shared_table, slot, word, length);
	pthread_mutex_unlock(&table_lock);
#else
	count_word(part->own, hash_word(word, length), word, length);
#endif
}

static void merge_table(const struct table *own)
{
	pthread_mutex_lock(&table_lock);
	for (uint32_t i = 0; i < SLOTS; i++) {
		const struct entry *entry = &own->entries[i];
		if (!entry->count)
			continue;
		size_t length = strlen(entry->word);
		uint32_t slot = hash_word(entry->word, length);
		count_word(&shared_table, slot, entry->word, length);
		while (strcmp(shared_table.entries[slot].word, entry->word))
			slot = (slot + 1) % SLOTS;
		shared_table.entries[slot].count += entry->count - 1;
	}
	pthread_mutex_unlock(&table_lock);
}

static void *count_part(void *argument)
{
	struct part *part = argument;
	const char *at = text + part->begin, *end = text + part->end;

	if (STEP == 2)
		part->own = calloc(1, sizeof *part->own);
	while (at < end) {
		const char *blank = memchr(at, ' ', (size_t)(end - at));
		add_word(part, at, (size_t)(blank - at));
		at = blank + 1;
	}
	if (STEP == 2)
		merge_table(part->own);
	return NULL;
}

static void print_totals(void)
{
	unsigned long words = 0, different = 0;

	for (uint32_t i = 0; i < SLOTS; i++) {
		words += shared_table.entries[i].count;
		different += shared_table.entries[i].count > 0;
	}
	printf("%lu words, %lu different\n", words, different);
}

int main(int argc, char **argv)
{
	pthread_t thread[MOST_THREADS];
	struct part parts[MOST_THREADS];
	size_t at = 0;

	threads = argc > 1 ? atoi(argv[1]) : 2;
	if (threads < 1 || threads > MOST_THREADS)
		return 2;
	make_text((size_t)(argc > 2 ? atoi(argv[2]) : 24) << 20);
	for (int i = 0; i < threads; i++) {
		size_t end = text_length * (size_t)(i + 1) / (size_t)threads;
		while (text[end - 1] != ' ')
			end--;
		parts[i] = (struct part){.begin = at, .end = end};
		at = end;
		pthread_create(&thread[i], NULL, count_part, &parts[i]);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	print_totals();
	return 0;
}
