/* SPDX-License-Identifier: MIT */
/* Sums up the sizes of a tree of folders, with OpenMP tasks: each folder makes one for each folder
 * in it, down to those with a handful of files. Innocent: the tree is built by one thread, files
 * that several folders share are marked under a lock, rarely, and a watchdog sleeps.
 *
 * cause: there is a task for every folder, most of which are less than a microsecond of work
 * finding: omp-small-tasks
 * place: size_of_folder|size_of_tree|size_of_all
 * launch: OMP_NUM_THREADS=2
 * build: openmp
 */
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 8, CHILDREN = 5, FILES = 24, FOLDERS = 488281, PASSES = 6, CUT = 3 };

struct folder {
	struct folder *children[CHILDREN];
	int child_count;
	uint32_t files[FILES];
};

static struct folder folders[FOLDERS];
static int folder_count;
static omp_lock_t shared_lock;
static long shared_files;
static pthread_mutex_t end_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end = PTHREAD_COND_INITIALIZER;
static bool ended;

static struct folder *make_folder(int depth, uint32_t *state)
{
	struct folder *folder = &folders[folder_count++];

	for (int i = 0; i < FILES; i++) {
		*state = *state * 1664525u + 1013904223u;
		folder->files[i] = *state >> 12;
	}
	folder->child_count = depth ? CHILDREN : 0;
	for (int i = 0; i < folder->child_count; i++)
		folder->children[i] = make_folder(depth - 1, state);
	return folder;
}

static bool is_shared(uint32_t size)
{
	return size % 65536 == 77;
}

/* On a disk of blocks of 4 KiB, with an index block for each 512 of them. */
static uint64_t size_of_file(uint32_t size)
{
	uint64_t blocks = (size + 4095) / 4096;

	if (is_shared(size)) {
		omp_set_lock(&shared_lock);
		shared_files++;
		omp_unset_lock(&shared_lock);
	}
	return blocks + (blocks + 511) / 512 + size % 7;
}

static uint64_t size_of_files(const struct folder *folder)
{
	uint64_t sum = 0;

	for (int i = 0; i < FILES; i++)
		sum += size_of_file(folder->files[i]);
	return sum;
}

static uint64_t size_of_tree(const struct folder *folder)
{
	uint64_t sum = size_of_files(folder);

	for (int i = 0; i < folder->child_count; i++)
		sum += size_of_tree(folder->children[i]);
	return sum;
}

/* With tasks for the folders below, as long as they are above `cut`. */
static uint64_t size_of_folder(const struct folder *folder, int depth, int cut)
{
	uint64_t sizes[CHILDREN] = {0}, sum = size_of_files(folder);

	if (depth == cut)
		return size_of_tree(folder);
	for (int i = 0; i < folder->child_count; i++) {
#pragma omp task shared(sizes) firstprivate(i)
		sizes[i] = size_of_folder(folder->children[i], depth + 1, cut);
	}
#pragma omp taskwait
	for (int i = 0; i < folder->child_count; i++)
		sum += sizes[i];
	return sum;
}

static uint64_t size_of_all(const struct folder *root, int cut)
{
	uint64_t sum = 0;

#pragma omp parallel
#pragma omp single
	sum = size_of_folder(root, 0, cut);
	return sum;
}

static void *watch(void *unused)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 60;
	pthread_mutex_lock(&end_mutex);
	while (!ended)
		if (pthread_cond_timedwait(&end, &end_mutex, &until))
			abort();
	pthread_mutex_unlock(&end_mutex);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	uint32_t state = 7;
	uint64_t sum = 0;
	pthread_t watchdog;

	omp_init_lock(&shared_lock);
	pthread_create(&watchdog, NULL, watch, NULL);
	struct folder *root = make_folder(DEPTH, &state);
	for (int pass = 0; pass < PASSES; pass++)
		sum += size_of_all(root, fixed ? CUT : DEPTH + 1);
	pthread_mutex_lock(&end_mutex);
	ended = true;
	pthread_cond_signal(&end);
	pthread_mutex_unlock(&end_mutex);
	pthread_join(watchdog, NULL);
	printf("%llu %ld\n", (unsigned long long)sum, shared_files);
	return 0;
}
