/* SPDX-License-Identifier: MIT */
/* Streams, FIFOs and libc's other names: what goes through descriptors inside libc.
 *
 *   io_streams files     a file written and read in every way: bytes
 *   io_streams memory    streams without a descriptor, and calls that stay in the buffer: nothing
 *   io_streams pipe      lines that come late and in parts, and a pipe that is full: the waiters'
 *                        own account
 *   io_streams fifo      the opening of a FIFO: the same
 *   io_streams aliases   reading and writing by libc's other names */
#include "truth.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/stat.h>

enum { LINES = 500, PARTS = 5 };

static char bytes[65536];

static void need(long got, long wanted)
{
	if (got == wanted)
		return;
	fprintf(stderr, "got %ld, not %ld (%s)\n", got, wanted, strerror(errno));
	exit(4);
}

/* ---- files ---- */

static void write_file(void)
{
	FILE *file = fopen("streamed", "w");
	long size = 0;

	need(fwrite(bytes, 1000, 10, file), 10);
	size += 10000;
	for (int i = 0; i < LINES; i++) {
		need(fputs("a line of thirty-two characters\n", file) >= 0, 1);
		need(putc('x', file), 'x');
		need(putc_unlocked('\n', file), '\n');
		size += 32 + 2 + fprintf(file, "%d characters\n", i);
	}
	size += fprintf(file, "%5000d\n", 1); /* more than there is room for */
	size += fprintf(file, "%*d\n", 300, 1);
	need(fwrite(bytes, 1, 100, file), 100);
	need(fflush(file), 0);
	need(fflush(file), 0); /* nothing is left */
	need(fwrite(bytes, 1, 10, file), 10);
	need(fclose(file), 0);
	size += 110;
	truth("written", (double)size);
}

static long read_characters(FILE *file)
{
	long size = 0;

	for (int c; (c = size % 2 ? getc(file) : getc_unlocked(file)) != EOF; size++)
		if (size % 1000 == 999) {
			ungetc(c, file); /* what it was */
			need(getc(file), c);
			ungetc(c ^ 1, file); /* and what it was not */
			need(getc(file), c ^ 1);
		}
	need(getc(file), EOF); /* it has ended: libc does not ask again */
	return size;
}

static long read_lines(FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	long size = 0;

	for (ssize_t got; (got = getline(&line, &room, file)) > 0;)
		size += got;
	free(line);
	return size;
}

static long read_texts(FILE *file)
{
	char line[50];
	long size = 0;

	need(fseek(file, 10000, SEEK_SET), 0);
	while (fgets(line, sizeof line, file) && line[0])
		size += (long)strlen(line);
	return size;
}

static long read_blocks(FILE *file)
{
	long size = 0;

	for (size_t got; (got = fread(bytes, 1, 700, file)) > 0;)
		size += (long)got;
	rewind(file);
	return size + 700 * (long)fread(bytes, 700, 1000, file);
}

static void read_file(const char *name, long (*reading)(FILE *))
{
	FILE *file = fopen("streamed", "r");

	truth(name, (double)reading(file));
	need(fclose(file), 0);
}

static void use_files(void)
{
	write_file();
	read_file("characters", read_characters);
	read_file("lines", read_lines);
	read_file("texts", read_texts);
	read_file("blocks", read_blocks);
	need(unlink("streamed"), 0);
}

/* ---- no descriptor ---- */

static ssize_t take(void *cookie, const char *from, size_t size)
{
	(void)cookie;
	(void)from;
	return (ssize_t)size;
}

static void use_memory(void)
{
	char *text;
	size_t size;
	FILE *memory = open_memstream(&text, &size), *fixed = fmemopen(bytes, 1000, "r+");
	FILE *own = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
	FILE *null = fopen("/dev/null", "w");

	for (int i = 0; i < LINES; i++) {
		need(fwrite(bytes, 100, 1, memory), 1);
		need(fwrite(bytes, 100, 1, own), 1);
		need(fputs("x", fixed) >= 0, 1);
	}
	need(fflush(memory) | fflush(own) | fflush(fixed), 0);
	rewind(fixed);
	for (int i = 0; i < LINES; i++)
		need(getc(fixed), 'x');
	need(fwrite(bytes, 1000, 1, null), 1);
	setvbuf(null, NULL, _IOLBF, 0);
	need(fputs("no end", null) >= 0, 1);
	__fpurge(null);
	need(fclose(memory) | fclose(own) | fclose(fixed) | fclose(null), 0);
}

/* ---- pipes ---- */

static int ends[2];

static void *speak(void *unused)
{
	for (int i = 0; i < PARTS; i++) {
		nap_raw(0.02);
		need(syscall(SYS_write, ends[1], "a part, ", 8), 8);
		nap_raw(0.01);
		need(syscall(SYS_write, ends[1], "and the end\n", 12), 12);
	}
	return unused;
}

static void *listen_slowly(void *unused)
{
	for (int i = 0; i < PARTS; i++) {
		nap_raw(0.02);
		need(syscall(SYS_read, ends[0], bytes, 65536), 65536);
	}
	return unused;
}

static void wait_for_lines(void)
{
	FILE *file = fdopen(ends[0], "r");
	pthread_t speaker;
	char *line = NULL;
	size_t room = 0;

	pthread_create(&speaker, NULL, speak, NULL);
	double begin = now();
	for (int i = 0; i < PARTS; i++)
		need(getline(&line, &room, file), 20);
	truth("reading", now() - begin);
	pthread_join(speaker, NULL);
	free(line);
}

static void wait_for_room(void)
{
	static char text[65536];
	FILE *file = fdopen(ends[1], "w");
	pthread_t listener;

	pthread_create(&listener, NULL, listen_slowly, NULL);
	double begin = now();
	for (int i = 0; i < PARTS; i++)
		need(fwrite(text, 1, sizeof text, file), sizeof text);
	truth("writing", now() - begin);
	pthread_join(listener, NULL);
}

/* ---- FIFO ---- */

static void *open_late(void *name)
{
	nap_raw(0.05);
	int number = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY, 0);
	nap_raw(0.05);
	close(number);
	return NULL;
}

static void open_fifo(void)
{
	pthread_t other;
	static char name[] = "fifo";

	need(mkfifo(name, 0600), 0);
	pthread_create(&other, NULL, open_late, name);
	double begin = now();
	int number = open(name, O_RDONLY);
	truth("opening", now() - begin);
	need(read(number, bytes, 1), 0);
	close(number);
	pthread_join(other, NULL);
	number = openat(AT_FDCWD, name, O_RDONLY | O_NONBLOCK);
	close(number);
	need(open("no such file", O_RDONLY), -1);
	number = open("made", O_CREAT | O_EXCL | O_WRONLY, 0640);
	struct stat status;
	need(fstat(number, &status), 0);
	need(status.st_mode & 07777, 0640);
	close(number);
	need(unlink("made") | unlink(name), 0);
}

/* ---- other names ---- */

#define CALL(result, name, ...) need(((result(*)())dlsym(RTLD_DEFAULT, #name))(__VA_ARGS__), wanted)

static void call_aliases(void)
{
	struct pollfd asked = {.fd = ends[0], .events = POLLIN};
	long wanted = 7;

	for (int i = 0; i < PARTS; i++) {
		CALL(ssize_t, __write, ends[1], bytes, (size_t)7);
		wanted = 1;
		CALL(int, __poll, &asked, (nfds_t)1, 5000);
		wanted = 7;
		CALL(ssize_t, __read, ends[0], bytes, (size_t)10);
	}
	int number = ((int (*)())dlsym(RTLD_DEFAULT, "__open"))("aliased", O_RDWR | O_CREAT, 0600);
	CALL(ssize_t, __pwrite64, number, bytes, (size_t)7, (off_t)0);
	CALL(ssize_t, __pread64, number, bytes, (size_t)7, (off_t)0);
	wanted = 0;
	CALL(int, __close, number);
	need(unlink("aliased"), 0);
}

int main(int count, char **arguments)
{
	const char *scene = count > 1 ? arguments[1] : "";

	need(pipe(ends), 0);
	umask(0);
	if (!strcmp(scene, "files")) {
		use_files();
	} else if (!strcmp(scene, "memory")) {
		use_memory();
	} else if (!strcmp(scene, "pipe")) {
		wait_for_lines();
		wait_for_room();
	} else if (!strcmp(scene, "fifo")) {
		open_fifo();
	} else if (!strcmp(scene, "aliases")) {
		call_aliases();
	} else {
		return 2;
	}
	truth_end();
	return 0;
}
