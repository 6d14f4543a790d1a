/* SPDX-License-Identifier: MIT */
/* What the kernel does with calls that wait when a signal comes is what the table says: a handler
 * without SA_RESTART ends those that it has, after one with SA_RESTART they go on. */
#include "preload/samples/ended_calls.h"

#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int empty[2], full[2], pair[2], full_pair[2], file, listener;
static char room[4096];
static struct iovec vector = {room, sizeof room};
static struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
static struct mmsghdr messages = {.msg_hdr = {.msg_iov = &vector, .msg_iovlen = 1}};
static uint32_t word;
static struct sembuf down = {0, -1, 0};

static void fill(int descriptor)
{
	fcntl(descriptor, F_SETFL, O_NONBLOCK);
	while (write(descriptor, room, sizeof room) > 0)
		;
	fcntl(descriptor, F_SETFL, 0);
}

static void prepare(void)
{
	ck_assert(!pipe(empty) && !pipe(full));
	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, full_pair));
	fill(full[1]);
	fill(full_pair[0]);
	char name[] = "/tmp/test_ended_calls.XXXXXX";
	file = mkstemp(name);
	ck_assert_int_eq(write(file, room, sizeof room), (ssize_t)sizeof room);
	unlink(name);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert(!bind(listener, &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(sa_family_t)));
	ck_assert(!listen(listener, 1));
}

#define CALL(name, ...)                                                                            \
	{                                                                                          \
#name, SYS_##name,                                                                 \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define AT(object) (long)(object)

struct call {
	const char *name;
	long number;
	long word[6];
};

static int seen, wanted;

static void count(int number)
{
	(void)number;
	if (++seen == wanted)
		_exit(10);
}

/* To wait for; it ends with its parent. */
static void have_child(void)
{
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sleep(20);
	_exit(0);
}

/* 11: the call ended with EINTR; 10: it went on after three handlers. */
static int ends(const struct call *call, int flags)
{
	pid_t child = fork();

	if (!child) {
		struct sigaction action = {.sa_handler = count, .sa_flags = flags};
		struct itimerval often = {{0, 10000}, {0, 10000}};
		const long *at = call->word;
		wanted = flags ? 3 : 0;
		if (call->number == SYS_wait4)
			have_child();
		sigaction(SIGALRM, &action, NULL);
		setitimer(ITIMER_REAL, &often, NULL);
		long result = syscall(call->number, at[0], at[1], at[2], at[3], at[4], at[5]);
		_exit(result == -1 && errno == EINTR ? 11 : 12);
	}
	int status = 0;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check(const struct call *call)
{
	int without = ends(call, 0), with = ends(call, SA_RESTART);

	ck_assert_msg(without == 11, "%s without SA_RESTART: %d", call->name, without);
	ck_assert_msg(with == (ended_calls_have(call->number) ? 10 : 11), "%s with SA_RESTART: %d",
		      call->name, with);
}

START_TEST(the_kernel_does_what_the_table_says)
{
	prepare();
	int queue = msgget(IPC_PRIVATE, 0600), semaphores = semget(IPC_PRIVATE, 1, 0600);
	struct pollfd polled = {empty[0], POLLIN, 0};
	struct timespec long_time = {1000, 0};
	const struct call table[] = {
		CALL(read, empty[0], AT(room), 1),
		CALL(readv, empty[0], AT(&vector), 1),
		CALL(preadv2, empty[0], AT(&vector), 1, -1, -1),
		CALL(write, full[1], AT(room), sizeof room),
		CALL(writev, full[1], AT(&vector), 1),
		CALL(pwritev2, full[1], AT(&vector), 1, -1, -1),
		CALL(sendfile, full_pair[0], file, AT(&(off_t){0}), sizeof room),
		CALL(splice, empty[0], 0, full[1], 0, sizeof room),
		CALL(tee, empty[0], full[1], sizeof room),
		CALL(vmsplice, full[1], AT(&vector), 1),
		CALL(recvfrom, pair[0], AT(room), 1),
		CALL(recvmsg, pair[0], AT(&message)),
		CALL(recvmmsg, pair[0], AT(&messages), 1),
		CALL(sendto, full_pair[0], AT(room), sizeof room),
		CALL(sendmsg, full_pair[0], AT(&message)),
		CALL(sendmmsg, full_pair[0], AT(&messages), 1),
		CALL(accept, listener),
		CALL(accept4, listener),
		CALL(wait4, -1),
		CALL(futex, AT(&word)),
		CALL(ppoll, AT(&polled), 1),
		CALL(rt_sigsuspend, AT(&(uint64_t){0}), sizeof(uint64_t)),
		CALL(nanosleep, AT(&long_time)),
		CALL(msgrcv, queue, AT(room), 1),
		CALL(semop, semaphores, AT(&down), 1),
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		check(&table[i]);
	msgctl(queue, IPC_RMID, NULL);
	semctl(semaphores, 0, IPC_RMID);
}
END_TEST

START_TEST(what_no_signal_ends_is_not_there)
{
	static const long others[] = {SYS_close,  SYS_pread64, SYS_pwrite64, SYS_fsync, SYS_mmap,
				      SYS_getpid, SYS_clone,   SYS_exit,     -1,        100000};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert_msg(!ended_calls_have(others[i]), "%ld", others[i]);
}
END_TEST

UNIT_MAIN("ended_calls", the_kernel_does_what_the_table_says, what_no_signal_ends_is_not_there)
