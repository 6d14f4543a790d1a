/* SPDX-License-Identifier: MIT */
/* Sockets: receiving, sending, accepting, connecting. */
#include "preload/io/io_descriptors.h"
#include "preload/io/io_wrapper.h"

#include <sys/socket.h>

/* Bytes of the messages that were sent or received. */
static uint64_t sum_of(const struct mmsghdr *messages, int count)
{
	uint64_t bytes = 0;

	for (int i = 0; i < count; i++)
		bytes += messages[i].msg_len;
	return bytes;
}

/* A look at what has come does not take it. */
#define BRINGS(flags) ((flags)&MSG_PEEK ? CAUSE_OTHER : CAUSE_READ)

/* RECEIVING, SENDING(name, parameters, arguments, operation) */
#define RECEIVING(name, parameters, arguments, operation)                                          \
	EXPORTED ssize_t name parameters IO_BODY_FOR(ssize_t, result = real.name arguments,        \
						     number, CAUSE_READ, operation, result,        \
						     BRINGS(flags))
#define SENDING(name, parameters, arguments, operation)                                            \
	IO_CALL(ssize_t, name, parameters, arguments, number, CAUSE_WRITE, operation, result)

RECEIVING(recv, (int number, void *to, size_t size, int flags), (number, to, size, flags), OP_RECV)
RECEIVING(__recv_chk, (int number, void *to, size_t size, size_t room, int flags),
	  (number, to, size, room, flags), OP_RECV)
RECEIVING(recvfrom,
	  (int number, void *restrict to, size_t size, int flags, __SOCKADDR_ARG who,
	   socklen_t *restrict who_size),
	  (number, to, size, flags, who, who_size), OP_RECVFROM)
RECEIVING(__recvfrom_chk,
	  (int number, void *restrict to, size_t size, size_t room, int flags, __SOCKADDR_ARG who,
	   socklen_t *restrict who_size),
	  (number, to, size, room, flags, who, who_size), OP_RECVFROM)
RECEIVING(recvmsg, (int number, struct msghdr *message, int flags), (number, message, flags),
	  OP_RECVMSG)
EXPORTED int recvmmsg(int number, struct mmsghdr *messages, unsigned count, int flags,
		      struct timespec *time) IO_BODY_FOR(int,
							 result = real.recvmmsg(number, messages,
										count, flags, time),
							 number, CAUSE_READ, OP_RECVMMSG,
							 sum_of(messages, result), BRINGS(flags))

	SENDING(send, (int number, const void *from, size_t size, int flags),
		(number, from, size, flags),
		OP_SEND) SENDING(sendto,
				 (int number, const void *from, size_t size, int flags,
				  __CONST_SOCKADDR_ARG whom, socklen_t whom_size),
				 (number, from, size, flags, whom, whom_size), OP_SENDTO)
		SENDING(sendmsg, (int number, const struct msghdr *message, int flags),
			(number, message, flags),
			OP_SENDMSG) IO_CALL(int, sendmmsg,
					    (int number, struct mmsghdr *messages, unsigned count,
					     int flags),
					    (number, messages, count, flags), number, CAUSE_WRITE,
					    OP_SENDMMSG, sum_of(messages, result))

			IO_CALL(int, connect,
				(int number, __CONST_SOCKADDR_ARG whom, socklen_t whom_size),
				(number, whom, whom_size), number, CAUSE_CONNECT, OP_CONNECT, 0)

/* ACCEPTING(name, parameters, arguments) */
#define ACCEPTING(name, parameters, arguments)                                                     \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		struct io_call call;                                                               \
                                                                                                   \
		real_need();                                                                       \
		bool is_seen = io_call_begin(&call, number, CAUSE_ACCEPT, OP_ACCEPT, SITE_HERE);   \
		int result = real.name arguments;                                                  \
		io_descriptor_accepted(result);                                                    \
		io_request_forget(result);                                                         \
		if (is_seen)                                                                       \
			io_call_end(&call, result, 0);                                             \
		return result;                                                                     \
	}

				ACCEPTING(accept,
					  (int number, __SOCKADDR_ARG who,
					   socklen_t *restrict who_size),
					  (number, who, who_size))
					ACCEPTING(accept4,
						  (int number, __SOCKADDR_ARG who,
						   socklen_t *restrict who_size, int flags),
						  (number, who, who_size, flags))

						ALIAS(__connect, connect) ALIAS(__send, send)
