/* SPDX-License-Identifier: MIT */
/* The first and only process of a virtual machine: runs the commands of /commands one after the
 * other, and prints on the console how each ended and every file that it left.
 *
 * A line of /commands is LABEL, then the words of a command, between tabs. In front of them may
 * stand NAME=VALUE, a variable, and FILE=VALUE, which is written to that file. A command runs in
 * /out/LABEL, which also holds its `stdout`, `stderr` and `status`. A file is printed as
 *   @file LABEL/NAME BYTES
 *   base64 of 48 bytes at most; or =N for N bytes that are 0
 *   @end CHECKSUM      the bytes' sum, as sum_of has it: the kernel prints on the console too */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { WORDS_MOST = 64, CHUNK = 48, SECONDS_MOST = 60 };

static const char *const environment[] = {
	"PATH=/bin", "LC_ALL=C.UTF-8", "TRUTH_FILE=truth", "CK_DEFAULT_TIMEOUT=60", "HOME=/", NULL,
};

/* ---- printing files ---- */

static void print_base64(const uint8_t *bytes, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[CHUNK / 3 * 4 + 1] = "";
	size_t length = 0;

	for (size_t i = 0; i < count; i += 3) {
		uint32_t word = (uint32_t)bytes[i] << 16 |
				(i + 1 < count ? bytes[i + 1] : 0u) << 8 |
				(i + 2 < count ? bytes[i + 2] : 0u);
		text[length++] = digits[word >> 18];
		text[length++] = digits[word >> 12 & 63];
		text[length++] = i + 1 < count ? digits[word >> 6 & 63] : '=';
		text[length++] = i + 2 < count ? digits[word & 63] : '=';
	}
	text[length] = '\0';
	puts(text);
}

static size_t zeros_at(const uint8_t *bytes, size_t count)
{
	size_t zeros = 0;

	while (zeros < count && !bytes[zeros])
		zeros++;
	return zeros;
}

static uint32_t sum_of(const uint8_t *bytes, size_t count)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

static void print_bytes(const uint8_t *bytes, size_t count)
{
	for (size_t at = 0; at < count;) {
		size_t zeros = zeros_at(bytes + at, count - at);
		size_t left = count - at;
		if (zeros >= CHUNK || zeros == left) {
			printf("=%zu\n", zeros);
			at += zeros;
		} else {
			print_base64(bytes + at, left < CHUNK ? left : CHUNK);
			at += left < CHUNK ? left : CHUNK;
		}
	}
}

static int print_file(const char *path, const struct stat *state, int kind, struct FTW *place)
{
	size_t count = (size_t)state->st_size;
	uint8_t *bytes = malloc(count + 1);
	int file = open(path, O_RDONLY);

	(void)place;
	if (kind == FTW_F && bytes && file >= 0 && read(file, bytes, count) == (ssize_t)count) {
		printf("\n@file %s %zu\n", path + strlen("/out/"), count);
		print_bytes(bytes, count);
		printf("@end %u\n", sum_of(bytes, count));
	}
	close(file);
	free(bytes);
	return 0;
}

/* ---- running commands ---- */

static void redirect(const char *name, int number)
{
	int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(file, number);
	close(file);
}

static void write_value(const char *path, const char *value)
{
	int file = open(path, O_WRONLY);

	if (file < 0 || write(file, value, strlen(value)) < 0)
		dprintf(2, "%s does not take %s\n", path, value);
	close(file);
}

/* Settings in front of the command. */
static char **settle(char **words)
{
	for (; *words; words++) {
		char *value = strchr(*words, '=');
		if (!value)
			break;
		*value++ = '\0';
		if (**words == '/')
			write_value(*words, value);
		else
			setenv(*words, value, 1);
	}
	return words;
}

static void execute(char **words)
{
	int nothing = open("/dev/null", O_RDONLY);

	dup2(nothing, 0);
	close(nothing);
	redirect("stdout", 1);
	redirect("stderr", 2);
	setsid();
	environ = (char **)environment;
	words = settle(words);
	if (*words)
		execve(words[0], words, environ);
	_exit(127);
}

static void kill_all(int number)
{
	(void)number;
	kill(-1, SIGKILL);
}

/* The exit status; minus the signal's number if it died of one. */
static int run(char **words)
{
	int status = 0;
	pid_t child = fork(), ended;

	if (!child)
		execute(words);
	alarm(SECONDS_MOST);
	do
		ended = waitpid(-1, &status, 0);
	while (ended != child);
	alarm(0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void run_line(char *line)
{
	char *words[WORDS_MOST + 1], *rest = NULL, directory[256];
	size_t count = 0;

	for (char *word = strtok_r(line, "\t\n", &rest); word && count < WORDS_MOST;
	     word = strtok_r(NULL, "\t\n", &rest))
		words[count++] = word;
	words[count] = NULL;
	if (count < 2)
		return;
	snprintf(directory, sizeof directory, "/out/%s", words[0]);
	if (mkdir(directory, 0700) || chdir(directory))
		return;
	FILE *status = fopen("status", "w");
	fprintf(status, "%d\n", run(words + 1));
	fclose(status);
	nftw(directory, print_file, 16, FTW_PHYS);
	fflush(stdout);
}

static void set_up(void)
{
	struct termios plain;

	mount("proc", "/proc", "proc", 0, "");
	mount("sysfs", "/sys", "sysfs", 0, "");
	mount("devtmpfs", "/dev", "devtmpfs", 0, "");
	mkdir("/dev/shm", 01777);
	mount("tmpfs", "/dev/shm", "tmpfs", 0, "");
	mount("tmpfs", "/out", "tmpfs", 0, "");
	if (!tcgetattr(1, &plain)) {
		cfmakeraw(&plain);
		tcsetattr(1, TCSANOW, &plain);
	}
	signal(SIGALRM, kill_all);
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;

	set_up();
	FILE *commands = fopen("/commands", "re");
	while (commands && getline(&line, &size, commands) > 0)
		run_line(line);
	puts("\n@done");
	fflush(stdout);
	tcdrain(1);
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
