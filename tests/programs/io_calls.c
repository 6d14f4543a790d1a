/* SPDX-License-Identifier: MIT */
/* Calls on descriptors, of known number, bytes and waiting time.
 *
 *   io_calls counts    every operation: how often, how many bytes, how many failed
 *   io_calls waits     a pipe, a socket, poll and a file lock: the waiter's own account
 *   io_calls cache     long reads of a file in memory, which wait for nothing
 *   io_calls flag      a socket that is O_NONBLOCK, and then no longer, which nobody sees
 *   io_calls child N  a fork child that writes N times, and does nothing else
 *   io_calls names     what descriptors stand for, and numbers that are used again
 *   io_calls unseen    a number that a raw system call closes, and that is used again */
#include "truth.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static char bytes[65536];

static int scratch_file(const char *name)
{
	int number = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (number < 0)
		exit(3);
	return number;
}

static void need(long got, long wanted)
{
	if (got == wanted)
		return;
	fprintf(stderr, "got %ld, not %ld (%s)\n", got, wanted, strerror(errno));
	exit(4);
}

/* ---- counts ---- */

static void count_files(void)
{
	int file = scratch_file("counted");
	struct iovec parts[2] = {{bytes, 10}, {bytes + 10, 20}};

	for (int i = 0; i < 7; i++)
		need(write(file, bytes, 100), 100);
	for (int i = 0; i < 6; i++)
		need(pwrite(file, bytes, 50, 0), 50);
	for (int i = 0; i < 5; i++)
		need(writev(file, parts, 2), 30);
	for (int i = 0; i < 4; i++)
		need(pwritev(file, parts, 2, 0), 30);
	lseek(file, 0, SEEK_SET);
	for (int i = 0; i < 8; i++)
		need(read(file, bytes, 20), 20);
	for (int i = 0; i < 9; i++)
		need(pread(file, bytes, 40, 0), 40);
	for (int i = 0; i < 3; i++)
		need(readv(file, parts, 2), 30);
	for (int i = 0; i < 2; i++)
		need(preadv(file, parts, 2, 0), 30);
	need(read(file, bytes, sizeof bytes) > 0, 1);
	need(read(file, bytes, 100), 0);
	for (int i = 0; i < 3; i++)
		need(read(-1, bytes, 1), -1);
	need(fsync(file), 0);
	need(fdatasync(file), 0);
	need(flock(file, LOCK_EX), 0);
	close(file);
}

static void count_sockets(void)
{
	int pair[2];
	struct iovec part = {bytes, 64};
	struct msghdr one = {.msg_iov = &part, .msg_iovlen = 1};
	struct mmsghdr two[2] = {{.msg_hdr = one}, {.msg_hdr = one}};

	need(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
	for (int i = 0; i < 5; i++)
		need(send(pair[0], bytes, 10, 0), 10);
	for (int i = 0; i < 5; i++)
		need(recv(pair[1], bytes, 100, 0), 10);
	need(sendto(pair[0], bytes, 30, 0, NULL, 0), 30);
	need(recvfrom(pair[1], bytes, 100, 0, NULL, NULL), 30);
	need(sendmsg(pair[0], &one, 0), 64);
	need(recvmsg(pair[1], &one, 0), 64);
	need(sendmmsg(pair[0], two, 2, 0), 2);
	need(recvmmsg(pair[1], two, 2, 0, NULL), 2);
	need(recv(pair[1], bytes, 1, MSG_DONTWAIT), -1);
	need(errno, EAGAIN);
	struct pollfd asked = {.fd = pair[1], .events = POLLIN};
	for (int i = 0; i < 11; i++)
		need(poll(&asked, 1, 0), 0);
	close(pair[0]);
	close(pair[1]);
}

/* ---- waits ---- */

enum { TURNS = 10 };

static int ends[2], sockets[2];

static double inode_of(int number)
{
	struct stat status;

	need(fstat(number, &status), 0);
	return (double)status.st_ino;
}

static void *speak(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		nap_raw(0.02);
		need(write(ends[1], bytes, 1), 1);
		nap_raw(0.01);
		need(send(sockets[1], bytes, 1, 0), 1);
		nap_raw(0.005);
		need(send(sockets[1], bytes, 1, 0), 1);
	}
	return unused;
}

static void wait_for_all(void)
{
	pthread_t speaker;
	double reading = 0, receiving = 0, polling = 0;

	need(pipe(ends), 0);
	need(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	pthread_create(&speaker, NULL, speak, NULL);
	struct pollfd asked = {.fd = sockets[0], .events = POLLIN};
	for (int i = 0; i < TURNS; i++) {
		double begin = now();
		need(read(ends[0], bytes, 1), 1);
		double read_at = now();
		need(recv(sockets[0], bytes, 1, 0), 1);
		double received_at = now();
		need(poll(&asked, 1, -1), 1);
		double polled_at = now();
		need(recv(sockets[0], bytes, 1, 0), 1);
		reading += read_at - begin;
		receiving += received_at - read_at;
		polling += polled_at - received_at;
	}
	pthread_join(speaker, NULL);
	truth("reading", reading);
	truth("receiving", receiving);
	truth("polling", polling);
}

/* Reads what fills a pipe, late. */
static void *drain(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		nap_raw(0.02);
		need(read(ends[0], bytes, 65536), 65536);
	}
	return unused;
}

static void wait_for_room(void)
{
	pthread_t drainer;
	int never[2];
	double waiting = 0;

	need(pipe(ends), 0);
	need(pipe(never), 0);
	need(write(ends[1], bytes, 65536), 65536);
	pthread_create(&drainer, NULL, drain, NULL);
	for (int i = 0; i < TURNS; i++) {
		struct pollfd asked[2] = {{.fd = ends[1], .events = POLLOUT},
					  {.fd = never[0], .events = POLLIN}};
		double begin = now();
		need(poll(asked, 2, -1), 1);
		waiting += now() - begin;
		need(write(ends[1], bytes, 65536), 65536);
	}
	pthread_join(drainer, NULL);
	truth("waiting", waiting);
	truth("pipe", inode_of(ends[1]));
}

/* ---- no waits ---- */

static void read_cache(void)
{
	enum { LARGE = 8 << 20 };
	char *large = malloc(LARGE);
	int file = scratch_file("cached");

	memset(large, 1, LARGE);
	need(write(file, large, LARGE), LARGE);
	double begin = now();
	for (int i = 0; i < 30; i++)
		need(pread(file, large, LARGE, 0), LARGE);
	truth("copying", now() - begin);
}

/* Descriptors that are ready, in calls that take the kernel 5 us and more; and reads of the page
 * cache, long and short in turn. */
static void work_in_the_kernel(void)
{
	enum { MANY = 300, LARGE = 1 << 18 };
	static struct pollfd ready[MANY];
	char *large = calloc(1, LARGE);
	int file = scratch_file("cached");

	need(pipe(ends), 0);
	need(write(ends[1], "x", 1), 1);
	for (int i = 0; i < MANY; i++)
		ready[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
	need(write(file, large, LARGE), LARGE);
	for (int i = 0; i < 500; i++) {
		need(poll(ready, MANY, -1), MANY);
		need(pread(file, large, LARGE, 0), LARGE);
		need(pread(file, large, 1, 0), 1);
	}
}

/* ---- O_NONBLOCK ---- */

static void *speak_later(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		nap_raw(0.02);
		need(send(sockets[1], bytes, 1, 0), 1);
	}
	return unused;
}

/* Long calls that find room, after the thread gave up its processor; then, as FIONBIO clears the
 * flag, calls that wait. */
static void clear_the_flag(void)
{
	enum { CALLS = 200, UNTIL_KNOWN = 20 };
	pthread_t speaker;
	double receiving = 0;

	need(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	need(fcntl(sockets[0], F_SETFL, O_NONBLOCK), 0);
	for (int i = 0; i < UNTIL_KNOWN; i++) {
		need(send(sockets[0], bytes, 1, 0), 1);
		need(recv(sockets[1], bytes, 1, 0), 1);
	}
	for (int i = 0; i < CALLS; i++) {
		nap_raw(0.0002);
		need(send(sockets[0], bytes, sizeof bytes, 0), sizeof bytes);
		need(recv(sockets[1], bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
		need(recv(sockets[0], bytes, 1, 0), -1);
	}
	need(ioctl(sockets[0], FIONBIO, &(int){0}), 0);
	pthread_create(&speaker, NULL, speak_later, NULL);
	for (int i = 0; i < TURNS; i++) {
		double begin = now();
		need(recv(sockets[0], bytes, 1, 0), 1);
		receiving += now() - begin;
	}
	pthread_join(speaker, NULL);
	truth("receiving", receiving);
	truth("socket", inode_of(sockets[0]));
}

/* ---- children ---- */

/* That only read and write. */
static void write_in_a_child(int calls)
{
	pid_t child;

	need(pipe(ends), 0);
	child = fork();
	if (!child) {
		for (int i = 0; i < calls; i++)
			need(write(ends[1], bytes, 100), 100);
		_exit(0);
	}
	for (int i = 0; i < calls; i++)
		need(read(ends[0], bytes, 100), 100);
	waitpid(child, NULL, 0);
}

/* ---- names ---- */

static void use(int number)
{
	for (int i = 0; i < 40; i++)
		need(pread(number, bytes, 1, 0), 1);
}

/* Two files in turn under one number, which is freed in each of the ways there are. */
static void name_files(void)
{
	const char *const names[] = {"first", "second", "third", "fourth"};
	int files[4];

	for (int i = 0; i < 4; i++) {
		files[i] = scratch_file(names[i]);
		need(write(files[i], "x", 1), 1);
	}
	use(files[0]);
	need(dup2(files[1], files[0]), files[0]); /* now `second` */
	use(files[0]);
	close(files[0]);
	need(dup(files[2]), files[0]); /* now `third` */
	use(files[0]);
}

static void name_others(void)
{
	int counter = eventfd(0, 0), events = epoll_create1(0), listener, client, served;
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	struct epoll_event event;

	for (int i = 0; i < 40; i++)
		need(write(counter, &(uint64_t){1}, 8), 8);
	for (int i = 0; i < 40; i++)
		need(epoll_wait(events, &event, 1, 0), 0);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	need(bind(listener, (void *)&address, size), 0);
	need(listen(listener, 5), 0);
	need(getsockname(listener, (void *)&address, &size), 0);
	client = socket(AF_INET, SOCK_STREAM, 0);
	need(connect(client, (void *)&address, size), 0);
	served = accept(listener, NULL, NULL);
	for (int i = 0; i < 40; i++) {
		need(write(client, bytes, 1), 1);
		need(read(served, bytes, 1), 1);
	}
	truth("port", ntohs(address.sin_port));
}

static void *write_later(void *number)
{
	nap_raw(0.03);
	need(write((int)(long)number, bytes, 1), 1);
	return NULL;
}

/* Waits for a new pipe whose reading end has the lowest free number; its inode. */
static double wait_for_pipe(int *reading)
{
	int made[2];
	pthread_t writer;

	need(pipe(made), 0);
	*reading = made[0];
	pthread_create(&writer, NULL, write_later, (void *)(long)made[1]);
	need(read(made[0], bytes, 1), 1);
	pthread_join(writer, NULL);
	return inode_of(made[0]);
}

static void close_unseen(void)
{
	int first, second;

	truth("first", wait_for_pipe(&first));
	need(syscall(SYS_close, first), 0);
	truth("second", wait_for_pipe(&second));
	need(first, second);
}

int main(int count, char **arguments)
{
	const char *scene = count > 1 ? arguments[1] : "";

	if (!strcmp(scene, "counts")) {
		count_files();
		count_sockets();
	} else if (!strcmp(scene, "waits")) {
		wait_for_all();
	} else if (!strcmp(scene, "room")) {
		wait_for_room();
	} else if (!strcmp(scene, "cache")) {
		read_cache();
	} else if (!strcmp(scene, "work")) {
		work_in_the_kernel();
	} else if (!strcmp(scene, "flag")) {
		clear_the_flag();
	} else if (!strcmp(scene, "child")) {
		write_in_a_child(count > 2 ? atoi(arguments[2]) : 5000);
	} else if (!strcmp(scene, "names")) {
		name_files();
		name_others();
	} else if (!strcmp(scene, "unseen")) {
		close_unseen();
	} else {
		return 2;
	}
	truth_end();
	return 0;
}
