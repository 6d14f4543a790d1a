/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/debug_link.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define POLYNOMIAL 0xedb88320u /* bits in reverse */

static uint32_t table_entry(uint32_t byte)
{
	for (int bit = 0; bit < 8; bit++)
		byte = byte & 1 ? byte >> 1 ^ POLYNOMIAL : byte >> 1;
	return byte;
}

static uint32_t checksum_of(const unsigned char *bytes, size_t count)
{
	uint32_t table[256], sum = ~0u;

	for (uint32_t i = 0; i < 256; i++)
		table[i] = table_entry(i);
	for (size_t i = 0; i < count; i++)
		sum = table[(sum ^ bytes[i]) & 0xff] ^ sum >> 8;
	return ~sum;
}

uint32_t debug_link_checksum(int descriptor)
{
	struct stat status;

	if (fstat(descriptor, &status) < 0 || status.st_size <= 0)
		return 0;
	size_t size = (size_t)status.st_size;
	void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	if (bytes == MAP_FAILED)
		return 0;
	uint32_t sum = checksum_of(bytes, size);
	munmap(bytes, size);
	return sum;
}
