/* SPDX-License-Identifier: MIT */
#include "preload/file/store.h"

#include "preload/base/clock.h"
#include "preload/base/descriptors.h"
#include "preload/base/interrupted.h"
#include "preload/base/kernel_call.h"
#include "preload/base/likely.h"
#include "preload/base/pages.h"
#include "preload/base/patience.h"
#include "preload/base/signal_block.h"
#include "preload/base/system.h"
#include "preload/base/text.h"
#include "preload/file/schema_text.h"
#include "preload/file/store_map.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	WRITTEN_BYTES = 4096,     /* a page, or a part of one */
	FIRST_EXTENT = 128 << 10, /* enough for a process that does little */
	NEXT_EXTENT = 128 << 10,
	RESERVE = 24 << 10,      /* grow when less is left, so that handlers rarely have to */
	NOTES_RESERVE = 2 << 10, /* for the note that says that the file is full: their block */
	WRITTEN_AT_ONCE = 32,    /* of these */
	STRINGS_BLOCK = 2 * STORE_TEXT_BYTES,
	GROWTH_PATIENCE_NS = 100000000, /* a thread waits so long for another one's growth */
	LEAVE_PATIENCE_NS = 1000000000,
	PAUSE_NS = 10000000,  /* between attempts, if the next one may succeed */
	ADDRESSES_SHARE = 64, /* of limited address space, the file may take this fraction */
};

static struct {
	struct format_header *header; /* of the store; NULL: there is none */
	struct format_header *base;   /* also in a fork child, of what replaced it */
	char path[PATH_MAX];
	size_t directory_length;
	dev_t device;
	ino_t inode;
	uint64_t limit;          /* bytes: the file never grows beyond it */
	uint8_t busy;            /* sole_work: a thread extends the file, or cuts it */
	int failure;             /* for good; atomic */
	int refusal;             /* of the last attempt, if the next one may succeed; atomic */
	uint64_t next_growth_ns; /* after a refusal: not before this */
	_Atomic(struct format_block *) strings; /* the block that texts go to */
} store;

static __thread bool may_not_wait;

void store_forbid_waiting(bool forbid)
{
	may_not_wait = forbid;
}

struct format_header *store_header(void)
{
	return store.header;
}

static int final_failure(void)
{
	return __atomic_load_n(&store.failure, __ATOMIC_RELAXED);
}

static void fail_for_good(int error)
{
	__atomic_store_n(&store.failure, error, __ATOMIC_RELAXED);
}

int store_failure(void)
{
	int failure = final_failure();

	return failure ? failure : __atomic_load_n(&store.refusal, __ATOMIC_RELAXED);
}

void store_seal(void)
{
	fail_for_good(EPERM);
}

void store_count_loss(void)
{
	if (store.header)
		__atomic_fetch_add(&store.header->lost_rows, 1, __ATOMIC_RELAXED);
}

/* While another thread makes the file larger, a handler finds no row either, and comes again. Read
 * first, since every further call of the thread may come here. */
void store_tell_missing(void)
{
	struct format_header *header = store.header;

	if (header && store_failure() && !__atomic_load_n(&header->is_missing, __ATOMIC_RELAXED))
		__atomic_store_n(&header->is_missing, 1, __ATOMIC_RELAXED);
}

/* Writes zeros from `from` to `to`, whole pages. Not ftruncate: on a full disk, touching a page of
 * a hole raises SIGBUS. Not fallocate: what is written is in the kernel's cache at once, so that
 * first touches are cheap (128 KiB on ext4: 36 us, where 32 first touches of allocated space took
 * 126), and has no place on the disk for some seconds, so that cutting off unused space at the end
 * of a short program does not wait for the disk. Raw: no cancellation point. 0 or an errno. */
static int write_zeros(int fd, uint64_t from, uint64_t to)
{
	static const char zeros[WRITTEN_BYTES];
	struct iovec pages[WRITTEN_AT_ONCE];

	for (size_t i = 0; i < WRITTEN_AT_ONCE; i++)
		pages[i] = (struct iovec){(void *)zeros, WRITTEN_BYTES};
	while (from < to) {
		uint64_t left = (to - from) / WRITTEN_BYTES;
		uint64_t count = left < WRITTEN_AT_ONCE ? left : WRITTEN_AT_ONCE;
		long written = kernel_call(SYS_pwritev, fd, pages, count, (long)from, 0L);
		if (written < 0 && errno != EINTR)
			return errno;
		if (written >= 0 && written < WRITTEN_BYTES)
			return ENOSPC;
		from += written > 0 ? (uint64_t)written / WRITTEN_BYTES * WRITTEN_BYTES : 0;
	}
	return 0;
}

/* Writes the file's space from `from` to `to`, and maps it together with what is left in front of
 * it, from `used` on. 0 or an errno. */
static int map_extent(int fd, uint64_t used, uint64_t from, uint64_t to)
{
	int error = store_map_prepare(fd, used, to);

	if (error)
		return error;
	error = write_zeros(fd, from, to);
	if (!error) {
		store_map_publish();
		return 0;
	}
	store_map_cancel();
	/* cut off what was written of it */
	return system_truncate(fd, from) ? errno : error;
}

static uint64_t limit_of(int resource)
{
	struct rlimit limit;

	return system_limit(resource, &limit) ? UINT64_MAX : limit.rlim_cur;
}

/* As much of `bytes` as the limits allow, in whole pages. Writing beyond RLIMIT_FSIZE raises
 * SIGXFSZ, and the program may lower that limit at any time. */
static uint64_t cut_to_limits(uint64_t bytes)
{
	uint64_t most = limit_of(RLIMIT_FSIZE);

	if (most > store.limit)
		most = store.limit;
	return pages_whole(bytes < most ? bytes : most);
}

static bool is_our_file(int file)
{
	struct stat status;

	return !system_status(file, &status) && status.st_ino == store.inode &&
	       status.st_dev == store.device;
}

/* The file is opened by name for each growth: the program could see, count or close a descriptor
 * that stays open. 0 or an errno. */
static int grow_to(uint64_t bytes)
{
	struct descriptor file;
	int error = -descriptors_open(&file, store.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (error)
		return error;
	descriptors_move_up(&file);
	if (!is_our_file(file.number))
		error = ESTALE;
	/* what is given out from here on fits in what is there, or begins at `used` or later */
	uint64_t used = __atomic_load_n(&store.base->used_bytes, __ATOMIC_ACQUIRE);
	if (!error)
		error = map_extent(file.number, used, store.base->file_bytes, bytes);
	descriptors_close(&file);
	if (!error) /* release: a thread that sees the new size also sees the mapping */
		__atomic_store_n(&store.base->file_bytes, bytes, __ATOMIC_RELEASE);
	return error;
}

static bool may_succeed_later(int error)
{
	/* of these, the last and the first also come from mmap */
	return error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* After a failure there is a pause, because an attempt costs some system calls and every wrapped
 * call would make one. */
static void note_result(int error)
{
	if (error && !may_succeed_later(error)) {
		fail_for_good(error);
		return;
	}
	__atomic_store_n(&store.refusal, error, __ATOMIC_RELAXED);
	__atomic_store_n(&store.next_growth_ns, error ? clock_now_ns() + PAUSE_NS : 0,
			 __ATOMIC_RELAXED);
}

static bool is_pausing(void)
{
	uint64_t next_ns = __atomic_load_n(&store.next_growth_ns, __ATOMIC_RELAXED);

	return unlikely(next_ns) && clock_now_ns() < next_ns;
}

/* Waits while another thread grows the file. True: look again whether there is space. */
static bool await_growth(uint64_t needed)
{
	struct patience patience = {0};

	/* not busy: the other thread did not extend the file but trim it */
	while (__atomic_load_n(&store.base->file_bytes, __ATOMIC_ACQUIRE) < needed &&
	       __atomic_load_n(&store.busy, __ATOMIC_ACQUIRE))
		if (may_not_wait || final_failure() || is_pausing() ||
		    !patience_left(&patience, GROWTH_PATIENCE_NS))
			return false;
	return true;
}

/* By the thread that grows the file. 0 or an errno. */
static int extend(uint64_t needed)
{
	uint64_t have = store.base->file_bytes;
	uint64_t wished = needed + NEXT_EXTENT + have / 4 + pages_size() - 1;
	uint64_t bytes = cut_to_limits(store_map_fit(needed, wished));
	int saved = errno;

	if (needed <= have)
		return 0;
	if (bytes < needed)
		return needed > store.limit ? STORE_FULL : EFBIG;
	int error = grow_to(bytes);
	errno = saved;
	return error;
}

/* One thread grows the file; others wait for it if they may. True: look again whether there is
 * space. */
static bool grow(uint64_t needed)
{
	struct sole_work work;

	if (final_failure() || is_pausing())
		return false;
	if (!sole_work_begin(&work, &store.busy))
		return await_growth(needed);
	int error = extend(needed);
	note_result(error);
	sole_work_end(&work, &store.busy);
	return !error;
}

void store_keep_room(uint64_t bytes)
{
	if (!store.header)
		return;
	uint64_t used = __atomic_load_n(&store.base->used_bytes, __ATOMIC_ACQUIRE);
	uint64_t needed = cut_to_limits(used + bytes);
	if (needed > __atomic_load_n(&store.base->file_bytes, __ATOMIC_ACQUIRE))
		grow(needed);
}

/* What is cut off is unmapped first: who reads all that is mapped, as memory checkers do when the
 * program ends, would get SIGBUS. If the file stays as long as it was, it ends in zeros. */
static bool cut_to(uint64_t bytes)
{
	struct descriptor file;

	if (descriptors_open(&file, store.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW))
		return false;
	bool is_ours = is_our_file(file.number);
	if (is_ours) {
		store_map_cut(bytes);
		system_truncate(file.number, bytes);
	}
	descriptors_close(&file);
	return is_ours;
}

/* No thread may be about to use what is cut off, because touching it would raise SIGBUS. So first,
 * no space beyond `end` is given out; then the rest up to `end` is reserved, so that a thread that
 * read the old file_bytes fails to advance used_bytes. By the thread that grows the file. */
static void trim(void)
{
	uint64_t have = store.base->file_bytes, end;
	uint64_t used = __atomic_load_n(&store.base->used_bytes, __ATOMIC_RELAXED);

	do {
		end = pages_whole(used + sizeof(struct format_block) + pages_size() - 1);
		__atomic_store_n(&store.base->file_bytes, end < have ? end : have,
				 __ATOMIC_SEQ_CST);
		if (end >= have)
			return;
	} while (!__atomic_compare_exchange_n(&store.base->used_bytes, &used, end, false,
					      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	if (!cut_to(end))
		__atomic_store_n(&store.base->file_bytes, have, __ATOMIC_RELEASE);
}

void store_trim(void)
{
	struct sole_work work;
	int saved = errno;

	if (!store.header || !sole_work_begin(&work, &store.busy))
		return;
	trim();
	sole_work_end(&work, &store.busy);
	errno = saved;
}

/* Grows the file before it is full, so that handlers rarely have to. */
static void grow_in_time(uint64_t used)
{
	uint64_t space = __atomic_load_n(&store.base->file_bytes, __ATOMIC_ACQUIRE);

	if (used + RESERVE > space && !may_not_wait && space < store.limit)
		grow(space + 1);
}

/* Advances used_bytes from this value; false: it was another one, or a handler has forked here, and
 * its child, which returned from the handler, has a file of its own meanwhile. */
static bool advance(struct format_header *header, uint64_t used, uint64_t bytes)
{
	return __atomic_compare_exchange_n(&header->used_bytes, &used, used + bytes, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&
	       header == __atomic_load_n(&store.base, __ATOMIC_RELAXED);
}

/* Reserves bytes; returns their offset, 0 if there is no space. kept: what must be left behind
 * them. */
static uint64_t reserve(uint64_t bytes, uint64_t kept)
{
	for (;;) {
		struct format_header *header = __atomic_load_n(&store.base, __ATOMIC_RELAXED);
		/* acquire, also below: a thread that sees what a trim has reserved also sees the
		 * shorter file */
		uint64_t used = __atomic_load_n(&header->used_bytes, __ATOMIC_ACQUIRE);
		uint64_t needed = used + bytes + kept;

		if (needed > __atomic_load_n(&header->file_bytes, __ATOMIC_ACQUIRE)) {
			if (!grow(needed))
				return 0;
		} else if (advance(header, used, bytes)) {
			grow_in_time(used + bytes);
			return used;
		}
	}
}

_Static_assert(sizeof(struct format_block) + sizeof(struct row_notes) * (NOTE_COUNT + 1) <=
		       NOTES_RESERVE,
	       "all notes are one block (note.c)");

/* shown: rows that a reader may look for. */
static struct format_block *make_block(enum schema_table table, uint32_t row_bytes, uint32_t owner,
				       uint32_t first_row, uint32_t capacity, uint32_t shown)
{
	if (!store.header)
		return NULL;
	uint32_t bytes = (uint32_t)sizeof(struct format_block) + row_bytes * capacity;
	bytes = (bytes + 63) & ~63u;
	uint64_t offset = reserve(bytes, table == TABLE_notes ? 0 : NOTES_RESERVE);
	struct format_block *block = offset ? store_map_place(offset, bytes) : NULL;
	if (!block)
		return NULL;
	/* first: a reader passes over a block that was never finished */
	__atomic_store_n(&block->bytes, bytes, __ATOMIC_RELAXED);
	interrupted_fence();
	block->table = (uint16_t)table;
	block->row_bytes = (uint16_t)row_bytes;
	block->owner = owner;
	/* bytes of texts are numbered by their offset in the file: unique without a counter */
	block->first_row = table == TABLE_strings ? (uint32_t)offset : first_row;
	block->capacity = shown;
	block->rows = table == TABLE_strings ? 0 : shown;
	block->flags = table == TABLE_strings ? 0 : FORMAT_BLOCK_SPARSE;
	__atomic_store_n(&block->magic, FORMAT_BLOCK_MAGIC, __ATOMIC_RELEASE);
	return block;
}

struct format_block *store_block(enum schema_table table, uint32_t row_bytes, uint32_t owner,
				 uint32_t first_row, uint32_t capacity)
{
	return make_block(table, row_bytes, owner, first_row, capacity, capacity);
}

struct format_block *store_block_hidden(enum schema_table table, uint32_t row_bytes, uint32_t owner,
					uint32_t first_row, uint32_t capacity)
{
	return make_block(table, row_bytes, owner, first_row, capacity, 0);
}

void store_show_rows(struct format_block *block, uint32_t capacity)
{
	__atomic_store_n(&block->rows, capacity, __ATOMIC_RELAXED);
	__atomic_store_n(&block->capacity, capacity, __ATOMIC_RELEASE);
}

/* Reserves bytes in a strings block; -1 if it is full. Rows only grow, so a reader sees whole texts
 * or their beginnings. */
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
	return store_joined("", text);
}

uint64_t store_joined(const char *beginning, const char *text)
{
	uint32_t before = (uint32_t)strnlen(beginning, STORE_TEXT_BYTES);
	uint32_t bytes = before + (uint32_t)strnlen(text, STORE_TEXT_BYTES - before) + 1;

	for (int attempt = 0; attempt < 3; attempt++) {
		struct format_block *block =
			atomic_load_explicit(&store.strings, memory_order_acquire);
		int64_t at = block ? string_place(block, bytes) : -1;

		if (at >= 0) {
			char *place = (char *)store_rows(block) + at;
			memcpy(place, beginning, before);
			memcpy(place + before, text, bytes - 1 - before);
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

static void fill_header(uint32_t pid, uint32_t sequence, uint64_t start_ns, uint64_t bytes)
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
	header->file_bytes = bytes;
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

/* Creates the file with the first free sequence number. 0 or an errno. */
static int create_file(struct descriptor *file, const char *directory, const char *host,
		       uint32_t pid, uint32_t *sequence)
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
			return ENAMETOOLONG;
		int error = -descriptors_open(file, store.path,
					      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW);
		if (error != EEXIST)
			return error;
	}
	return EEXIST;
}

/* Maps the usual first extent, or as much of it as the limits allow; if the disk is full, the least
 * that is of use. */
static int map_first_extent(int file, uint64_t *bytes)
{
	int error = EFBIG;

	*bytes = cut_to_limits(FIRST_EXTENT);
	if (*bytes >= FORMAT_LEAST_BYTES)
		error = map_extent(file, 0, 0, *bytes);
	if ((error == ENOSPC || error == EDQUOT) && *bytes > FORMAT_LEAST_BYTES) {
		*bytes = FORMAT_LEAST_BYTES;
		error = map_extent(file, 0, 0, *bytes);
	}
	return error;
}

static int map_file(int file, uint64_t *bytes)
{
	uint64_t addresses = pages_whole(limit_of(RLIMIT_AS) / ADDRESSES_SHARE);
	struct stat status;
	int error = system_status(file, &status) ? errno : 0;

	store.device = status.st_dev;
	store.inode = status.st_ino;
	store.limit = addresses < FORMAT_MAX_BYTES ? addresses : FORMAT_MAX_BYTES;
	store_map_begin();
	if (!error)
		error = map_first_extent(file, bytes);
	if (!error)
		store.header = store.base = store_map_place(0, *bytes);
	return error;
}

int store_open(const char *directory, const char *host, uint32_t pid, uint64_t start_ns)
{
	struct descriptor file;
	uint32_t sequence;
	uint64_t bytes;
	int saved = errno;
	int error = create_file(&file, directory, host, pid, &sequence);

	if (error)
		return -error;
	fail_for_good(0);
	error = map_file(file.number, &bytes);
	if (!error) {
		fill_header(pid, sequence, start_ns, bytes);
	} else {
		system_unlink(store.path);
		store_forget();
	}
	descriptors_close(&file);
	errno = saved;
	return -error;
}

void store_free_buried(void)
{
	store_map_free_buried();
}

/* In a fork child. If a signal handler forked in the middle of a call that writes here, the child
 * returns to that call: what it writes must neither reach the parent's file nor hit unmapped
 * memory. So zero pages replace the file, and no call makes it grow. */
void store_forget(void)
{
	if (store.header)
		store_map_bury();
	store.header = NULL;
	fail_for_good(ESTALE);
	store.refusal = 0;
	store.next_growth_ns = 0;
	store.busy = 0;
	atomic_store(&store.strings, NULL);
}

void store_leave(void)
{
	struct patience patience = {0};
	struct sole_work work;

	fail_for_good(ESTALE);
	/* a growth that is under way would map the file again */
	bool is_sole = false;
	while (!(is_sole = sole_work_begin(&work, &store.busy)) &&
	       patience_left(&patience, LEAVE_PATIENCE_NS))
		;
	store_map_bury();
	atomic_store(&store.strings, NULL);
	if (is_sole)
		sole_work_end(&work, &store.busy);
}
