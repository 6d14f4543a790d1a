/* SPDX-License-Identifier: MIT */
#include "preload/io/io_names.h"

#include "preload/base/kernel_call.h"
#include "preload/base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

static enum object_kind kind_of_mode(unsigned mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return OBJECT_FILE;
	case S_IFDIR:
		return OBJECT_DIRECTORY;
	case S_IFIFO:
		return OBJECT_PIPE;
	case S_IFSOCK:
		return OBJECT_SOCKET;
	case S_IFCHR:
	case S_IFBLK:
		return OBJECT_DEVICE;
	default:
		return OBJECT_DESCRIPTOR;
	}
}

bool io_identity_begin(struct io_identity *identity, int number)
{
	struct stat status;
	int saved = errno;
	bool is_open = !kernel_call(SYS_fstat, number, &status);

	errno = saved;
	if (!is_open)
		return false;
	identity->kind = kind_of_mode(status.st_mode);
	identity->device = status.st_dev;
	identity->inode = status.st_ino;
	identity->is_shared = identity->is_anonymous = false;
	identity->name[0] = '\0';
	return true;
}

/* ---- files, and all that has a link in /proc ---- */

static bool begins_with(const char *text, const char *beginning)
{
	return !strncmp(text, beginning, strlen(beginning));
}

/* Anonymous inodes, by the link's text. */
static const struct {
	const char *link;
	enum object_kind kind;
} anonymous[] = {
	{"anon_inode:[eventfd", OBJECT_EVENTFD},   {"anon_inode:[timerfd", OBJECT_TIMERFD},
	{"anon_inode:[signalfd", OBJECT_SIGNALFD}, {"anon_inode:[eventpoll", OBJECT_EPOLL},
	{"anon_inode:inotify", OBJECT_INOTIFY},    {"anon_inode:", OBJECT_DESCRIPTOR},
};

static const char *const terminals[] = {"/dev/pts/", "/dev/tty", "/dev/console"};

static void refine(struct io_identity *identity)
{
	for (size_t i = 0; i < sizeof anonymous / sizeof *anonymous; i++)
		if (begins_with(identity->name, anonymous[i].link)) {
			identity->kind = anonymous[i].kind;
			identity->is_anonymous = true;
			return;
		}
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
		if (identity->kind == OBJECT_DEVICE && begins_with(identity->name, terminals[i]))
			identity->kind = OBJECT_TERMINAL;
}

static void read_link(struct io_identity *identity, int number)
{
	char path[40];
	struct text text = TEXT(path);

	text_add(&text, "/proc/self/fd/");
	text_add_number(&text, (uint64_t)number);
	long length = kernel_call(SYS_readlinkat, -100 /* AT_FDCWD */, path, identity->name,
				  IO_NAME_BYTES - 1);
	identity->name[length > 0 ? length : 0] = '\0';
}

/* ---- sockets ---- */

union address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
	struct sockaddr_un local;
	struct sockaddr_storage room;
};

static int option_of(int number, int option)
{
	int value = -1;
	socklen_t bytes = sizeof value;

	return kernel_call(SYS_getsockopt, number, SOL_SOCKET, option, &value, &bytes) ? -1 : value;
}

static void add_port(struct text *text, uint16_t port)
{
	text_add(text, ":");
	text_add_number(text, ntohs(port));
}

static void add_hex(struct text *text, unsigned value)
{
	char digits[5];
	int at = 4;

	digits[at] = '\0';
	do {
		digits[--at] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	text_add(text, digits + at);
}

static void add_ipv4(struct text *text, const uint8_t *bytes)
{
	for (int i = 0; i < 4; i++) {
		text_add(text, i ? "." : "");
		text_add_number(text, bytes[i]);
	}
}

/* The longest run of zero groups is "::" (RFC 5952); returns where it begins, -1: there is none. */
static int longest_zeros(const uint8_t *bytes, int *length)
{
	int best = -1;

	*length = 1;
	for (int i = 0, run = 0; i < 8; i++) {
		run = bytes[2 * i] || bytes[2 * i + 1] ? 0 : run + 1;
		if (run > *length) {
			*length = run;
			best = i - run + 1;
		}
	}
	return best;
}

/* inet_ntop is not async-signal-safe: it calls sprintf. */
static void add_ipv6(struct text *text, const uint8_t *bytes)
{
	int length, gap = longest_zeros(bytes, &length);

	text_add(text, "[");
	for (int i = 0; i < 8; i++) {
		if (i == gap) {
			text_add(text, "::");
			i += length - 1;
			continue;
		}
		if (i && i != gap + length)
			text_add(text, ":");
		else if (i && gap < 0)
			text_add(text, ":");
		add_hex(text, (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1]);
	}
	text_add(text, "]");
}

/* False: it has no address. */
static bool add_address(struct text *text, union address *address, socklen_t bytes)
{
	size_t path_bytes = bytes - offsetof(struct sockaddr_un, sun_path);

	switch (address->any.sa_family) {
	case AF_INET:
		add_ipv4(text, (const uint8_t *)&address->ipv4.sin_addr);
		add_port(text, address->ipv4.sin_port);
		return address->ipv4.sin_port;
	case AF_INET6:
		add_ipv6(text, address->ipv6.sin6_addr.s6_addr);
		add_port(text, address->ipv6.sin6_port);
		return address->ipv6.sin6_port;
	case AF_UNIX:
		if (bytes <= offsetof(struct sockaddr_un, sun_path) ||
		    path_bytes >= sizeof *address - offsetof(struct sockaddr_un, sun_path))
			return false;
		((char *)address->local.sun_path)[path_bytes] = '\0';
		if (!address->local.sun_path[0])
			text_add(text, "@"); /* the abstract name space */
		text_add(text, address->local.sun_path + !address->local.sun_path[0]);
		return true;
	default:
		return false;
	}
}

static bool ask_address(long call, int number, struct text *text)
{
	union address address = {0};
	socklen_t bytes = sizeof address.room - 1;

	return !kernel_call(call, number, &address, &bytes) && bytes <= sizeof address.room - 1 &&
	       add_address(text, &address, bytes);
}

static const char *protocol_of(int number)
{
	int domain = option_of(number, SO_DOMAIN), type = option_of(number, SO_TYPE);

	if (domain == AF_UNIX)
		return "unix ";
	if (domain != AF_INET && domain != AF_INET6)
		return NULL;
	return type == SOCK_STREAM ? "tcp " : type == SOCK_DGRAM ? "udp " : "ip ";
}

/* An accepted one is known by the local address, which all clients of a server share; a listening
 * one too; a connected one by the remote address. */
static bool name_socket(struct io_identity *identity, int number, bool is_accepted)
{
	const char *protocol = protocol_of(number);
	struct text text = {identity->name, IO_NAME_BYTES - 16, 0};
	bool is_listening = protocol && option_of(number, SO_ACCEPTCONN) == 1;

	if (!protocol)
		return false;
	text_add(&text, protocol);
	if (!is_accepted && !is_listening && ask_address(SYS_getpeername, number, &text))
		return true;
	text.length = strlen(protocol);
	if (!ask_address(SYS_getsockname, number, &text))
		return false;
	strcat(identity->name, is_accepted ? ", accepted" : is_listening ? ", listening" : "");
	return true;
}

void io_identity_name(struct io_identity *identity, int number, bool is_accepted, bool is_queue)
{
	int saved = errno;

	identity->is_shared =
		identity->kind == OBJECT_SOCKET && name_socket(identity, number, is_accepted);
	if (!identity->is_shared) {
		read_link(identity, number);
		refine(identity);
	}
	if (is_queue)
		identity->kind = OBJECT_QUEUE;
	errno = saved;
}

bool io_is_nonblocking(int number)
{
	int saved = errno;
	long flags = kernel_call(SYS_fcntl, number, F_GETFL);

	errno = saved;
	return flags >= 0 && flags & O_NONBLOCK;
}
