// SPDX-License-Identifier: MIT
// What a stop at a wrong place would break, and what checks its own answers: runs until SIGTERM,
// says "rounds N wrong M".
//   attach_stress malloc | dlopen | exceptions | threads | fork | compute
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{
std::atomic<bool> is_over{false};
std::atomic<long> rounds{0}, wrong{0};

void on_term(int)
{
	is_over = true;
}

void churn()
{
	static thread_local unsigned seed = 1;
	std::vector<std::vector<unsigned char>> blocks(64);

	for (int i = 0; i < 2000; i++) {
		seed = seed * 1103515245 + 12345;
		auto &block = blocks[seed >> 16 & 63];
		for (size_t at = 1; at < block.size(); at++)
			if (block[at] != block[0]) {
				wrong++;
				break;
			}
		block = std::vector<unsigned char>(seed >> 20,
						   static_cast<unsigned char>(seed >> 8));
	}
}

void load()
{
	void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
	void *other = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);
	double (*root)(double) =
		library ? reinterpret_cast<double (*)(double)>(dlsym(library, "sqrt")) : nullptr;

	if (!root || root(16.0) != 4.0)
		wrong++;
	if (dlopen("libthere-is-none.so", RTLD_NOW) || !dlerror())
		wrong++;
	if (other)
		dlclose(other);
	if (library)
		dlclose(library);
}

struct witness {
	int &count;
	~witness()
	{
		count++;
	}
};

void fall(int depth, int &count)
{
	witness here{count};

	if (depth == 0)
		throw std::runtime_error(std::string(100, 'x'));
	fall(depth - 1, count);
}

void throw_and_catch()
{
	int count = 0;

	try {
		fall(20, count);
		wrong++;
	} catch (const std::runtime_error &error) {
		if (count != 21 || strlen(error.what()) != 100)
			wrong++;
	}
}

void *answer(void *argument)
{
	return static_cast<char *>(argument) + 1;
}

void create_and_join()
{
	pthread_t thread;
	void *result = nullptr;

	if (pthread_create(&thread, nullptr, answer, reinterpret_cast<void *>(41)) ||
	    pthread_join(thread, &result) || result != reinterpret_cast<void *>(42))
		wrong++;
}

void fork_and_wait()
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(42);
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 42)
		wrong++;
}

// Vector registers are live all the time.
void compute()
{
	static volatile double one = 1.0;
	double sums[8] = {0};

	for (int i = 0; i < 200000; i++)
		for (int j = 0; j < 8; j++)
			sums[j] += one * j;
	for (int j = 0; j < 8; j++)
		if (sums[j] != 200000.0 * j)
			wrong++;
}

const struct mode {
	const char *name;
	void (*work)();
	int threads;
} modes[] = {{"malloc", churn, 4},
	     {"dlopen", load, 2},
	     {"exceptions", throw_and_catch, 2},
	     {"threads", create_and_join, 1},
	     {"fork", fork_and_wait, 1},
	     {"compute", compute, 2}};

void *work(void *argument)
{
	const mode *chosen = static_cast<const mode *>(argument);

	while (!is_over) {
		chosen->work();
		rounds++;
	}
	return nullptr;
}
} // namespace

int main(int argc, char **argv)
{
	pthread_t others[8];

	signal(SIGTERM, on_term);
	for (const mode &each : modes) {
		if (argc < 2 || strcmp(argv[1], each.name) != 0)
			continue;
		for (int i = 1; i < each.threads; i++)
			pthread_create(&others[i], nullptr, work, const_cast<mode *>(&each));
		printf("ready\n");
		fflush(stdout);
		work(const_cast<mode *>(&each));
		for (int i = 1; i < each.threads; i++)
			pthread_join(others[i], nullptr);
		printf("rounds %ld wrong %ld\n", rounds.load(), wrong.load());
		return wrong.load() != 0;
	}
	return 2;
}
