/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_file(unsigned sequence)
{
	char path[200];

	snprintf(path, sizeof path, "%s/host-%d-%u.profile", scratch_directory(), getpid(),
		 sequence);
	return access(path, F_OK) == 0;
}

START_TEST(an_open_store_has_a_whole_header)
{
	ck_assert_int_eq(scratch_open(), 0);
	const struct format_header *header = store_header();
	ck_assert_mem_eq(header->magic, FORMAT_MAGIC, 8);
	ck_assert_uint_eq(header->version, FORMAT_VERSION);
	ck_assert_uint_eq(header->state, FORMAT_STATE_RUNNING);
	ck_assert_uint_eq(header->used_bytes, header->blocks_offset);
	ck_assert_mem_eq((const char *)header + header->schema_offset, "ptrace schema 1\n", 16);
	ck_assert(has_file(0));
}
END_TEST

START_TEST(the_next_image_takes_the_next_sequence)
{
	ck_assert_int_eq(scratch_open(), 0);
	store_forget();
	ck_assert_ptr_null(store_header());
	ck_assert_int_eq(store_open(scratch_directory(), "host", (uint32_t)getpid(), 1), 0);
	ck_assert_uint_eq(store_header()->sequence, 1);
	ck_assert(has_file(1));
}
END_TEST

START_TEST(a_directory_that_is_not_there_is_an_error_and_no_more)
{
	errno = 77;
	ck_assert_int_eq(store_open("/nonexistent/directory", "host", 1, 1), -ENOENT);
	ck_assert_int_eq(errno, 77);
	ck_assert_ptr_null(store_header());
	ck_assert_ptr_null(store_block(TABLE_waits, 64, 0, 0, 1));
}
END_TEST

START_TEST(blocks_grow_over_extents_and_stay_zeroed)
{
	static const char zeros[4100];

	ck_assert_int_eq(scratch_open(), 0);
	uint64_t before = store_header()->file_bytes;
	for (int i = 0; i < 500; i++) {
		struct format_block *block = store_block(TABLE_waits, 100, 3, 0, 41);
		ck_assert_ptr_nonnull(block);
		ck_assert_mem_eq(store_rows(block), zeros, sizeof zeros);
		memset(store_rows(block), 0xff, 4100);
	}
	ck_assert_uint_gt(store_header()->file_bytes, before);
	ck_assert_uint_eq(scratch_walk(NULL, NULL), 500);
}
END_TEST

START_TEST(a_full_file_refuses_and_stays_whole)
{
	ck_assert_int_eq(scratch_open(), 0);
	unsigned count = 0;
	while (store_block(TABLE_waits, 1000, 0, 0, 60))
		count++;
	ck_assert_int_eq(store_failure(), STORE_FULL);
	ck_assert_uint_le(store_header()->file_bytes, FORMAT_MAX_BYTES);
	ck_assert_uint_le(store_header()->used_bytes, store_header()->file_bytes);
	ck_assert_uint_ge(count * UINT64_C(60000), FORMAT_MAX_BYTES / 10 * 9);
	ck_assert_uint_eq(scratch_walk(NULL, NULL), count);
	store_count_loss();
	ck_assert_uint_eq(store_header()->lost_rows, 1);
}
END_TEST

/* The process dies by SIGXFSZ where the store does not ask. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

START_TEST(a_limit_of_file_sizes_is_kept)
{
	limit_files(FORMAT_LEAST_BYTES + 5000);
	ck_assert_int_eq(scratch_open(), 0);
	ck_assert_uint_eq(store_header()->file_bytes, FORMAT_LEAST_BYTES + 4096);
	while (store_block(TABLE_waits, 100, 0, 0, 10))
		;
	ck_assert_int_eq(store_failure(), EFBIG);
	ck_assert_ptr_nonnull(store_block(TABLE_notes, 24, 0, 0, 20));
	limit_files(RLIM_INFINITY);
}
END_TEST

START_TEST(a_limit_below_the_least_profile_leaves_no_file)
{
	limit_files(FORMAT_LEAST_BYTES - 1);
	ck_assert_int_eq(scratch_open(), -EFBIG);
	ck_assert(!has_file(0));
	limit_files(RLIM_INFINITY);
}
END_TEST

START_TEST(without_descriptors_growth_is_tried_again)
{
	struct rlimit limit, none;

	ck_assert_int_eq(scratch_open(), 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	while (store_block(TABLE_waits, 1000, 0, 0, 10))
		;
	ck_assert_int_eq(store_failure(), EMFILE);
	setrlimit(RLIMIT_NOFILE, &limit);
	usleep(20000);
	ck_assert_ptr_nonnull(store_block(TABLE_waits, 1000, 0, 0, 10));
	ck_assert_int_eq(store_failure(), 0);
}
END_TEST

START_TEST(texts_are_kept_and_cut)
{
	static char huge[9000];

	ck_assert_int_eq(scratch_open(), 0);
	memset(huge, 'h', sizeof huge - 1);
	uint64_t first = store_string("first"), second = store_string("second"),
		 third = store_string(huge);
	ck_assert_uint_ne(first, 0);
	ck_assert_uint_eq(second, first + 6);
	ck_assert_uint_ne(third, 0);
	for (int i = 0; i < 5000; i++)
		ck_assert_uint_ne(store_string("one of many that need more than one block"), 0);
	scratch_walk(NULL, NULL);
}
END_TEST

static void find_text(const struct format_block *block, void *text)
{
	uint64_t *number = text;

	if (block->table == TABLE_strings && *number >= block->first_row &&
	    *number < block->first_row + block->rows)
		*number = (uint64_t)(uintptr_t)(block + 1) + *number - block->first_row;
}

START_TEST(two_texts_are_kept_as_one)
{
	static char huge[9000];

	ck_assert_int_eq(scratch_open(), 0);
	memset(huge, 'h', sizeof huge - 1);
	uint64_t joined = store_joined("/directory/", "name"), next = store_string("next");
	ck_assert_uint_ne(joined, 0);
	ck_assert_uint_eq(next, joined + sizeof "/directory/name");
	ck_assert_uint_ne(store_joined("/directory/", huge), 0);
	ck_assert_uint_ne(store_joined(huge, "name"), 0);
	ck_assert_uint_ne(store_joined(huge, huge), 0);
	scratch_walk(find_text, &joined);
	ck_assert_str_eq((const char *)(uintptr_t)joined, "/directory/name");
}
END_TEST

START_TEST(a_directory_that_vanishes_stops_growth_only)
{
	ck_assert_int_eq(scratch_open(), 0);
	char path[200];
	snprintf(path, sizeof path, "%s/host-%d-0.profile", scratch_directory(), getpid());
	unlink(path);
	rmdir(scratch_directory());
	unsigned count = 0;
	while (store_block(TABLE_waits, 1000, 0, 0, 10))
		count++;
	ck_assert_uint_gt(count, 0);
	ck_assert_int_eq(store_failure(), ENOENT);
}
END_TEST

START_TEST(another_file_of_that_name_is_not_touched)
{
	ck_assert_int_eq(scratch_open(), 0);
	char path[200];
	struct stat status;
	snprintf(path, sizeof path, "%s/host-%d-0.profile", scratch_directory(), getpid());
	unlink(path);
	fclose(fopen(path, "w"));
	while (store_block(TABLE_waits, 1000, 0, 0, 10))
		;
	ck_assert_int_eq(store_failure(), ESTALE);
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_int_eq(status.st_size, 0);
}
END_TEST

enum { WRITERS = 2, BLOCKS_EACH = 3000 };

static uint32_t writers_left = WRITERS;
static unsigned blocks_given; /* a thread does not wait for ever for another one's growth */

static void *write_blocks(void *number)
{
	for (int i = 0; i < BLOCKS_EACH; i++) {
		struct format_block *block = store_block(
			TABLE_blame, 24, (uint32_t)(uintptr_t)number, 0, 1 + (uint32_t)i % 90);
		if (block) {
			memset(store_rows(block), 0x5a, 24);
			__atomic_fetch_add(&blocks_given, 1, __ATOMIC_RELAXED);
		}
		if (i % 5 == 0)
			store_string("a text between blocks");
	}
	__atomic_fetch_sub(&writers_left, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void *write_or_read(void *number)
{
	if ((uintptr_t)number < WRITERS)
		return write_blocks(number);
	while (__atomic_load_n(&writers_left, __ATOMIC_ACQUIRE))
		scratch_walk(NULL, NULL);
	return NULL;
}

static void count_blame(const struct format_block *block, void *count)
{
	*(unsigned *)count += block->table == TABLE_blame;
}

START_TEST(a_reader_walks_while_threads_write)
{
	unsigned count = 0;

	ck_assert_int_eq(scratch_open(), 0);
	scratch_run(WRITERS + 1, write_or_read);
	scratch_walk(count_blame, &count);
	ck_assert_uint_eq(count, blocks_given);
	ck_assert_uint_ge(blocks_given, WRITERS * BLOCKS_EACH * 9 / 10);
}
END_TEST

static uint64_t file_length(void)
{
	char path[300];
	struct stat status;

	snprintf(path, sizeof path, "%s/host-%d-0.profile", scratch_directory(), getpid());
	ck_assert_int_eq(stat(path, &status), 0);
	return (uint64_t)status.st_size;
}

START_TEST(a_trimmed_file_is_as_long_as_what_is_used_and_grows_again)
{
	ck_assert_int_eq(scratch_open(), 0);
	const struct format_header *header = store_header();
	struct format_block *first = store_block(TABLE_blame, 24, 0, 0, 10);
	uint64_t before = file_length(), used = header->used_bytes;
	memset(store_rows(first), 0x5a, 240);
	store_trim();
	ck_assert_uint_eq(file_length(), header->file_bytes);
	ck_assert_uint_lt(file_length(), before);
	ck_assert_uint_ge(file_length(), used);
	ck_assert_uint_lt(file_length(), used + 2 * 4096);
	for (int i = 0; i < 1000; i++) {
		struct format_block *block = store_block(TABLE_blame, 24, 0, 0, 10);
		ck_assert_ptr_nonnull(block);
		memset(store_rows(block), 0x5a, 240);
	}
	ck_assert_uint_eq(scratch_walk(NULL, NULL), 1001);
	ck_assert_int_eq(store_failure(), 0);
}
END_TEST

/* Bytes of the profile that are mapped behind its end: to touch them raises SIGBUS. */
static uint64_t mapped_behind(uint64_t length)
{
	unsigned long from, to, offset, behind = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[600];

	while (fgets(line, sizeof line, maps))
		if (strstr(line, ".profile") &&
		    sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) == 3 &&
		    offset + (to - from) > length)
			behind += offset + (to - from) - length;
	fclose(maps);
	return behind;
}

START_TEST(nothing_is_mapped_behind_the_end_of_a_trimmed_file)
{
	ck_assert_int_eq(scratch_open(), 0);
	for (int i = 0; i < 3; i++) {
		store_trim();
		ck_assert_uint_eq(mapped_behind(file_length()), 0);
		for (int j = 0; j < 1000; j++)
			ck_assert_ptr_nonnull(store_block(TABLE_blame, 24, 0, 0, 10));
	}
}
END_TEST

/* As a program does that fails to exec, does something else, and fails again. */
START_TEST(a_file_grows_again_however_often_it_was_trimmed)
{
	enum { TIMES = 500 };

	ck_assert_int_eq(scratch_open(), 0);
	for (int i = 0; i < TIMES; i++) {
		store_trim();
		for (int j = 0; j < 3; j++)
			ck_assert_ptr_nonnull(store_block(TABLE_blame, 24, 0, 0, 300));
	}
	ck_assert_int_eq(store_failure(), 0);
	ck_assert_uint_eq(scratch_walk(NULL, NULL), 3 * TIMES);
	store_trim();
	ck_assert_uint_eq(mapped_behind(file_length()), 0);
}
END_TEST

/* Where something else lies behind the last window, the file grows elsewhere. */
START_TEST(a_trimmed_file_grows_where_there_is_room)
{
	ck_assert_int_eq(scratch_open(), 0);
	for (int i = 0; i < 20; i++) {
		struct format_block *last = store_block(TABLE_blame, 24, 0, 0, 10);
		store_trim();
		char *behind = (char *)(((uintptr_t)last | 4095) + 1);
		for (int page = 0; page < 4; page++)
			mmap(behind + page * 4096, 4096, PROT_READ,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		for (int j = 0; j < 100; j++)
			memset(store_rows(store_block(TABLE_blame, 24, 0, 0, 100)), 0x5a, 2400);
	}
	ck_assert_int_eq(store_failure(), 0);
	ck_assert_uint_eq(scratch_walk(NULL, NULL), 20 * 101);
}
END_TEST

static void *write_or_trim(void *number)
{
	if ((uintptr_t)number < WRITERS)
		return write_blocks(number);
	/* each leaves a page or two behind that nobody uses */
	for (int i = 0; i < 300 && __atomic_load_n(&writers_left, __ATOMIC_ACQUIRE); i++) {
		store_trim();
		usleep(50);
	}
	return NULL;
}

START_TEST(nothing_is_lost_by_trimming_while_threads_write)
{
	unsigned count = 0;

	ck_assert_int_eq(scratch_open(), 0);
	scratch_run(WRITERS + 1, write_or_trim);
	scratch_walk(count_blame, &count);
	ck_assert_uint_eq(count, blocks_given);
	ck_assert_uint_ge(blocks_given, WRITERS * BLOCKS_EACH * 9 / 10);
	ck_assert_int_eq(store_failure(), 0);
}
END_TEST

UNIT_MAIN("store", an_open_store_has_a_whole_header, the_next_image_takes_the_next_sequence,
	  a_directory_that_is_not_there_is_an_error_and_no_more,
	  blocks_grow_over_extents_and_stay_zeroed, a_full_file_refuses_and_stays_whole,
	  a_limit_of_file_sizes_is_kept, a_limit_below_the_least_profile_leaves_no_file,
	  without_descriptors_growth_is_tried_again, texts_are_kept_and_cut,
	  two_texts_are_kept_as_one, a_directory_that_vanishes_stops_growth_only,
	  another_file_of_that_name_is_not_touched, a_reader_walks_while_threads_write,
	  a_trimmed_file_is_as_long_as_what_is_used_and_grows_again,
	  nothing_is_mapped_behind_the_end_of_a_trimmed_file,
	  a_file_grows_again_however_often_it_was_trimmed, a_trimmed_file_grows_where_there_is_room,
	  nothing_is_lost_by_trimming_while_threads_write)
