/* SPDX-License-Identifier: MIT */
/* request_kinds KIND: ten requests on one accepted connection, and something besides that is none,
 * or that must not make the profiler lose sight of the connection.
 *
 *   plain, peek (each is looked at before it is read), empty (a write of nothing before each
 * answer), failed_dup (dup2 and dup3 to the number, which fail), cloexec (close_range that only
 * sets a flag), vfork (a child closes the number), copy (all is done on a copy of the number)
 *
 * Truth: requests. */
#include "truth.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { REQUESTS = 10, BYTES = 32 };

static const char *kind;

static int is(const char *name)
{
	return !strcmp(kind, name);
}

static void be_client(const struct sockaddr_in *where)
{
	char bytes[BYTES] = {0};
	int connection = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(connection, (const struct sockaddr *)where, sizeof *where))
		_exit(3);
	for (int i = 0; i < REQUESTS; i++)
		if (write(connection, bytes, BYTES) != BYTES ||
		    recv(connection, bytes, BYTES, MSG_WAITALL) != BYTES)
			_exit(4);
	_exit(0);
}

static void disturb(int connection)
{
	if (is("failed_dup") &&
	    (dup2(-1, connection) != -1 || dup3(connection, connection, 0) != -1))
		abort();
	if (is("cloexec") && close_range((unsigned)connection, (unsigned)connection, 4))
		abort();
	if (is("vfork")) {
		pid_t child = vfork();

		if (!child) {
			close(connection);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static int served(int connection)
{
	char bytes[BYTES];

	if (is("peek") && recv(connection, bytes, BYTES, MSG_PEEK) <= 0)
		return 0;
	if (read(connection, bytes, BYTES) <= 0)
		return 0;
	if (is("empty") && send(connection, bytes, 0, 0))
		abort();
	if (is("peek"))
		recv(connection, bytes, BYTES, MSG_PEEK | MSG_DONTWAIT);
	return write(connection, bytes, BYTES) == BYTES;
}

int main(int count, char **words)
{
	int listening = socket(AF_INET, SOCK_STREAM, 0), answered = 0;
	struct sockaddr_in where = {.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof where;

	kind = count > 1 ? words[1] : "plain";
	if (bind(listening, (struct sockaddr *)&where, sizeof where) || listen(listening, 8) ||
	    getsockname(listening, (struct sockaddr *)&where, &bytes))
		return 2;
	if (!fork())
		be_client(&where);
	int connection = accept(listening, NULL, NULL);

	if (is("copy")) {
		int copy = dup(connection);

		close(connection);
		connection = copy;
	}
	disturb(connection);
	while (served(connection))
		answered++;
	close(connection);
	wait(NULL);
	truth("requests", answered);
	truth_end();
	return 0;
}
