/* SPDX-License-Identifier: MIT */
/* Prices contracts by a pool of two worker processes that share a pipe of contracts and a pipe of
 * prices, as pools of processes in scripting languages do. Each contract is a message of its own:
 * to write, to wake and to read takes longer than to price it.
 *
 * cause: items of a pool of processes that are too small
 * finding: tiny-items
 * place: send_all|send_contracts|work
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, CONTRACTS = 120000, CHUNK = 64 };

struct contract {
	uint32_t number, steps;
};

static int contracts[2], prices[2];
static int chunk = 1; /* contracts of a message */

static uint64_t price_of(const struct contract *contract)
{
	uint64_t price = contract->number;

	for (uint32_t i = 0; i < contract->steps; i++)
		price = price * 6364136223846793005u + 1442695040888963407u;
	return price >> 32;
}

/* A message is shorter than PIPE_BUF: it is written and read as a whole, as all have one length. */
static bool read_whole(int file, void *to, size_t bytes)
{
	size_t done = 0;
	ssize_t length;

	while (done < bytes && (length = read(file, (char *)to + done, bytes - done)) > 0)
		done += (size_t)length;
	return done == bytes;
}

static void work(void)
{
	struct contract taken[CHUNK];
	uint64_t priced[CHUNK];

	while (read_whole(contracts[0], taken, (size_t)chunk * sizeof *taken)) {
		for (int i = 0; i < chunk; i++)
			priced[i] = price_of(&taken[i]);
		if (write(prices[1], priced, (size_t)chunk * sizeof *priced) < 0)
			abort();
	}
}

static void send_contracts(uint32_t first)
{
	struct contract sent[CHUNK];

	for (int i = 0; i < chunk; i++)
		sent[i] = (struct contract){first + (uint32_t)i, 300};
	if (write(contracts[1], sent, (size_t)chunk * sizeof *sent) < 0)
		abort();
}

static uint64_t receive_prices(void)
{
	uint64_t received[CHUNK], sum = 0;

	if (!read_whole(prices[0], received, (size_t)chunk * sizeof *received))
		abort();
	for (int i = 0; i < chunk; i++)
		sum += received[i];
	return sum;
}

/* As many are under way as keep the workers busy. */
static uint64_t send_all(void)
{
	uint64_t sum = 0;
	uint32_t sent = 0, received = 0;

	while (received < CONTRACTS) {
		while (sent < CONTRACTS && sent - received < 8 * CHUNK) {
			send_contracts(sent);
			sent += (uint32_t)chunk;
		}
		sum += receive_prices();
		received += (uint32_t)chunk;
	}
	return sum;
}

int main(int count, char **arguments)
{
	if (count > 1 && !strcmp(arguments[1], "fixed"))
		chunk = CHUNK;
	if (pipe2(contracts, 0) || pipe2(prices, 0))
		abort();
	for (int i = 0; i < WORKERS; i++)
		if (!fork()) {
			close(contracts[1]);
			work();
			_exit(0);
		}
	close(contracts[0]);
	printf("%llu\n", (unsigned long long)send_all());
	close(contracts[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
