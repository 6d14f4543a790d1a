/* SPDX-License-Identifier: MIT */
/* A mail server in which two threads exchange messages: one parses what it receives into new
 * messages, the other one applies rules and frees them, and the other way round. The messages are
 * too large for malloc's caches of the threads, and there is one arena: the cause is malloc's own
 * lock. Fixed, each thread keeps what it would free, and takes its next message from there.
 * Innocent: the lock of a mailbox, and a thread that looks at the size of the mailboxes.
 *
 * cause: malloc and free of both threads wait for the lock of the only arena
 * finding: allocator
 * place: new_message|release|malloc|free|exchange_mail
 * build: c++
 */
#include <malloc.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
const unsigned servers = 2, rounds = 3500, batch = 256;

struct Message {
	uint32_t size;
	uint32_t sender;
	char text[];
};

struct Mailbox {
	std::mutex lock;
	std::vector<Message *> messages;
};

Mailbox mailboxes[servers];
std::atomic<bool> finished;
std::atomic<uint64_t> checksum, looks;
bool keeps_messages;

/* Of two kinds of sizes, each of them beyond what threads cache. */
thread_local std::vector<Message *> kept[2];

class Server
{
      public:
	explicit Server(unsigned number) : number(number), state(number + 1)
	{
	}

	void exchange_mail()
	{
		std::vector<Message *> taken;

		for (unsigned round = 0; round < rounds; round++) {
			deliver();
			taken.clear();
			{
				std::lock_guard<std::mutex> guard(mailboxes[number].lock);
				taken.swap(mailboxes[number].messages);
			}
			for (Message *message : taken)
				apply_rules(message);
		}
		checksum += sum;
	}

	void empty_mailbox()
	{
		for (Message *message : mailboxes[number].messages)
			apply_rules(message);
		checksum += sum - counted;
	}

	uint64_t counted = 0, sum = 0;

      private:
	static size_t size_of(unsigned kind)
	{
		return kind ? 2800 : 1400;
	}

	Message *new_message()
	{
		unsigned kind = (state >> 20) & 1;
		Message *message;

		state = state * 1664525 + 1013904223;
		if (keeps_messages && !kept[kind].empty()) {
			message = kept[kind].back();
			kept[kind].pop_back();
		} else {
			message = (Message *)malloc(size_of(kind));
		}
		message->size = kind;
		message->sender = state;
		memset(message->text, 'a' + (state >> 28), 48);
		return message;
	}

	void deliver()
	{
		std::vector<Message *> made;

		for (unsigned i = 0; i < batch; i++)
			made.push_back(new_message());
		Mailbox &other = mailboxes[(number + 1) % servers];
		std::lock_guard<std::mutex> guard(other.lock);
		other.messages.insert(other.messages.end(), made.begin(), made.end());
	}

	void release(Message *message)
	{
		if (keeps_messages)
			kept[message->size].push_back(message);
		else
			free(message);
	}

	void apply_rules(Message *message)
	{
		uint32_t hash = message->sender;

		for (unsigned i = 0; i < 48; i++)
			hash = (hash ^ (unsigned char)message->text[i]) * 16777619u;
		sum += hash;
		release(message);
	}

	unsigned number;
	uint32_t state;
};

void watch_mailboxes()
{
	while (!finished) {
		std::this_thread::sleep_for(std::chrono::milliseconds(25));
		for (Mailbox &mailbox : mailboxes) {
			std::lock_guard<std::mutex> guard(mailbox.lock);
			looks += mailbox.messages.empty();
		}
	}
}
} // namespace

int main(int argc, char **)
{
	std::vector<Server> all;
	std::vector<std::thread> threads;

	mallopt(M_ARENA_MAX, 1);
	keeps_messages = argc > 1;
	for (unsigned i = 0; i < servers; i++)
		all.emplace_back(i);
	std::thread watchdog(watch_mailboxes);
	for (Server &server : all)
		threads.emplace_back(&Server::exchange_mail, &server);
	for (std::thread &thread : threads)
		thread.join();
	finished = true;
	watchdog.join();
	for (Server &server : all) {
		server.counted = server.sum;
		server.empty_mailbox();
	}
	printf("%u messages, checksum %lx\n", servers * rounds * batch,
	       (unsigned long)checksum.load());
	return 0;
}
