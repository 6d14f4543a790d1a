/* SPDX-License-Identifier: MIT */
/* A writer of Protocol Buffers messages. */
#include "analyze/export/protobuf.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

static void add_byte(struct protobuf *message, unsigned char byte)
{
	message->bytes = memory_grow(message->bytes, message->size, &message->capacity, 1);
	message->bytes[message->size++] = byte;
}

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
static void add_varint(struct protobuf *message, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		add_byte(message, (unsigned char)(number | 0x80));
	add_byte(message, (unsigned char)number);
}

static void add_key(struct protobuf *message, unsigned field, enum wire_type type)
{
	add_varint(message, (uint64_t)field << 3 | type);
}

static size_t varint_bytes(uint64_t number)
{
	size_t count = 1;

	while (number >>= 7)
		count++;
	return count;
}

void protobuf_reset(struct protobuf *message)
{
	message->size = 0;
}

void protobuf_clear(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){0};
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t number)
{
	if (!number)
		return;
	add_key(message, field, WIRE_VARINT);
	add_varint(message, number);
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size)
{
	add_key(message, field, WIRE_LENGTH);
	add_varint(message, size);
	for (size_t i = 0; i < size; i++)
		add_byte(message, ((const unsigned char *)bytes)[i]);
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
	protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *inner)
{
	protobuf_bytes(message, field, inner->bytes, inner->size);
}

void protobuf_numbers(struct protobuf *message, unsigned field, const uint64_t *numbers,
		      size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += varint_bytes(numbers[i]);
	add_key(message, field, WIRE_LENGTH);
	add_varint(message, size);
	for (size_t i = 0; i < count; i++)
		add_varint(message, numbers[i]);
}
