/* SPDX-License-Identifier: MIT */
/* diff_work [NAME=NUMBER...]: work whose parts can be changed one at a time, for comparisons of
 * runs that differ by one known thing.
 *
 *   threads=2   share `rounds` rounds of parse, which takes no lock, and store, which takes one
 *   rounds=400
 *   parse=500   work of each, in thousands of steps
 *   store=500
 *   hold=0      microseconds for which store sleeps with the lock held, unseen by wrappers
 *   locks=1     threads share them evenly: 1, all of them wait for each other in store
 *   rename=0    1: threads have names
 *   verify=0    work of a routine that is called in each round, unless it is 0
 *   sleep=0     milliseconds that the first thread sleeps at the end
 *
 * With -DREBUILT lines, addresses and frames are others, the program is the same. Truth: the CPU
 * time of parse and of store. */
#include "truth.h"

static struct {
	const char *name;
	long value;
} settings[] = {
	{"threads", 2}, {"rounds", 400}, {"parse", 500}, {"store", 500}, {"hold", 0},
	{"locks", 1},   {"rename", 0},   {"sleep", 0},   {"verify", 0},
};

static NOINLINE long setting(const char *name)
{
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (!strcmp(settings[i].name, name))
			return settings[i].value;
	abort();
}

#ifdef REBUILT
static volatile long padding[512];

static NOINLINE void pad(void)
{
	for (int i = 0; i < 512; i++)
		padding[i] += i;
	KEEP;
}
#endif

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *heap_locks[64];
static double parse_seconds, store_seconds;

/* Steps of about 1 ns. */
#define STEPS(thousands)                                                                           \
	do {                                                                                       \
		long steps_ = (thousands)*1000;                                                    \
		for (volatile long step_ = 0; step_ < steps_; step_++)                             \
			;                                                                          \
	} while (0)

static NOINLINE void parse(void)
{
	STEPS(setting("parse"));
	KEEP;
}

static NOINLINE void verify(void)
{
	STEPS(setting("verify"));
	KEEP;
}

static NOINLINE void store(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	STEPS(setting("store"));
	if (setting("hold"))
		nap_raw((double)setting("hold") * 1e-6);
	pthread_mutex_unlock(lock);
	KEEP;
}

static NOINLINE pthread_mutex_t *make_lock(void)
{
	pthread_mutex_t *lock = malloc(sizeof *lock);
#ifdef REBUILT
	pad();
#endif
	pthread_mutex_init(lock, NULL);
	KEEP;
	return lock;
}

static void *work(void *argument)
{
	long number = (long)argument, threads = setting("threads");
	long rounds = setting("rounds"), locks = setting("locks");
	pthread_mutex_t *lock = number % locks ? heap_locks[number % locks] : &queue_lock;
	double parsed = 0, stored = 0;

	if (setting("rename"))
		pthread_setname_np(pthread_self(), number ? "worker-new" : "worker-first");
	for (long i = number; i < rounds; i += threads) {
		double begin = cpu();
		parse();
		parsed += cpu() - begin;
		if (setting("verify"))
			verify();
		begin = cpu();
		store(lock);
		stored += cpu() - begin;
	}
	pthread_mutex_lock(&queue_lock);
	parse_seconds += parsed;
	store_seconds += stored;
	pthread_mutex_unlock(&queue_lock);
	return NULL;
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
	fprintf(stderr, "diff_work: what is %s?\n", text);
	exit(2);
}

int main(int count, char **words)
{
	pthread_t threads[64];

	for (int i = 1; i < count; i++)
		read_setting(words[i]);
	long thread_count = setting("threads");

	for (long i = 1; i < setting("locks") && i < 64; i++)
		heap_locks[i] = make_lock();
	for (long i = 0; i < thread_count; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (long i = 0; i < thread_count; i++)
		pthread_join(threads[i], NULL);
	if (setting("sleep"))
		usleep((useconds_t)setting("sleep") * 1000);
	truth("parse", parse_seconds);
	truth("store", store_seconds);
	truth_end();
	return 0;
}
