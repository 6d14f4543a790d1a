/* SPDX-License-Identifier: MIT */
/* What the kernel says that a descriptor stands for. */
#include "preload/io/io_names.h"
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

static struct io_identity identity;

static const char *name_of(int number, bool is_accepted)
{
	errno = 77;
	ck_assert(io_identity_begin(&identity, number));
	io_identity_name(&identity, number, is_accepted, false);
	ck_assert_int_eq(errno, 77);
	return identity.name;
}

START_TEST(files_have_their_paths)
{
	struct stat status;
	int file = open("/etc/passwd", O_RDONLY), directory = open("/etc", O_RDONLY);

	ck_assert_str_eq(name_of(file, false), "/etc/passwd");
	ck_assert_int_eq(identity.kind, OBJECT_FILE);
	fstat(file, &status);
	ck_assert_uint_eq(identity.inode, status.st_ino);
	ck_assert_uint_eq(identity.device, status.st_dev);
	ck_assert_str_eq(name_of(directory, false), "/etc");
	ck_assert_int_eq(identity.kind, OBJECT_DIRECTORY);
	ck_assert_str_eq(name_of(open("/dev/null", O_RDONLY), false), "/dev/null");
	ck_assert_int_eq(identity.kind, OBJECT_DEVICE);
	ck_assert(!identity.is_shared && !identity.is_anonymous);
	errno = 77;
	ck_assert(!io_identity_begin(&identity, 999));
	ck_assert_int_eq(errno, 77);
}
END_TEST

START_TEST(pipes_have_their_inodes)
{
	int ends[2];
	char expected[64];

	ck_assert(!pipe(ends));
	name_of(ends[0], false);
	snprintf(expected, sizeof expected, "pipe:[%llu]", (unsigned long long)identity.inode);
	ck_assert_str_eq(identity.name, expected);
	ck_assert_int_eq(identity.kind, OBJECT_PIPE);
}
END_TEST

START_TEST(anonymous_inodes_have_their_kinds)
{
	sigset_t none;

	sigemptyset(&none);
	const struct {
		int number;
		enum object_kind kind;
	} all[] = {
		{eventfd(0, 0), OBJECT_EVENTFD},
		{timerfd_create(CLOCK_MONOTONIC, 0), OBJECT_TIMERFD},
		{signalfd(-1, &none, 0), OBJECT_SIGNALFD},
		{epoll_create1(0), OBJECT_EPOLL},
		{inotify_init(), OBJECT_INOTIFY},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		name_of(all[i].number, false);
		ck_assert_int_eq(identity.kind, all[i].kind);
		ck_assert(identity.is_anonymous);
	}
}
END_TEST

/* Against libc's own text of the address. */
static void check_tcp(int family, struct sockaddr *address, socklen_t size, const char *host)
{
	int listener = socket(family, SOCK_STREAM, 0), client = socket(family, SOCK_STREAM, 0);
	char expected[128];

	if (bind(listener, address, size))
		return; /* no IPv6 here */
	ck_assert(!listen(listener, 1));
	ck_assert(!getsockname(listener, address, &size));
	ck_assert(!connect(client, address, size));
	int served = accept(listener, NULL, NULL);
	int port = ntohs(((struct sockaddr_in *)address)->sin_port);
	snprintf(expected, sizeof expected, "tcp %s:%d", host, port);
	ck_assert_str_eq(name_of(client, false), expected);
	ck_assert(identity.is_shared);
	snprintf(expected, sizeof expected, "tcp %s:%d, accepted", host, port);
	ck_assert_str_eq(name_of(served, true), expected);
	snprintf(expected, sizeof expected, "tcp %s:%d, listening", host, port);
	ck_assert_str_eq(name_of(listener, false), expected);
}

START_TEST(tcp_has_addresses)
{
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = {{{[15] = 1}}}};

	check_tcp(AF_INET, (void *)&four, sizeof four, "127.0.0.1");
	check_tcp(AF_INET6, (void *)&six, sizeof six, "[::1]");
}
END_TEST

/* The abbreviations of RFC 5952, against inet_ntop. */
START_TEST(ipv6_is_abbreviated)
{
	const char *const texts[] = {
		"2001:db8::1",         "::", "1::", "fe80::1:0:0:2", "1:2:3:4:5:6:7:8", "1:0:3::",
		"2001:db8:0:1:1:1:1:1"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(9)};
		int number = socket(AF_INET6, SOCK_DGRAM, 0);
		char expected[128];
		ck_assert_int_eq(inet_pton(AF_INET6, texts[i], &to.sin6_addr), 1);
		if (number < 0 || connect(number, (void *)&to, sizeof to))
			continue; /* no way there */
		socklen_t size = sizeof to;
		getpeername(number, (void *)&to, &size);
		char text[64];
		inet_ntop(AF_INET6, &to.sin6_addr, text, sizeof text);
		snprintf(expected, sizeof expected, "udp [%s]:9", text);
		ck_assert_str_eq(name_of(number, false), expected);
		close(number);
	}
}
END_TEST

START_TEST(local_sockets_have_paths)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0a name of its own"};
	socklen_t size = sizeof(sa_family_t) + 18;
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
	int pair[2];

	ck_assert(!bind(listener, (void *)&address, size) && !listen(listener, 1));
	ck_assert(!connect(client, (void *)&address, size));
	ck_assert_str_eq(name_of(client, false), "unix @a name of its own");
	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	ck_assert(!strncmp(name_of(pair[0], false), "socket:[", 8));
	ck_assert(!identity.is_shared);
	ck_assert_int_eq(identity.kind, OBJECT_SOCKET);
}
END_TEST

UNIT_MAIN("io_names", files_have_their_paths, pipes_have_their_inodes,
	  anonymous_inodes_have_their_kinds, tcp_has_addresses, ipv6_is_abbreviated,
	  local_sockets_have_paths)
