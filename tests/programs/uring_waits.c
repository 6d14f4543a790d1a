/* SPDX-License-Identifier: MIT */
/* Waits for io_uring that compute in the kernel before they sleep on: while the thread waits for a
 * timer of the ring, a chain of reads from full pipes becomes ready, and leaves no event behind.
 * Says how many of the waits failed with EINTR: natively none.
 *   uring_waits call       by libc's syscall()
 *   uring_waits constant   by a system call of its own, whose number is a constant (as in liburing)
 *   uring_waits register   the same, the number comes from another register
 *   uring_waits handled    another thread sends signals, whose handler has to end each wait */
#include "truth.h"
#include <linux/io_uring.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

enum { ENTRIES = 16, PIPES = 4, PIPE_BYTES = 1 << 20, WAITS = 150, ROUNDS = 100 };

static struct {
	int fd, timer, pipes[PIPES][2];
	unsigned *tail, *mask, *array, *head;
	struct io_uring_sqe *entries;
	char *data;
} ring;
static volatile int handled, round_now;

static int by_call(int submit, int least, unsigned flags)
{
	long result = syscall(SYS_io_uring_enter, ring.fd, submit, least, flags, NULL, 0);
	return result < 0 ? -errno : (int)result;
}

#ifdef __x86_64__
#define OWN_CALL(how)                                                                              \
	register long flags_ __asm__("r10") = flags;                                               \
	register long extra __asm__("r8") = 0;                                                     \
	register long bytes __asm__("r9") = 0;                                                     \
	register long number __asm__("r15") = SYS_io_uring_enter;                                  \
	long result;                                                                               \
	__asm__ volatile(how "\n\tsyscall"                                                         \
			 : "=a"(result)                                                            \
			 : "D"((long)ring.fd), "S"((long)submit), "d"((long)least), "r"(flags_),   \
			   "r"(extra), "r"(bytes), "r"(number)                                     \
			 : "rcx", "r11", "memory");                                                \
	return (int)result

static int by_constant(int submit, int least, unsigned flags)
{
	OWN_CALL("movl $426, %%eax");
}

static int by_register(int submit, int least, unsigned flags)
{
	OWN_CALL("movl %%r15d, %%eax");
}
#else
#define by_constant by_call
#define by_register by_call
#endif

static int (*enter)(int submit, int least, unsigned flags) = by_call;

static int set_up(void)
{
	struct io_uring_params p = {0};
	ring.fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (ring.fd < 0 || !(p.features & IORING_FEAT_CQE_SKIP))
		return -1;
	int access = PROT_READ | PROT_WRITE;
	char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, access, MAP_SHARED, ring.fd,
			IORING_OFF_SQ_RING);
	char *cq = mmap(0, p.cq_off.cqes + p.cq_entries * 16, access, MAP_SHARED, ring.fd,
			IORING_OFF_CQ_RING);
	ring.entries = mmap(0, p.sq_entries * sizeof *ring.entries, access, MAP_SHARED, ring.fd,
			    IORING_OFF_SQES);
	ring.tail = (unsigned *)(sq + p.sq_off.tail);
	ring.mask = (unsigned *)(sq + p.sq_off.ring_mask);
	ring.array = (unsigned *)(sq + p.sq_off.array);
	ring.head = (unsigned *)(cq + p.cq_off.head);
	ring.timer = timerfd_create(CLOCK_MONOTONIC, 0);
	ring.data = malloc(PIPE_BYTES);
	memset(ring.data, 1, PIPE_BYTES);
	for (int i = 0; i < PIPES; i++)
		if (pipe(ring.pipes[i]) || fcntl(ring.pipes[i][0], F_SETPIPE_SZ, PIPE_BYTES) < 0)
			return -1;
	return 0;
}

static struct io_uring_sqe *add(int operation, int fd, void *address, unsigned length)
{
	unsigned at = *ring.tail & *ring.mask;
	struct io_uring_sqe *entry = &ring.entries[at];
	memset(entry, 0, sizeof *entry);
	entry->opcode = (__u8)operation;
	entry->fd = fd;
	entry->addr = (uintptr_t)address;
	entry->len = length;
	ring.array[at] = at;
	__atomic_store_n(ring.tail, *ring.tail + 1, __ATOMIC_RELEASE);
	return entry;
}

/* Submits the chain, which begins in some 0.2 ms, and the ring's timer. */
static void submit(long timeout_ns)
{
	static uint64_t expired;
	static struct __kernel_timespec timeout;
	struct itimerspec soon = {.it_value.tv_nsec = 100000 + rand() % 300000};
	for (int i = 0; i < PIPES; i++)
		if (write(ring.pipes[i][1], ring.data, PIPE_BYTES) != PIPE_BYTES)
			exit(9);
	timerfd_settime(ring.timer, 0, &soon, NULL);
	add(IORING_OP_READ, ring.timer, &expired, 8)->flags =
		IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS;
	for (int i = 0; i < PIPES; i++)
		add(IORING_OP_READ, ring.pipes[i][0], ring.data, PIPE_BYTES)->flags =
			IOSQE_CQE_SKIP_SUCCESS | (i + 1 < PIPES ? IOSQE_IO_LINK : 0);
	timeout.tv_sec = timeout_ns / 1000000000;
	timeout.tv_nsec = timeout_ns % 1000000000;
	add(IORING_OP_TIMEOUT, -1, &timeout, 1);
	if (by_call(PIPES + 2, 0, 0) != PIPES + 2)
		exit(9);
}

static void wait_plainly(void)
{
	int interrupted = 0, result;
	for (int i = 0; i < WAITS; i++) {
		submit(1200000 + rand() % 2000000);
		while ((result = enter(0, 1, IORING_ENTER_GETEVENTS)) == -EINTR)
			interrupted++;
		if (result)
			exit(9);
		__atomic_store_n(ring.head, *ring.head + 1, __ATOMIC_RELEASE);
	}
	printf("%d waits, %d times EINTR\n", WAITS, interrupted);
}

static void count(int number)
{
	(void)number;
	handled++;
}

static void *send_signals(void *waiter)
{
	while (round_now < ROUNDS) {
		usleep(1500);
		pthread_kill(*(pthread_t *)waiter, SIGUSR1);
	}
	return NULL;
}

/* A wait that no signal ends is ended by the ring's timer, after 5 s. */
static void wait_for_signals(void)
{
	pthread_t self = pthread_self(), sender;
	int ended_otherwise = 0;
	struct sigaction action = {.sa_handler = count};
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&sender, NULL, send_signals, &self);
	for (; round_now < ROUNDS; round_now++) {
		int before = handled;
		if (round_now % 4 == 0)
			submit(5000000000);
		while (handled == before)
			ended_otherwise += enter(0, 1, IORING_ENTER_GETEVENTS) != -EINTR;
	}
	pthread_join(sender, NULL);
	printf("%d of %d waits were ended otherwise\n", ended_otherwise, ROUNDS);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "call";
	if (set_up()) {
		printf("no io_uring: %s\n", strerror(errno));
		return 0;
	}
	if (!strcmp(how, "constant"))
		enter = by_constant;
	else if (!strcmp(how, "register"))
		enter = by_register;
	if (!strcmp(how, "handled"))
		wait_for_signals();
	else
		wait_plainly();
	return 0;
}
