/* SPDX-License-Identifier: MIT */
/* Counts the words of a text of made-up lines with OpenMP. The lines are shared out evenly, but all
 * threads count into one hash table, for which they enter a critical section with every single
 * word. Innocent: the text is made first by one thread, very long words are gathered in another
 * critical section that is hardly ever entered, a thread prints progress four times a second to a
 * log that is off, and the table's entries are summed up at the end.
 *
 * cause: the critical section around the table of words is entered for each word
 * finding: omp-lock
 * change: add_word .*with all that it calls
 * place: count_word|add_line|count_lines|table
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LINES = 30000,
	LINE_SIZE = 480,
	SLOTS = 1 << 14,
	VOCABULARY = 6000,
	LONG_WORD = 19,
	ROUNDS = 9
};

struct entry {
	uint64_t hash;
	long times;
};

struct table {
	struct entry slots[SLOTS];
};

static char text[LINES][LINE_SIZE];
static struct table words;
static long long_words;
static atomic_long lines_done;

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Small numbers are much more frequent than large ones, as words are in a language. */
static uint32_t choose_word(uint32_t *state)
{
	uint32_t limit = 1 + next_random(state) % VOCABULARY;

	return next_random(state) % limit;
}

static char *write_word(char *to, uint32_t word)
{
	uint32_t letters = word % 997 == 0 ? LONG_WORD : 3 + word % 6;

	for (uint32_t i = 0; i < letters; i++)
		*to++ = (char)('a' + (word >> i) % 26);
	*to++ = ' ';
	return to;
}

static void make_text(void)
{
	uint32_t state = 2024;

	for (int line = 0; line < LINES; line++) {
		char *to = text[line];
		while (to < text[line] + LINE_SIZE - LONG_WORD - 2)
			to = write_word(to, choose_word(&state));
	}
}

static uint64_t hash_word(const char *word, int length)
{
	uint64_t hash = 14695981039346656037u;

	for (int i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)word[i]) * 1099511628211u;
	return hash | 1;
}

static void count_word(struct table *table, uint64_t hash, long times)
{
	unsigned slot = hash >> 32 & (SLOTS - 1);

	while (table->slots[slot].hash && table->slots[slot].hash != hash)
		slot = (slot + 1) & (SLOTS - 1);
	table->slots[slot].hash = hash;
	table->slots[slot].times += times;
}

static void add_word(struct table *own, const char *word, int length)
{
	uint64_t hash = hash_word(word, length);

	if (own) {
		count_word(own, hash, 1);
	} else {
#pragma omp critical(table)
		count_word(&words, hash, 1);
	}
	if (length >= LONG_WORD) {
#pragma omp critical(long_words)
		long_words++;
	}
}

static void add_line(struct table *own, const char *line)
{
	while (*line) {
		int length = (int)strcspn(line, " ");
		add_word(own, line, length);
		line += length + 1;
	}
}

static void merge_table(const struct table *own)
{
#pragma omp critical(table)
	for (int slot = 0; slot < SLOTS; slot++)
		if (own->slots[slot].times)
			count_word(&words, own->slots[slot].hash, own->slots[slot].times);
}

static void count_lines(bool apart)
{
#pragma omp parallel
	{
		struct table *own = apart ? calloc(1, sizeof *own) : NULL;
#pragma omp for schedule(static)
		for (int line = 0; line < LINES; line++) {
			add_line(own, text[line]);
			if (line % 64 == 0)
				atomic_fetch_add(&lines_done, 64);
		}
		if (own)
			merge_table(own);
		free(own);
	}
}

static void *show_progress(void *log)
{
	struct timespec quarter = {.tv_nsec = 250000000};

	while (!nanosleep(&quarter, NULL))
		if (log)
			fprintf(log, "%ld lines\n", atomic_load(&lines_done));
	return NULL;
}

static uint64_t sum_table(void)
{
	uint64_t sum = 0;

	for (int slot = 0; slot < SLOTS; slot++)
		sum += words.slots[slot].hash % 1000003 * (uint64_t)words.slots[slot].times;
	return sum;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t progress;

	pthread_create(&progress, NULL, show_progress, NULL);
	make_text();
	for (int round = 0; round < ROUNDS; round++)
		count_lines(fixed);
	printf("%llu %ld\n", (unsigned long long)sum_table(), long_words);
	return 0;
}
