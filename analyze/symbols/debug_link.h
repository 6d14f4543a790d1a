/* SPDX-License-Identifier: MIT */
/* The checksum by which .gnu_debuglink knows its file: CRC-32 of IEEE 802.3 over all of it. */
#pragma once

#include <stdint.h>

/* 0 when the file cannot be read. */
uint32_t debug_link_checksum(int descriptor);
