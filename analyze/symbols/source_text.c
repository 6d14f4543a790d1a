/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/source_text.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/debuginfod_tree.h"
#include "analyze/symbols/source_path.h"
#include "analyze/symbols/text_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LARGEST     ((off_t)16 << 20)
#define IS_LARGER   "is larger than 16 MiB"
#define MINUTE_TEXT "%Y-%m-%d %H:%M"

/* A file by what it is: debugging information may call it by thousands of paths. If it is modified
 * meanwhile it is another one, since the answers so far have its lines. */
struct identity {
	uint64_t device, inode, size;
	int64_t modified_s, modified_ns;
};

struct file {
	struct identity identity; /* the key */
	char *bytes;
	const char **lines;
	size_t count;
	const char *problem; /* why there are no lines */
};

struct answer {
	const char *name, *built_in; /* these and last_line are the key */
	unsigned last_line;
	struct source_text text;
};

struct source_texts {
	uint64_t run_ns; /* when the run began, ns since 1970; 0: not known */
	struct source_paths *paths;
	struct keyed_table *files, *answers;
	struct text_pool pool;
	struct source_origin origin; /* empty: nothing is known of objects */
};

static unsigned hash_of_answer(const void *row)
{
	const struct answer *answer = row;

	return hash_text(answer->name, hash_text(answer->built_in, answer->last_line));
}

static bool are_same_question(const void *a, const void *b)
{
	const struct answer *one = a, *other = b;

	return one->last_line == other->last_line && strcmp(one->name, other->name) == 0 &&
	       strcmp(one->built_in, other->built_in) == 0;
}

struct source_texts *source_texts_create(const char *const *maps, size_t count, uint64_t run_ns)
{
	struct source_texts *texts = memory_allocate(1, sizeof *texts);

	texts->run_ns = run_ns;
	texts->paths = source_paths_create(maps, count);
	texts->files = keyed_table_create(sizeof(struct file), sizeof(struct identity));
	texts->answers =
		keyed_table_create_by(sizeof(struct answer), hash_of_answer, are_same_question);
	return texts;
}

void source_texts_use_origin(struct source_texts *texts, const struct source_origin *origin)
{
	texts->origin = *origin;
}

void source_texts_destroy(struct source_texts *texts)
{
	if (!texts)
		return;
	for (size_t i = 0; i < keyed_table_count(texts->files); i++) {
		struct file *file = keyed_table_row(texts->files, i);
		free(file->bytes);
		free(file->lines);
	}
	keyed_table_destroy(texts->files);
	keyed_table_destroy(texts->answers);
	source_paths_destroy(texts->paths);
	text_pool_clear(&texts->pool);
	free(texts);
}

/* ---- what is in a file */

/* Cuts the bytes, which a NUL follows, at their line ends: compilers count CR LF, LF and a CR
 * alone.
 */
static void cut_into_lines(struct file *file, size_t size)
{
	char *end = file->bytes + size;
	size_t most = 1;

	for (const char *at = file->bytes; at < end; at++)
		most += *at == '\n' || *at == '\r';
	file->lines = memory_allocate(most, sizeof *file->lines);
	for (char *at = file->bytes, *stop; at < end; at = stop + 1) {
		stop = at +
		       strcspn(at, "\r\n"); /* a NUL stands behind the bytes, and nowhere else */
		file->lines[file->count++] = at;
		if (*stop == '\r' && stop[1] == '\n')
			*stop++ = '\0';
		*stop = '\0';
	}
}

/* 0, or an errno. got may be less than size: someone shortened the file. */
static int read_all(int descriptor, char *bytes, size_t size, size_t *got)
{
	for (*got = 0; *got < size;) {
		ssize_t count = read(descriptor, bytes + *got, size - *got);
		if (count == 0)
			return 0;
		if (count < 0 && errno != EINTR)
			return errno;
		*got += count > 0 ? (size_t)count : 0;
	}
	return 0;
}

static const char *cannot_be_read(struct source_texts *texts, int error)
{
	return text_pool_keep(&texts->pool, memory_print("cannot be read: %s", strerror(error)));
}

static void fill(struct source_texts *texts, struct file *file, int descriptor)
{
	size_t size = file->identity.size, got;

	if (size > LARGEST) {
		file->problem = IS_LARGER;
		return;
	}
	file->bytes = memory_allocate(size + 1, 1);
	int error = read_all(descriptor, file->bytes, size, &got);
	if (!error && !memchr(file->bytes, '\0', got)) {
		cut_into_lines(file, got);
		return;
	}
	file->problem = error ? cannot_be_read(texts, error) : "is no text";
	free(file->bytes);
	file->bytes = NULL;
}

static const struct file *file_of(struct source_texts *texts, int descriptor,
				  const struct stat *status)
{
	struct file probe = {.identity = {.device = status->st_dev,
					  .inode = status->st_ino,
					  .size = (uint64_t)status->st_size,
					  .modified_s = status->st_mtim.tv_sec,
					  .modified_ns = status->st_mtim.tv_nsec}};
	bool is_new;
	struct file *file = keyed_table_enter(texts->files, &probe, &is_new);

	if (is_new)
		fill(texts, file, descriptor);
	return file;
}

/* ---- which file it is */

struct found {
	char *path; /* NULL: none yet */
	int descriptor;
	struct stat status;
	int error; /* why not: of the first path at which there is something */
};

/* 0, or an errno; EISDIR: a directory, a pipe, a device. Those are not even opened, as that alone
 * has effects: it wakes a pipe's writer, it arms a watchdog. What takes a file's place after we
 * looked must not block us. */
static int open_regular(const char *path, int *descriptor, struct stat *status)
{
	if (stat(path, status) < 0)
		return errno;
	if (!S_ISREG(status->st_mode))
		return EISDIR;
	*descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (*descriptor < 0)
		return errno;
	if (fstat(*descriptor, status) == 0 && S_ISREG(status->st_mode))
		return 0;
	close(*descriptor);
	return EISDIR;
}

/* A path that is too long leads to nothing, as does one through a file. */
static bool is_absence(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

static bool is_there(const char *path, void *context)
{
	struct found *found = context;
	int error = open_regular(path, &found->descriptor, &found->status);

	if (!error)
		found->path = memory_copy_text(path);
	else if (!found->error && !is_absence(error))
		found->error = error;
	return !error;
}

/* The client keeps an empty file of what no server has. */
static bool is_kept(const char *path, void *context)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_size && is_there(path, context);
}

static bool find_fetched(const struct source_texts *texts, const struct answer *question,
			 struct found *found)
{
	const struct source_origin *origin = &texts->origin;
	const char *build_id = origin->build_id_of && question->built_in[0]
				       ? origin->build_id_of(origin->context, question->built_in)
				       : NULL;
	bool is_found = false;

	for (size_t i = 0; build_id && i < origin->tree_count && !is_found; i++)
		is_found = debuginfod_tree_try(origin->trees[i], build_id, question->name, is_kept,
					       found);
	return is_found ||
	       (build_id && debuginfod_tree_try(NULL, build_id, question->name, is_kept, found));
}

static const char *why_not_found(struct source_texts *texts, int error)
{
	if (!error)
		return "was not found";
	return error == EISDIR ? "is no regular file" : cannot_be_read(texts, error);
}

/* ---- whether it fits */

static bool is_newer_than_run(const struct source_texts *texts, const struct identity *source)
{
	uint64_t modified_ns = (uint64_t)source->modified_s * 1000000000u + source->modified_ns;

	return texts->run_ns && source->modified_s >= 0 && modified_ns > texts->run_ns;
}

static bool is_newer(const struct identity *source, const char *built_in)
{
	struct stat object;

	if (!built_in[0] || stat(built_in, &object) < 0 || !S_ISREG(object.st_mode))
		return false;
	return source->modified_s != object.st_mtim.tv_sec
		       ? source->modified_s > object.st_mtim.tv_sec
		       : source->modified_ns > object.st_mtim.tv_nsec;
}

static char *newer_text(const char *than, time_t modified)
{
	char text[64]; /* a year has up to 10 digits */
	struct tm local;

	if (!localtime_r(&modified, &local) || !strftime(text, sizeof text, MINUTE_TEXT, &local))
		return memory_print("is newer than the %s", than);
	return memory_print("is newer than the %s: modified %s", than, text);
}

/* NULL: it is not newer than what was compiled, as far as times tell. */
static const char *find_newer(struct source_texts *texts, const struct file *file,
			      const char *built_in)
{
	if (is_newer(&file->identity, built_in))
		return text_pool_keep(&texts->pool,
				      newer_text("program", file->identity.modified_s));
	if (is_newer_than_run(texts, &file->identity))
		return text_pool_keep(&texts->pool, newer_text("run", file->identity.modified_s));
	return NULL;
}

static const char *find_short(struct source_texts *texts, const struct file *file,
			      unsigned last_line)
{
	if (file->count < last_line)
		return text_pool_keep(&texts->pool,
				      memory_print("has %zu line%s only, line %u was executed",
						   file->count, file->count == 1 ? "" : "s",
						   last_line));
	return NULL;
}

/* NULL: none. */
static const struct file *find_embedded(struct source_texts *texts, const struct answer *question)
{
	const struct source_origin *origin = &texts->origin;
	const char *text =
		origin->embedded_in && question->built_in[0]
			? origin->embedded_in(origin->context, question->built_in, question->name)
			: NULL;
	/* where it lies in memory stands for the inode; no device has number 0 */
	const struct file probe = {.identity = {.inode = (uintptr_t)text}};
	bool is_new;

	if (!text)
		return NULL;
	struct file *file = keyed_table_enter(texts->files, &probe, &is_new);

	if (is_new) {
		file->bytes = memory_copy_text(text);
		cut_into_lines(file, strlen(text));
	}
	return file;
}

static struct source_text text_of(struct source_texts *texts, const struct file *file,
				  const char *path, const char *problem)
{
	return (struct source_text){
		.path = text_pool_keep(&texts->pool, memory_copy_text(path)),
		.problem = problem,
		.is_fitting = !problem,
		.lines = file->lines,
		.count = file->count,
	};
}

static struct source_text find(struct source_texts *texts, const struct answer *question)
{
	const struct file *embedded = find_embedded(texts, question);

	if (embedded)
		return text_of(texts, embedded, question->name,
			       find_short(texts, embedded, question->last_line));
	struct found found = {.descriptor = -1};
	bool is_fetched = find_fetched(texts, question, &found);

	if (!is_fetched && !source_paths_try(texts->paths, question->name, is_there, &found))
		return (struct source_text){.problem = why_not_found(texts, found.error)};
	const struct file *file = file_of(texts, found.descriptor, &found.status);
	close(found.descriptor);
	const char *problem = file->problem;
	/* a newer file is called newer even if its lines are too few: it is the reason */
	if (!problem && !is_fetched)
		problem = find_newer(texts, file, question->built_in);
	if (!problem)
		problem = find_short(texts, file, question->last_line);
	/* the directory in which that object was compiled is not known */
	if (!problem && found.path[0] != '/' && question->built_in[0] == '/')
		problem = "was found below the current directory, which may be another one";
	struct source_text text = text_of(texts, file, found.path, problem);

	free(found.path);
	return text;
}

const struct source_text *source_texts_find(struct source_texts *texts, const char *name,
					    const char *built_in, unsigned last_line)
{
	struct answer question = {.name = name, .built_in = built_in, .last_line = last_line};
	struct answer *answer = keyed_table_find(texts->answers, &question);

	if (answer)
		return &answer->text;
	question.text = find(texts, &question);
	question.name = text_pool_keep(&texts->pool, memory_copy_text(name));
	question.built_in = text_pool_keep(&texts->pool, memory_copy_text(built_in));
	answer = keyed_table_enter(texts->answers, &question, NULL);
	return &answer->text;
}
