// SPDX-License-Identifier: MIT
// Calls that have moved a part of their data, which a stop would end with that part.
//   attach_parts CALL [beside]   makes one call, of which a part has come when it says "ready"; the
//                                rest comes when a line is read from stdin. beside: another thread
//                                waits where it may be stopped
//   attach_parts FLOW            makes long calls one after another from "ready" to the end of
//   stdin
// Says how much the call has moved, or how many of how many calls were short.
#include "truth.h"

#include <linux/aio_abi.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <termios.h>

enum { PART = 10, WHOLE = 100, LONG = 32 << 20, PIECE = 100000 };

static int ends[2]; // the call is made on the first, the second is the peer's
static char bytes[WHOLE];

static void make_terminal(int least, int tenths, bool is_raw)
{
	struct termios terminal;

	ends[1] = posix_openpt(O_RDWR | O_NOCTTY);
	if (ends[1] < 0 || grantpt(ends[1]) || unlockpt(ends[1]))
		_exit(3);
	ends[0] = open(ptsname(ends[1]), O_RDWR | O_NOCTTY);
	tcgetattr(ends[0], &terminal);
	if (is_raw)
		cfmakeraw(&terminal);
	terminal.c_lflag &= ~(tcflag_t)ECHO;
	terminal.c_cc[VMIN] = (cc_t)least;
	terminal.c_cc[VTIME] = (cc_t)tenths;
	tcsetattr(ends[0], TCSANOW, &terminal);
}

static void make_sockets(int least)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		_exit(3);
	if (least > 1)
		setsockopt(ends[0], SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
}

static struct iovec *halves(void)
{
	static struct iovec parts[2] = {{bytes, WHOLE / 2}, {bytes + WHOLE / 2, WHOLE / 2}};

	return parts;
}

static long call_waitall(void)
{
	return recv(ends[0], bytes, WHOLE, MSG_WAITALL);
}

static long call_message(void)
{
	return recvmsg(ends[0], &(struct msghdr){.msg_iov = halves(), .msg_iovlen = 2},
		       MSG_WAITALL);
}

static long call_read(void)
{
	return read(ends[0], bytes, WHOLE);
}

static long call_readv(void)
{
	return readv(ends[0], halves(), 2);
}

// Polls for input at two pipes; of the events one comes with the first part.
static long events(long least)
{
	aio_context_t context = 0;
	struct iocb blocks[2] = {{0}}, *list[2] = {&blocks[0], &blocks[1]};
	struct io_event got[2];

	for (int i = 0; i < 2; i++) {
		blocks[i].aio_lio_opcode = 5; /* IOCB_CMD_POLL */
		blocks[i].aio_buf = POLLIN;
		blocks[i].aio_fildes = (unsigned)ends[i];
	}
	if (syscall(SYS_io_setup, 4, &context) || syscall(SYS_io_submit, context, 2L, list) != 2)
		_exit(3);
	return syscall(SYS_io_getevents, context, least, 2L, got, NULL);
}

static long call_events(void)
{
	return events(2);
}

static long call_event(void)
{
	return events(1);
}

enum kind { SOCKETS, TERMINAL, PIPES };

static const struct call {
	const char *name;
	long (*call)(void);
	enum kind kind;
	int least;  // SO_RCVLOWAT, VMIN; 0: a terminal that gives lines
	int tenths; // VTIME
	int first;  // bytes that come before it says "ready"
	int rest;
	long result;
} calls[] = {
	// name     call          kind      least tenths first rest         result
	{"waitall", call_waitall, SOCKETS, 1, 0, PART, WHOLE - PART, WHOLE},
	{"message", call_message, SOCKETS, 1, 0, PART, WHOLE - PART, WHOLE},
	{"lowat", call_read, SOCKETS, WHOLE, 0, PART, WHOLE - PART, WHOLE},
	{"lowatv", call_readv, SOCKETS, WHOLE, 0, PART, WHOLE - PART, WHOLE},
	{"vmin", call_read, TERMINAL, 40, 0, PART, 40 - PART, 40},
	{"events", call_events, PIPES, 0, 0, 1, 1, 2},
	{"socket", call_read, SOCKETS, 1, 0, 0, PART, PART},
	{"raw", call_read, TERMINAL, 1, 0, 0, PART, PART},
	{"line", call_read, TERMINAL, 0, 0, PART, 1, PART + 1},
	{"vtime", call_read, TERMINAL, 0, 30, 0, 0, 0},
	{"event", call_event, PIPES, 0, 0, 0, 1, 1},
};

static void make_ends(const struct call *one, int peers[2])
{
	int pipes[2][2];

	if (one->kind == SOCKETS)
		make_sockets(one->least);
	else if (one->kind == TERMINAL)
		make_terminal(one->least, one->tenths, one->least || one->tenths);
	peers[0] = peers[1] = ends[1];
	if (one->kind != PIPES)
		return;
	for (int i = 0; i < 2; i++) {
		if (pipe(pipes[i]))
			_exit(3);
		ends[i] = pipes[i][0];
		peers[i] = pipes[i][1];
	}
}

static void send_bytes(int end, int count, bool is_line)
{
	char text[WHOLE];

	memset(text, 'x', sizeof text);
	if (is_line)
		text[count - 1] = '\n';
	if (count && write(end, text, (size_t)count) != count)
		_exit(4);
}

// A process of its own: a thread would be stopped instead.
static pid_t start_peer(const struct call *one, const int peers[2])
{
	bool is_lines = one->kind == TERMINAL && !one->least && !one->tenths;
	char byte;
	pid_t parent = getpid(), child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	send_bytes(peers[0], one->first, false);
	nap_raw(0.1);
	if (getppid() != parent || write(1, "ready\n", 6) != 6 || read(0, &byte, 1) != 1)
		_exit(0);
	send_bytes(peers[1], one->rest, is_lines);
	pause();
	_exit(0);
}

static void *wait_beside(void *unused)
{
	pause();
	return unused;
}

static int make_call(const struct call *one, bool has_thread)
{
	int peers[2];
	pthread_t thread;

	make_ends(one, peers);
	pid_t peer = start_peer(one, peers);
	if (has_thread)
		pthread_create(&thread, NULL, wait_beside, NULL);
	long result = one->call();
	kill(peer, SIGKILL);
	printf("%ld of %ld\n", result, one->result);
	return result != one->result;
}

/* ---- calls one after another ---- */

static char *block;

static long flow_write(void)
{
	return write(ends[1], block, LONG);
}

static long flow_writev(void)
{
	return writev(ends[1], (struct iovec[]){{block, LONG / 2}, {block, LONG / 2}}, 2);
}

static long flow_send(void)
{
	return send(ends[1], block, LONG, 0);
}

static long flow_recv(void)
{
	return recv(ends[0], block, LONG, MSG_WAITALL);
}

static long flow_sendfile(void)
{
	off_t from = 0;

	return sendfile(ends[1], ends[0], &from, LONG);
}

static long flow_zero(void)
{
	return read(ends[0], block, LONG);
}

static const struct flow {
	const char *name;
	long (*call)(void);
	bool has_sockets, is_reading, has_peer;
} flows[] = {
	{"write", flow_write, false, false, true}, {"writev", flow_writev, false, false, true},
	{"send", flow_send, true, false, true},    {"recv", flow_recv, true, true, true},
	{"zero", flow_zero, false, true, false},   {"sendfile", flow_sendfile, true, false, true},
};

// What a read gives is the block, in order: the bytes of one that goes on lie where they should.
static pid_t start_stream(const struct flow *flow)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (flow->is_reading)
		if (write(ends[1], block, LONG) < 0)
			_exit(0);
	while (read(ends[0], block, PIECE) > 0)
		;
	_exit(0);
}

static void fill_block(void)
{
	block = malloc(LONG);
	for (int i = 0; i < LONG; i++)
		block[i] = (char)(i % 251);
}

static bool is_block(void)
{
	for (int i = 0; i < LONG; i += 997)
		if (block[i] != (char)(i % 251))
			return false;
	return true;
}

static int make_flow(const struct flow *flow)
{
	long count = 0, is_short = 0, is_wrong = 0;
	pid_t peer = 0;

	fill_block();
	if (flow->has_sockets ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends))
		return 3;
	if (flow->has_peer)
		peer = start_stream(flow);
	else
		ends[0] = open("/dev/zero", O_RDONLY);
	if (flow->call == flow_sendfile) {
		ends[0] = memfd_create("block", 0);
		if (write(ends[0], block, LONG) != LONG)
			return 3;
	}
	printf("ready\n");
	fflush(stdout);
	while (poll(&(struct pollfd){0, POLLIN, 0}, 1, 0) == 0) {
		is_short += flow->call() != LONG;
		count++;
		if (flow->is_reading && flow->has_peer)
			is_wrong += !is_block();
	}
	if (peer)
		kill(peer, SIGKILL);
	printf("short %ld wrong %ld, of some: %s\n", is_short, is_wrong, count ? "yes" : "no");
	return is_short || is_wrong;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	alarm(100);
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (strcmp(name, calls[i].name) == 0)
			return make_call(&calls[i], argc > 2);
	for (size_t i = 0; i < sizeof flows / sizeof flows[0]; i++)
		if (strcmp(name, flows[i].name) == 0)
			return make_flow(&flows[i]);
	return 2;
}
