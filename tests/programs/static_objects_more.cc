/* SPDX-License-Identifier: MIT */
/* Static objects of C++: classes, bases, namespaces, and those of the library, whose own members nobody knows. */
#include "static_objects.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <utility>

long anchor = 1;

namespace cache {

struct empty {};

struct counted {
	virtual ~counted() {}
	long uses = 0;
	std::recursive_mutex guard;
};

class shard : public empty, public counted {
public:
	[[no_unique_address]] empty policy;
	std::mutex mutex;
	std::array<std::mutex, 4> rows;
	std::pair<int, std::shared_mutex> pair;
	std::condition_variable changed[2];
	struct inner {
		int a;
		pthread_mutex_t _lock;
	} nested;
};

shard shards[8];
std::mutex one;
std::array<shard, 3> listed;

} // namespace cache

namespace {
cache::shard hidden[2];
}

struct holder {
	static cache::shard kept[2];
	static inline std::mutex own;
};
cache::shard holder::kept[2];

template <typename T> struct pool {
	static inline std::array<std::timed_mutex, 5> locks;
	T value;
};

struct diamond_top { std::mutex top; };
struct diamond_left : virtual diamond_top { long left; };
struct diamond : diamond_left { std::mutex bottom; };
diamond computed[2];

static void tell_own()
{
	static cache::shard own[3];

	own[1].nested.a++;
	TELL_AS("tell_own()::own[2].mutex", own[2].mutex);
}

int main()
{
	TELL(cache::one);
	TELL(cache::shards[3].mutex);
	TELL(cache::shards[3].guard);
	TELL(cache::shards[0].rows[0]);
	TELL(cache::shards[7].rows[3]);
	TELL(cache::shards[7].pair.second);
	TELL(cache::shards[7].changed[1]);
	TELL(cache::shards[2].nested._lock);
	TELL(cache::listed[2].mutex);
	TELL_AS("(anonymous namespace)::hidden[1].mutex", hidden[1].mutex);
	TELL(holder::kept[1].rows[2]);
	TELL(holder::own);
	TELL(pool<int>::locks[4]);
	TELL(computed[1].bottom);
	tell_own();
	return 0;
}
