/* SPDX-License-Identifier: MIT */
/* Static objects of C in arrays, structs and unions of each kind. The name on the left of a line is
 * how the part is called in the source.
 */
#define _GNU_SOURCE
#include "static_objects.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

long anchor = 1;

typedef struct {
	char name[24];
	pthread_mutex_t lock;
	pthread_cond_t ready, room[2];
} queue_type;

struct shard {
	long hits;
	const volatile struct nested {
		int level;
		pthread_rwlock_t guard;
	} inner;
	pthread_mutex_t lock;
	union {
		char room[256];
		queue_type queue;
	};
	struct {
		sem_t slots;
	} named[2];
	unsigned is_full : 1;
	unsigned is_empty : 1;
	pthread_spinlock_t spin;
	struct shard *next;
};

typedef struct shard shard_type;
typedef const shard_type other_name;

static shard_type shard[16];
other_name *shown = &shard[3];
pthread_mutex_t plain_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t row_of_locks[8];
static mtx_t grid[3][4][5];
struct shard alone;
static struct {
	pthread_mutex_t lock;
} only;
union {
	pthread_mutex_t mutex;
	pthread_rwlock_t rwlock;
	long words[32];
} either;
static char arena[512];
static long counters[64];
static struct {
	int count;
	pthread_mutex_t rest[];
} open_ended = {2, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};

static void tell_own(void)
{
	static struct shard own_table[2];
	static pthread_mutex_t own_lock;

	own_table[1].hits++;
	pthread_mutex_lock(&own_lock);
	TELL(own_table[1].lock);
	TELL(own_lock);
}

int main(void)
{
	TELL(plain_lock);
	TELL(row_of_locks[0]);
	TELL(row_of_locks[7]);
	TELL(shard[0].hits);
	TELL(shard[0].lock);
	TELL(shard[7].lock);
	TELL(shard[15].inner.guard);
	TELL_AS("shard[7].queue.lock", shard[7].queue.lock);
	TELL(shard[7].queue.room[1]);
	TELL(shard[9].named[1].slots);
	TELL(shard[9].spin);
	TELL(grid[0][0][0]);
	TELL(grid[2][1][4]);
	TELL(alone.lock);
	TELL(alone.queue.ready);
	TELL(only.lock);
	TELL_AS("either.mutex", either.rwlock);
	TELL(counters[63]);
	TELL(open_ended.rest[1]);
	/* bytes are memory for something else, and between two members there is nothing */
	TELL_AS("arena+88", arena[88]);
	TELL_AS("shard[1].inner+4", ((char *)&shard[1].inner.level)[4]);
	tell_own();
	return shown == NULL;
}
