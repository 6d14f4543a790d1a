/* SPDX-License-Identifier: MIT */
/* Message queues and semaphores of System V, and queues of POSIX. */
#include "preload/io/io_wrapper.h"

#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>

/* MESSAGES(type, name, parameters, arguments, number, operation, bytes) */
#define MESSAGES(type, name, parameters, arguments, number, operation, bytes)                      \
	IO_CALL(type, name, parameters, arguments, number, CAUSE_IPC, operation, bytes)

IO_CALL(ssize_t, msgrcv, (int id, void *to, size_t size, long which, int flags),
	(id, to, size, which, flags), -1, flags &IPC_NOWAIT ? CAUSE_OTHER : CAUSE_IPC, OP_MSGRCV,
	result)
IO_CALL(int, msgsnd, (int id, const void *from, size_t size, int flags), (id, from, size, flags),
	-1, flags &IPC_NOWAIT ? CAUSE_OTHER : CAUSE_IPC, OP_MSGSND, size)
MESSAGES(int, semop, (int id, struct sembuf *operations, size_t count), (id, operations, count), -1,
	 OP_SEMOP, 0)
MESSAGES(int, semtimedop,
	 (int id, struct sembuf *operations, size_t count, const struct timespec *time),
	 (id, operations, count, time), -1, OP_SEMTIMEDOP, 0)
MESSAGES(ssize_t, mq_receive, (mqd_t number, char *to, size_t size, unsigned *priority),
	 (number, to, size, priority), number, OP_MQ_RECEIVE, result)
MESSAGES(ssize_t, mq_timedreceive,
	 (mqd_t number, char *restrict to, size_t size, unsigned *restrict priority,
	  const struct timespec *restrict until),
	 (number, to, size, priority, until), number, OP_MQ_TIMEDRECEIVE, result)
MESSAGES(int, mq_send, (mqd_t number, const char *from, size_t size, unsigned priority),
	 (number, from, size, priority), number, OP_MQ_SEND, size)
MESSAGES(int, mq_timedsend,
	 (mqd_t number, const char *from, size_t size, unsigned priority,
	  const struct timespec *until),
	 (number, from, size, priority, until), number, OP_MQ_TIMEDSEND, size)
