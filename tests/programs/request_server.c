/* SPDX-License-Identifier: MIT */
/* request_server threads|pool [NAME=NUMBER...]: a server on a socket of the loopback, and clients
 * in a process of their own.
 *
 *   threads  a thread for each connection, which carries all requests of a client
 *   pool     main accepts a connection for each request; workers take them from a queue
 *
 *   clients=2, requests=100 (of each), think=2000 (microseconds before each request), work=200
 *   (thousands of steps for each), workers=2, table=0 (1: the work is done under a lock)
 *
 * Truth: requests, the seconds in which threads waited for the next one, and those from reading
 * them to answering. */
#include "truth.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { REQUEST_BYTES = 64, QUEUE = 1024 };

static struct {
	const char *name;
	long value;
} settings[] = {
	{"clients", 2}, {"requests", 100}, {"think", 2000},
	{"work", 200},  {"workers", 2},    {"table", 0},
};

static long setting(const char *name)
{
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (!strcmp(settings[i].name, name))
			return settings[i].value;
	abort();
}

static void read_setting(const char *text)
{
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		size_t length = strlen(settings[i].name);

		if (!strncmp(text, settings[i].name, length) && text[length] == '=') {
			settings[i].value = atol(text + length + 1);
			return;
		}
	}
	fprintf(stderr, "request_server: what is %s?\n", text);
	exit(2);
}

/* ---- the clients */

static int connect_to(const struct sockaddr_in *where)
{
	int connection = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(connection, (const struct sockaddr *)where, sizeof *where))
		_exit(3);
	return connection;
}

static void ask(int connection)
{
	char bytes[REQUEST_BYTES] = {0};

	if (write(connection, bytes, sizeof bytes) != sizeof bytes ||
	    recv(connection, bytes, sizeof bytes, MSG_WAITALL) != sizeof bytes)
		_exit(4);
}

static void be_client(const struct sockaddr_in *where, int is_pool)
{
	int connection = is_pool ? -1 : connect_to(where);

	for (long i = 0; i < setting("requests"); i++) {
		usleep((useconds_t)setting("think"));
		if (is_pool)
			connection = connect_to(where);
		ask(connection);
		if (is_pool)
			close(connection);
	}
	_exit(0);
}

/* ---- the server */

static pthread_mutex_t totals_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static double idle_seconds, answer_seconds;
static long served;

static NOINLINE void work_on(void)
{
	long steps = setting("work") * 1000;

	for (volatile long step = 0; step < steps; step++)
		;
	KEEP;
}

/* Until the answer is written. */
static void add_answer(double seconds)
{
	pthread_mutex_lock(&totals_lock);
	answer_seconds += seconds;
	pthread_mutex_unlock(&totals_lock);
}

/* False: the client has closed the connection. */
static NOINLINE int serve_request(int connection, double *idle)
{
	char bytes[REQUEST_BYTES];
	double begin = now();
	ssize_t count = read(connection, bytes, sizeof bytes);

	*idle += now() - begin;
	if (count <= 0)
		return 0;
	begin = now();
	if (setting("table"))
		pthread_mutex_lock(&table_lock);
	work_on();
	if (setting("table"))
		pthread_mutex_unlock(&table_lock);
	add_answer(now() - begin);
	if (write(connection, bytes, sizeof bytes) != sizeof bytes)
		abort();
	return 1;
}

static void add_totals(double idle, long count)
{
	pthread_mutex_lock(&totals_lock);
	idle_seconds += idle;
	served += count;
	pthread_mutex_unlock(&totals_lock);
}

static void *serve_connection(void *connection)
{
	double idle = 0;
	long count = 0;

	while (serve_request((int)(long)connection, &idle))
		count++;
	close((int)(long)connection);
	add_totals(idle, count);
	return NULL;
}

static struct {
	pthread_mutex_t lock;
	pthread_cond_t has_more;
	int connections[QUEUE], first, count, is_over;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_more = PTHREAD_COND_INITIALIZER};

static NOINLINE void put(int connection)
{
	pthread_mutex_lock(&queue.lock);
	queue.connections[(queue.first + queue.count++) % QUEUE] = connection;
	pthread_cond_signal(&queue.has_more);
	pthread_mutex_unlock(&queue.lock);
	KEEP;
}

/* -1: there will be no more. */
static NOINLINE int take(double *idle)
{
	int connection = -1;
	double begin = now();

	pthread_mutex_lock(&queue.lock);
	while (!queue.count && !queue.is_over)
		pthread_cond_wait(&queue.has_more, &queue.lock);
	if (queue.count) {
		connection = queue.connections[queue.first++ % QUEUE];
		queue.count--;
	}
	pthread_mutex_unlock(&queue.lock);
	*idle += now() - begin;
	return connection;
}

static void *work_in_pool(void *unused)
{
	double idle = 0;
	long count = 0;

	for (int connection; (connection = take(&idle)) >= 0; count++) {
		serve_request(connection, &idle);
		close(connection);
	}
	add_totals(idle, count);
	return unused;
}

static void end_pool(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.is_over = 1;
	pthread_cond_broadcast(&queue.has_more);
	pthread_mutex_unlock(&queue.lock);
}

static void serve(int listening, int is_pool)
{
	pthread_t threads[64];
	long count = setting(is_pool ? "workers" : "clients");
	long connections = setting("clients") * (is_pool ? setting("requests") : 1);

	for (long i = 0; is_pool && i < count; i++)
		pthread_create(&threads[i], NULL, work_in_pool, NULL);
	for (long i = 0; i < connections; i++) {
		long connection = accept(listening, NULL, NULL);

		if (is_pool)
			put((int)connection);
		else
			pthread_create(&threads[i], NULL, serve_connection, (void *)connection);
	}
	if (is_pool)
		end_pool();
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

int main(int count, char **words)
{
	int is_pool = count > 1 && !strcmp(words[1], "pool");
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in where = {.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof where;

	for (int i = 2; i < count; i++)
		read_setting(words[i]);
	if (bind(listening, (struct sockaddr *)&where, sizeof where) || listen(listening, 128) ||
	    getsockname(listening, (struct sockaddr *)&where, &bytes))
		return 2;
	for (long i = 0; i < setting("clients"); i++)
		if (!fork())
			be_client(&where, is_pool);
	serve(listening, is_pool);
	while (wait(NULL) > 0)
		;
	truth("requests", (double)served);
	truth("idle", idle_seconds);
	truth("answering", answer_seconds);
	truth_end();
	return 0;
}
