/* SPDX-License-Identifier: MIT */
/* The checksum that .gnu_debuglink states of its file: the CRC-32 of IEEE 802.3 over the whole
 * file. */
#pragma once

#include <stdint.h>

/* 0 when the file cannot be read. */
uint32_t debug_link_checksum(int descriptor);
