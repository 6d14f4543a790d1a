/* SPDX-License-Identifier: MIT */
/* Shrinks a batch of pictures. The main thread puts them into a queue and waits for the end; the
 * cause is that one worker does it all, on a machine with two processors; fixed, there are two.
 * Innocent: the lock of the album, and a thread that deletes old previews, of which there are none.
 *
 * cause: there is one worker, while the main thread waits
 * finding: too-few-threads sequential
 * place: shrink_pictures|shrink_picture|worker|1 (useful )?thread|one thread
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_WORKERS = 2, PICTURES = 600, SIDE = 768, FACTOR = 4 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t has_pictures;
	int next, put, is_closed;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};

static struct {
	pthread_mutex_t lock;
	uint64_t pictures, brightness, clean_ups;
} album = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int is_finished;

static uint32_t pixel_of(int picture, int x, int y)
{
	uint32_t seed =
		(uint32_t)picture * 977u + (uint32_t)x * 374761393u + (uint32_t)y * 668265263u;

	seed = (seed ^ (seed >> 13)) * 1274126177u;
	return (seed ^ (seed >> 16)) & 255;
}

static uint64_t shrink_picture(int picture)
{
	uint64_t sum = 0;

	for (int y = 0; y < SIDE; y += FACTOR)
		for (int x = 0; x < SIDE; x += FACTOR) {
			uint32_t bright = 0;

			for (int k = 0; k < 4 * FACTOR * FACTOR; k++)
				bright += pixel_of(picture, x + k % (2 * FACTOR),
						   y + k / (2 * FACTOR));
			sum = sum * 31 + bright / (4 * FACTOR * FACTOR);
		}
	return sum;
}

static int take_picture(void)
{
	int picture = -1;

	pthread_mutex_lock(&queue.lock);
	while (queue.next == queue.put && !queue.is_closed)
		pthread_cond_wait(&queue.has_pictures, &queue.lock);
	if (queue.next < queue.put)
		picture = queue.next++;
	pthread_mutex_unlock(&queue.lock);
	return picture;
}

static void *shrink_pictures(void *unused)
{
	for (int picture = take_picture(); picture >= 0; picture = take_picture()) {
		uint64_t brightness = shrink_picture(picture);

		pthread_mutex_lock(&album.lock);
		album.pictures++;
		album.brightness += brightness;
		pthread_mutex_unlock(&album.lock);
	}
	return unused;
}

static void put_pictures(void)
{
	for (int i = 0; i < PICTURES; i++) {
		pthread_mutex_lock(&queue.lock);
		queue.put++;
		pthread_cond_signal(&queue.has_pictures);
		pthread_mutex_unlock(&queue.lock);
	}
	pthread_mutex_lock(&queue.lock);
	queue.is_closed = 1;
	pthread_cond_broadcast(&queue.has_pictures);
	pthread_mutex_unlock(&queue.lock);
}

static void *delete_old(void *unused)
{
	while (!is_finished) {
		usleep(50000);
		pthread_mutex_lock(&album.lock);
		album.clean_ups++;
		pthread_mutex_unlock(&album.lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t workers[MOST_WORKERS], cleaner;
	int count = argc > 1 ? MOST_WORKERS : 1;

	(void)argv;
	pthread_create(&cleaner, NULL, delete_old, NULL);
	for (int i = 0; i < count; i++)
		pthread_create(&workers[i], NULL, shrink_pictures, NULL);
	put_pictures();
	for (int i = 0; i < count; i++)
		pthread_join(workers[i], NULL);
	is_finished = 1;
	pthread_join(cleaner, NULL);
	printf("%lu pictures, brightness %lx\n", (unsigned long)album.pictures,
	       (unsigned long)album.brightness);
	return 0;
}
