/* SPDX-License-Identifier: MIT */
/* A writer of Protocol Buffers messages: numbers, texts, and nested messages.
 *
 * Written by hand, since the wire format has three rules (protobuf.dev, "Encoding") and only one
 * kind of message is needed: a generator, its runtime library and a schema would be more than this
 * file. Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A message while it is built; begin with a zeroed one, and reuse it for the next. */
struct protobuf {
	unsigned char *bytes;
	size_t size, capacity;
};

void protobuf_reset(struct protobuf *message);
void protobuf_clear(struct protobuf *message);
/* A field that is 0 is left out, as proto3 wants it. */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t number);
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size);
void protobuf_text(struct protobuf *message, unsigned field, const char *text);
void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *inner);
/* A repeated field of numbers, packed: zeros stay. */
void protobuf_numbers(struct protobuf *message, unsigned field, const uint64_t *numbers,
		      size_t count);
