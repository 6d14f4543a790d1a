/* SPDX-License-Identifier: MIT */
/* rested thread|child: calls that find what they want, and do not wait, each after a sleep: a
 * semaphore is raised, messages, bytes and events are there, locks of files are free. They are made
 * by a thread, or by a fork child, ROUNDS times each. Ends with 0 if all succeeded. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20 };

static struct {
	int semaphore, queue, file, ends[2];
} used;

static char bytes[16384];

static void rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void need(int is_right, int status)
{
	if (!is_right)
		_exit(status);
}

static void raise_semaphore(void)
{
	struct sembuf up = {.sem_op = 1};

	need(!semop(used.semaphore, &up, 1), 3);
}

static void receive_message(void)
{
	struct {
		long kind;
		char text[8];
	} message = {.kind = 1};

	need(!msgsnd(used.queue, &message, sizeof message.text, 0), 4);
	rest();
	need(msgrcv(used.queue, &message, sizeof message.text, 0, 0) >= 0, 5);
}

static void lock_record(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_len = 1};

	need(!fcntl(used.file, F_SETLKW, &lock), 6);
	lock.l_type = F_UNLCK;
	need(!fcntl(used.file, F_SETLK, &lock), 7);
}

static void lock_file(void)
{
	need(!flock(used.file, LOCK_EX), 8);
	need(!flock(used.file, LOCK_UN), 9);
}

static void read_bytes(void)
{
	struct pollfd ready = {.fd = used.ends[0], .events = POLLIN};

	need(write(used.ends[1], bytes, sizeof bytes) == sizeof bytes, 10);
	rest();
	need(poll(&ready, 1, -1) == 1, 11);
	rest();
	need(read(used.ends[0], bytes, sizeof bytes) == sizeof bytes, 12);
}

static void *use_all(void *unused)
{
	static void (*const uses[])(void) = {raise_semaphore, receive_message, lock_record,
					     lock_file, read_bytes};

	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
			rest();
			uses[i]();
		}
	return unused;
}

static int in_child(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		use_all(NULL);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && !status ? 0 : 2;
}

static int in_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, use_all, NULL) || pthread_join(thread, NULL) ? 2 : 0;
}

int main(int count, char **words)
{
	memset(bytes, 1, sizeof bytes);
	used.semaphore = semget(IPC_PRIVATE, 1, 0600);
	used.queue = msgget(IPC_PRIVATE, 0600);
	used.file = open("rested.lock", O_RDWR | O_CREAT, 0600);
	need(used.semaphore >= 0 && used.queue >= 0 && used.file >= 0 && !pipe(used.ends), 1);
	int status = count > 1 && !strcmp(words[1], "child") ? in_child() : in_thread();

	semctl(used.semaphore, 0, IPC_RMID);
	msgctl(used.queue, IPC_RMID, NULL);
	return status;
}
