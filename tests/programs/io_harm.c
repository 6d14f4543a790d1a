/* SPDX-License-Identifier: MIT */
/* Calls on descriptors as hostile programs make them. Each scene prints what it saw, which must be
 * the same without the profiler.
 *
 *   io_harm cancel    cancelled in each of them, with clean-up handlers
 *   io_harm eintr     handlers with and without SA_RESTART
 *   io_harm errors    errno of calls that fail, time out, or do not block
 *   io_harm jump      a handler jumps out of read, and the thread then waits and computes
 *   io_harm vfork     a vfork child makes calls, blocks in one and is killed
 *   io_harm fork      a handler forks in the middle of a read
 *   io_harm handler   a handler writes while its thread is in the middle of others
 *   io_harm closed    standard streams are closed and opened again
 *   io_harm cramped   a handler reads, writes and polls on an alternate stack that is just enough
 */
#include "truth.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static int ends[2], sockets[2], events;
static char bytes[4096];

static void say(const char *what, long result)
{
	int error = errno;

	printf("%s: %ld %s\n", what, result, result < 0 ? strerror(error) : "");
	fflush(stdout);
}

static void set_handler(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
}

static void ignore(int number)
{
	(void)number;
}

/* ---- cancellation ---- */

static long do_read(void)
{
	return read(ends[0], bytes, 1);
}

static long do_readv(void)
{
	struct iovec part = {bytes, 1};
	return readv(ends[0], &part, 1);
}

static long do_recv(void)
{
	return recv(sockets[0], bytes, 1, 0);
}

static long do_recvmsg(void)
{
	struct iovec part = {bytes, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	return recvmsg(sockets[0], &message, 0);
}

static long do_poll(void)
{
	struct pollfd asked = {.fd = ends[0], .events = POLLIN};
	return poll(&asked, 1, 5000);
}

static long do_select(void)
{
	fd_set set;
	struct timeval time = {.tv_sec = 5};

	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	return select(ends[0] + 1, &set, NULL, NULL, &time);
}

static long do_epoll(void)
{
	struct epoll_event event;
	return epoll_wait(events, &event, 1, 5000);
}

static long do_pause(void)
{
	return pause();
}

#define FIFO "harm_fifo"

/* A stream that was interrupted has failed. */
static FILE *stream(void)
{
	static FILE *made;

	if (!made)
		made = fdopen(ends[0], "r");
	clearerr(made);
	__fpurge(made);
	return made;
}

static long do_getc(void)
{
	return getc(stream());
}

static long do_fgets(void)
{
	return fgets(bytes, sizeof bytes, stream()) ? 1 : -1;
}

static long do_getline(void)
{
	static char *line;
	static size_t room;
	return getline(&line, &room, stream());
}

static long do_fread(void)
{
	FILE *file = stream();
	return fread(bytes, 1, 1, file) || !ferror(file) ? 1 : -1;
}

static long do_open(void)
{
	mkfifo(FIFO, 0600);
	return open(FIFO, O_RDONLY);
}

static const struct {
	const char *name;
	long (*call)(void);
} calls[] = {
	{"read", do_read}, {"readv", do_readv},   {"recv", do_recv},        {"recvmsg", do_recvmsg},
	{"poll", do_poll}, {"select", do_select}, {"epoll_wait", do_epoll}, {"pause", do_pause},
	{"getc", do_getc}, {"fgets", do_fgets},   {"getline", do_getline},  {"fread", do_fread},
	{"open", do_open},
};
enum { CALLS = sizeof calls / sizeof *calls };

static volatile int ready;

static void cleaned(void *name)
{
	printf("%s: cleaned up\n", (const char *)name);
}

static void *be_cancelled(void *number)
{
	pthread_cleanup_push(cleaned, (void *)calls[(long)number].name);
	increment(&ready);
	say(calls[(long)number].name, calls[(long)number].call());
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancel_all(void)
{
	for (long i = 0; i < CALLS; i++) {
		pthread_t thread;
		void *result;

		ready = 0;
		pthread_create(&thread, NULL, be_cancelled, (void *)i);
		await_raw(&ready, 1);
		nap_raw(0.02);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		printf("%s: %s\n", calls[i].name,
		       result == PTHREAD_CANCELED ? "cancelled" : "returned");
	}
}

/* ---- signals ---- */

static pthread_t target;

static void *disturb(void *unused)
{
	do {
		nap_raw(0.02);
	} while (!is_asleep_raw(getpid())); /* the first thread, in the call */
	pthread_kill(target, SIGUSR1);
	nap_raw(0.05);
	if (write(ends[1], "x\n", 2) < 0 || write(sockets[1], "x", 1) < 0)
		_exit(9);
	close((int)syscall(SYS_openat, AT_FDCWD, FIFO, O_WRONLY | O_NONBLOCK));
	return unused;
}

static void interrupt_all(int flags)
{
	set_handler(ignore, flags);
	target = pthread_self();
	for (int i = 0; i < CALLS; i++) {
		pthread_t other;

		pthread_create(&other, NULL, disturb, NULL);
		errno = 0;
		say(calls[i].name, calls[i].call());
		pthread_join(other, NULL);
		recv(sockets[0], bytes, sizeof bytes, MSG_DONTWAIT);
		if (poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 0) > 0)
			say("left", read(ends[0], bytes, sizeof bytes));
	}
}

/* ---- errors ---- */

static void *close_it(void *unused)
{
	nap_raw(0.05);
	shutdown(sockets[0], SHUT_RDWR);
	return unused;
}

static void fail_all(void)
{
	struct timeval time = {.tv_usec = 30000};
	pthread_t other;

	errno = 0;
	say("read of a closed number", read(99, bytes, 1));
	say("write to a closed number", write(-1, bytes, 1));
	say("read to nowhere", read(ends[0], NULL, 0));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	say("read without waiting", read(ends[0], bytes, 1));
	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
	say("recv with a time-out", recv(sockets[0], bytes, 1, 0));
	time.tv_usec = 0;
	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
	errno = 12;
	say("poll with a time-out", poll(NULL, 0, 30));
	printf("errno is still %d\n", errno);
	pthread_create(&other, NULL, close_it, NULL);
	say("recv while the socket is shut down", recv(sockets[0], bytes, 1, 0));
	pthread_join(other, NULL);
	printf("errno is still %d\n", errno);
	signal(SIGPIPE, SIG_IGN);
	close(ends[0]);
	say("write to nobody", write(ends[1], "x", 1));
	/* volatile: the compiler knows that they are no addresses */
	struct pollfd *volatile last = (struct pollfd *)-8L;
	say("poll of what lies at the end of memory", poll(last, 1, 5));
	const struct timespec *volatile nowhere = (const struct timespec *)8;
	struct epoll_event event;
	say("epoll_pwait2 with a time that is nowhere",
	    epoll_pwait2(events, &event, 1, nowhere, NULL));
}

/* ---- stacks ---- */

static void use_descriptors(int number)
{
	(void)number;
	if (write(ends[1], "abc", 3) != 3 || read(ends[0], bytes, 3) != 3 || poll(NULL, 0, 1))
		abort();
}

/* What the kernel's frame takes, and the calls themselves. Of what lies below, nothing may be
 * written. */
static void handle_on_a_small_stack(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = getauxval(AT_MINSIGSTKSZ) + 128;
	char *memory =
		mmap(NULL, 16 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = {.ss_sp = memory + page, .ss_size = size};
	struct sigaction action = {.sa_handler = use_descriptors, .sa_flags = SA_ONSTACK};

	mprotect(memory, page, PROT_NONE);
	say("sigaltstack", sigaltstack(&stack, NULL));
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 50; i++)
		raise(SIGUSR1);
	puts("handled");
}

/* ---- jumps ---- */

static sigjmp_buf back;

static void jump(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void jump_out(void)
{
	pthread_t other;

	set_handler(jump, 0);
	target = pthread_self();
	pthread_create(&other, NULL, disturb, NULL);
	double begin = now();
	if (!sigsetjmp(back, 1)) {
		say("read returned", read(ends[0], bytes, 1));
	}
	double waited = now() - begin;
	BURN(0.3);
	pthread_join(other, NULL);
	say("read again", read(ends[0], bytes, 1));
	truth("waited", waited);
	truth_end();
}

/* ---- processes ---- */

static void vfork_all(void)
{
	int status;

	for (volatile int i = 0; i < 3; i++) {
		pid_t child = vfork();
		if (!child) {
			if (write(ends[1], "ab", 2) != 2 || read(ends[0], bytes, 2) != 2)
				_exit(7);
			dup2(ends[0], 50);
			close(50);
			if (i == 1)
				execl("/bin/true", "true", NULL);
			if (i == 2) {
				struct pollfd asked = {.fd = ends[0], .events = POLLIN};
				poll(&asked, 1, 100);
				kill(getpid(), SIGKILL);
			}
			_exit(i);
		}
		waitpid(child, &status, 0);
		say("child", status);
	}
	say("write", write(ends[1], "x", 1));
	say("read", read(ends[0], bytes, 1));
	BURN(0.2);
}

static volatile pid_t forked;

static void fork_inside(int number)
{
	(void)number;
	forked = fork();
	if (forked && write(ends[1], "x", 1) != 1) /* one byte for each of the two */
		_exit(9);
}

static void fork_in_read(void)
{
	pthread_t other;
	int status = 0;

	set_handler(fork_inside, SA_RESTART);
	target = pthread_self();
	pthread_create(&other, NULL, disturb, NULL);
	if (forked == 0) {
		long got = read(ends[0], bytes, 1);
		if (!forked && got != 1)
			_exit(8);
		if (!forked)
			_exit(3);
		pthread_join(other, NULL);
		waitpid(forked, &status, 0);
		say("child", status);
	}
}

/* ---- a handler that writes ---- */

static volatile int written;

static void write_there(int number)
{
	(void)number;
	int saved = errno;
	written += write(sockets[1], "y", 1) == 1;
	errno = saved;
}

static void *signal_often(void *unused)
{
	for (int i = 0; i < 200; i++) {
		pthread_kill(target, SIGUSR1);
		nap_raw(0.0003);
	}
	increment(&ready);
	return unused;
}

static void write_in_handler(void)
{
	pthread_t other;
	long wrong = 0;
	int zero = open("/dev/zero", O_RDONLY);

	set_handler(write_there, SA_RESTART);
	target = pthread_self();
	pthread_create(&other, NULL, signal_often, NULL);
	while (!ready)
		wrong += read(zero, bytes, 16) != 16;
	pthread_join(other, NULL);
	say("wrong reads", wrong);
	long left = written;
	while (left > 0)
		left -= recv(sockets[0], bytes, sizeof bytes, 0);
	say("left", left);
}

static void close_standard(void)
{
	close(0);
	say("standard input", open("/dev/null", O_RDONLY));
	say("read", read(0, bytes, 1));
	close(2);
	say("standard error", open("/dev/null", O_WRONLY));
	say("write", write(2, bytes, 1));
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*scene)(void);
	} scenes[] = {
		{"cancel", cancel_all},     {"errors", fail_all},
		{"jump", jump_out},         {"vfork", vfork_all},
		{"fork", fork_in_read},     {"handler", write_in_handler},
		{"closed", close_standard}, {"cramped", handle_on_a_small_stack},
	};
	const char *name = count > 1 ? arguments[1] : "";

	if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return 3;
	events = epoll_create1(0);
	epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN});
	if (!strcmp(name, "eintr")) {
		interrupt_all(0);
		interrupt_all(SA_RESTART);
		return 0;
	}
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		if (!strcmp(name, scenes[i].name)) {
			scenes[i].scene();
			return 0;
		}
	return 2;
}
