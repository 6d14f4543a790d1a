/* SPDX-License-Identifier: MIT */
#include "store.h"

#include "clock.h"
#include "likely.h"
#include "pages.h"
#include "schema_text.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	FIRST_EXTENT = 128 << 10, /* enough for a process that does little */
	NEXT_EXTENT = 128 << 10,
	RESERVE = 24 << 10, /* grow while this much is left, so that handlers rarely have to */
	STRINGS_BLOCK = 4096,
	GROWTH_PATIENCE_NS = 100000000, /* before a thread gives up on another one's growth */
};

static struct {
	struct format_header *header; /* base of the mapping; NULL: no store */
	char path[PATH_MAX];
	size_t directory_length;
	dev_t device;
	ino_t inode;
	atomic_flag growing; /* held by the one thread that extends the file; tried, never waited
				for in handlers */
	int failure;
	_Atomic(struct format_block *) strings; /* the block that texts go to */
} store;

static __thread bool may_not_wait;
/* This thread grows the file: whatever calls it from inside of that cannot have it grown again. */
static __thread bool is_growing;

void store_forbid_waiting(bool forbid)
{
	may_not_wait = forbid;
}

struct format_header *store_header(void)
{
	return store.header;
}

const char *store_directory(void)
{
	static char directory[PATH_MAX];

	memcpy(directory, store.path, store.directory_length);
	directory[store.directory_length] = '\0';
	return directory;
}

int store_failure(void)
{
	return store.failure;
}

void store_seal(void)
{
	store.failure = EPERM;
}

void store_count_loss(void)
{
	if (store.header)
		__atomic_fetch_add(&store.header->lost_rows, 1, __ATOMIC_RELAXED);
}

/* The file's space from `from` to `to`, allocated and mapped at its place. 0 or an errno. */
static int map_extent(int fd, uint64_t from, uint64_t to)
{
	/* not ftruncate: a page of a hole cannot be had on a full disk, and touching it is death by
	 * SIGBUS */
	int error;

	do
		error = posix_fallocate(fd, (off_t)from, (off_t)(to - from));
	while (error == EINTR);
	if (error)
		return error;
	void *place = (char *)store.header + from;
	pages_map(place, to - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)from,
		  &error);
	return error;
}

/* The file is opened by name for each growth: a descriptor that is kept would be one that the
 * program can see, count, or close. */
static int grow_to(uint64_t bytes)
{
	struct stat status;
	int error = 0;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, store.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);

	if (fd < 0)
		return errno;
	if (fstat(fd, &status) || status.st_ino != store.inode || status.st_dev != store.device)
		error = ESTALE;
	if (!error)
		error = map_extent(fd, store.header->file_bytes, bytes);
	syscall(SYS_close, fd);
	if (!error) /* release: whoever sees the new size also sees the mapping */
		__atomic_store_n(&store.header->file_bytes, bytes, __ATOMIC_RELEASE);
	return error;
}

/* One thread grows, the others wait for it where they may. True: look again whether there is space.
 */
static bool grow(uint64_t needed)
{
	if (store.failure || needed > FORMAT_MAX_BYTES) {
		if (!store.failure)
			store.failure = ENOSPC;
		return false;
	}
	if (atomic_flag_test_and_set_explicit(&store.growing, memory_order_acquire)) {
		if (may_not_wait || is_growing)
			return false;
		uint64_t until_ns = clock_now_ns() + GROWTH_PATIENCE_NS;
		while (__atomic_load_n(&store.header->file_bytes, __ATOMIC_ACQUIRE) < needed) {
			if (clock_now_ns() > until_ns || store.failure)
				return false;
			syscall(SYS_sched_yield);
		}
		return true;
	}
	uint64_t have = store.header->file_bytes;
	uint64_t bytes = (needed + NEXT_EXTENT + have / 4) & ~(uint64_t)(4096 - 1);
	if (bytes > FORMAT_MAX_BYTES)
		bytes = FORMAT_MAX_BYTES;
	int saved = errno;
	is_growing = true;
	int error = needed <= have ? 0 : grow_to(bytes);
	is_growing = false;
	errno = saved;
	if (error)
		store.failure = error;
	atomic_flag_clear_explicit(&store.growing, memory_order_release);
	return !error;
}

/* Reserves bytes; 0 when they cannot be had. */
static uint64_t reserve(uint64_t bytes)
{
	struct format_header *header = store.header;
	uint64_t used = __atomic_load_n(&header->used_bytes, __ATOMIC_RELAXED);

	for (;;) {
		uint64_t space = __atomic_load_n(&header->file_bytes, __ATOMIC_ACQUIRE);
		if (used + bytes > space) {
			if (!grow(used + bytes))
				return 0;
			used = __atomic_load_n(&header->used_bytes, __ATOMIC_RELAXED);
			continue;
		}
		if (__atomic_compare_exchange_n(&header->used_bytes, &used, used + bytes, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	}
	uint64_t space = __atomic_load_n(&header->file_bytes, __ATOMIC_ACQUIRE);
	if (used + bytes + RESERVE > space && !may_not_wait && !is_growing && !store.failure &&
	    space < FORMAT_MAX_BYTES)
		grow(space + 1);
	return used;
}

struct format_block *store_block(enum schema_table table, uint32_t row_bytes, uint32_t owner,
				 uint32_t first_row, uint32_t capacity)
{
	if (!store.header)
		return NULL;
	uint32_t bytes = (uint32_t)sizeof(struct format_block) + row_bytes * capacity;
	bytes = (bytes + 63) & ~63u;
	uint64_t offset = reserve(bytes);
	if (!offset)
		return NULL;
	struct format_block *block = (void *)((char *)store.header + offset);
	block->bytes = bytes;
	block->table = (uint16_t)table;
	block->row_bytes = (uint16_t)row_bytes;
	block->owner = owner;
	/* bytes of texts are numbered by their place in the file: unique without a counter */
	block->first_row = table == TABLE_strings ? (uint32_t)offset : first_row;
	block->capacity = capacity;
	block->rows = table == TABLE_strings ? 0 : capacity;
	block->flags = table == TABLE_strings ? 0 : FORMAT_BLOCK_SPARSE;
	__atomic_store_n(&block->magic, FORMAT_BLOCK_MAGIC, __ATOMIC_RELEASE);
	return block;
}

/* Bytes in a strings block; -1 when it is full. Rows only grow, so a reader sees whole texts or
 * their beginnings. */
static int64_t string_place(struct format_block *block, uint32_t bytes)
{
	uint32_t at = __atomic_load_n(&block->rows, __ATOMIC_RELAXED);

	do {
		if (at + bytes > block->capacity)
			return -1;
	} while (!__atomic_compare_exchange_n(&block->rows, &at, at + bytes, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return at;
}

uint64_t store_string(const char *text)
{
	uint32_t bytes = (uint32_t)strnlen(text, STRINGS_BLOCK / 2) + 1;

	for (int attempt = 0; attempt < 3; attempt++) {
		struct format_block *block =
			atomic_load_explicit(&store.strings, memory_order_acquire);
		int64_t at = block ? string_place(block, bytes) : -1;

		if (at >= 0) {
			char *place = (char *)store_rows(block) + at;
			memcpy(place, text, bytes - 1);
			place[bytes - 1] = '\0';
			return block->first_row + (uint64_t)at;
		}
		struct format_block *next =
			store_block(TABLE_strings, 1, FORMAT_NO_OWNER, 0, STRINGS_BLOCK);
		if (!next)
			return 0;
		atomic_compare_exchange_strong(&store.strings, &block, next);
	}
	return 0;
}

static void fill_header(uint32_t pid, uint32_t sequence, uint64_t start_ns)
{
	struct format_header *header = store.header;
	uint64_t blocks = (FORMAT_HEADER_BYTES + schema_text_bytes + 63) & ~(uint64_t)63;

	header->version = FORMAT_VERSION;
	header->byte_order = FORMAT_BYTE_ORDER;
	header->header_bytes = FORMAT_HEADER_BYTES;
	header->pid = pid;
	header->sequence = sequence;
	header->schema_offset = FORMAT_HEADER_BYTES;
	header->schema_bytes = schema_text_bytes;
	header->blocks_offset = blocks;
	header->used_bytes = blocks;
	header->file_bytes = FIRST_EXTENT;
	header->state = FORMAT_STATE_RUNNING;
	header->start_ns = start_ns;
	header->start_realtime_ns = clock_read_ns(CLOCK_REALTIME) - (clock_now_ns() - start_ns);
	header->heartbeat_ns = start_ns;
	memcpy((char *)header + FORMAT_HEADER_BYTES, schema_text, schema_text_bytes);
	/* last: a file with the magic has a whole header */
	uint64_t magic;
	memcpy(&magic, FORMAT_MAGIC, sizeof magic);
	__atomic_store_n((uint64_t *)header->magic, magic, __ATOMIC_RELEASE);
}

/* Opens the first sequence number that is free; its descriptor or a negative errno. */
static int create_file(const char *directory, const char *host, uint32_t pid, uint32_t *sequence)
{
	struct text path = TEXT(store.path);

	text_add(&path, directory);
	store.directory_length = path.length;
	for (*sequence = 0; *sequence < 10000; ++*sequence) {
		path.length = store.directory_length;
		text_add(&path, "/");
		text_add(&path, host);
		text_add(&path, "-");
		text_add_number(&path, pid);
		text_add(&path, "-");
		text_add_number(&path, *sequence);
		if (!text_add(&path, ".profile"))
			return -ENAMETOOLONG;
		int fd = (int)syscall(SYS_openat, AT_FDCWD, store.path,
				      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd >= 0 ? fd : -errno;
	}
	return -EEXIST;
}

int store_open(const char *directory, const char *host, uint32_t pid, uint64_t start_ns)
{
	struct stat status;
	uint32_t sequence;
	int saved = errno;
	int fd = create_file(directory, host, pid, &sequence);

	if (fd < 0) {
		errno = saved;
		return fd;
	}
	int error;
	void *place = pages_map(NULL, FORMAT_MAX_BYTES, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0, &error);
	if (!error && fstat(fd, &status))
		error = errno;
	if (!error) {
		store.header = place;
		store.device = status.st_dev;
		store.inode = status.st_ino;
		error = map_extent(fd, 0, FIRST_EXTENT);
	}
	if (!error) {
		fill_header(pid, sequence, start_ns);
	} else {
		unlink(store.path);
		store_forget();
	}
	syscall(SYS_close, fd);
	errno = saved;
	return -error;
}

void store_forget(void)
{
	if (store.header)
		pages_free(store.header, FORMAT_MAX_BYTES);
	store.header = NULL;
	store.failure = 0;
	atomic_flag_clear(&store.growing);
	atomic_store(&store.strings, NULL);
}
