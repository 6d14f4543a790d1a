/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptor_facts.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

enum { OF_THREAD = O_EXCL }; /* PIDFD_THREAD, since Linux 6.9 */

/* Of /dev: zero, full, random, urandom. */
enum { MEMORY_DEVICES = 1, ZERO = 5, FULL = 7, RANDOM = 8, URANDOM = 9 };

/* Asks no file system: one in user space may be of the process itself. */
static bool look(pid_t process, pid_t thread, int number, struct statx *found)
{
	char path[80];

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/fd/%d", (long)process, (long)thread,
		 number);
	return statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO,
		     found) == 0;
}

static bool is_same(const struct statx *one, const struct stat *other)
{
	return one->stx_ino == other->st_ino &&
	       makedev(one->stx_dev_major, one->stx_dev_minor) == other->st_dev;
}

/* A descriptor of ours for the same open file, or -1. Without OF_THREAD the number is looked up in
 * the first thread's descriptors. */
static int take(pid_t process, pid_t thread, int number, const struct statx *found)
{
	struct stat taken;
	int handle = (int)syscall(SYS_pidfd_open, thread, OF_THREAD);

	if (handle < 0)
		handle = (int)syscall(SYS_pidfd_open, process, 0);
	int own = handle < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, handle, number, 0);
	if (handle >= 0)
		close(handle);
	if (own >= 0 && (fstat(own, &taken) < 0 || !is_same(found, &taken))) {
		close(own);
		own = -1;
	}
	return own;
}

static void read_socket(struct descriptor_facts *facts, int own)
{
	int value;
	socklen_t size = sizeof value;

	if (getsockopt(own, SOL_SOCKET, SO_TYPE, &value, &size) == 0)
		facts->is_stream = value == SOCK_STREAM;
	size = sizeof value;
	if (getsockopt(own, SOL_SOCKET, SO_RCVLOWAT, &value, &size) == 0 && value > 1)
		facts->least = (uint64_t)value;
}

/* The controlling side of a pair shows the settings of the other one. */
static void read_terminal(struct descriptor_facts *facts, int own)
{
	struct termios terminal;
	int unused;

	facts->is_terminal = tcgetattr(own, &terminal) == 0;
	if (!facts->is_terminal || ioctl(own, TIOCGPTN, &unused) == 0 || terminal.c_lflag & ICANON)
		return;
	facts->is_timed = terminal.c_cc[VTIME] != 0;
	if (terminal.c_cc[VMIN] > 1)
		facts->least = terminal.c_cc[VMIN];
}

static bool is_filled(const struct statx *found)
{
	unsigned minor = found->stx_rdev_minor;

	return S_ISCHR(found->stx_mode) && found->stx_rdev_major == MEMORY_DEVICES &&
	       (minor == ZERO || minor == FULL || minor == RANDOM || minor == URANDOM);
}

void descriptor_facts_read(struct descriptor_facts *facts, pid_t process, pid_t thread, int number)
{
	struct statx found;

	*facts = (struct descriptor_facts){.least = 1};
	if (!look(process, thread, number, &found))
		return;
	facts->type = found.stx_mode & S_IFMT;
	facts->is_filled = is_filled(&found);
	if (!S_ISSOCK(facts->type) && !S_ISCHR(facts->type))
		return;
	int own = take(process, thread, number, &found);
	if (own < 0)
		return;
	if (S_ISSOCK(facts->type))
		read_socket(facts, own);
	else
		read_terminal(facts, own);
	close(own);
}
