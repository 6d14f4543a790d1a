/* SPDX-License-Identifier: MIT */
/* Messages of protocol buffers, written: numbers, texts, and messages inside.
 *
 * By hand, since the wire format is three rules (protobuf.dev, "Encoding") and one kind of message
 * is all that we write: a generator, its runtime library and a schema of their own would be more
 * than this file. Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A message that is being made; begin with a zeroed one, and use it again for the next. */
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
