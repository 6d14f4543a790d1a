/* SPDX-License-Identifier: MIT */
/* What the kernel says that a descriptor stands for: its kind, and a name as the kernel has it.
 * System calls, none of which opens a descriptor or waits. Any context; errno stays as it was. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/file/vocabulary.h"

enum { IO_NAME_BYTES = 512 };

struct io_identity {
	enum object_kind kind;
	uint64_t device, inode;
	bool is_shared;    /* several descriptors have this name, and are one object */
	bool is_anonymous; /* its inode is that of all of its kind */
	char name[IO_NAME_BYTES];
};

/* Device and inode, and the kind as far as these tell. False: it is not open. */
bool io_identity_begin(struct io_identity *identity, int number);

/* Kind and name; is_accepted: accept made it; is_queue: calls of message queues take it. */
void io_identity_name(struct io_identity *identity, int number, bool is_accepted, bool is_queue);

/* O_NONBLOCK is set; false also where it is not open. */
bool io_is_nonblocking(int number);
