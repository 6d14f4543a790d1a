/* SPDX-License-Identifier: MIT */
/* A call's arguments by position, from 1. Only when the library is known. */
#pragma once

#include "preload/mpi/mpi_abi.h"

static inline mpi_word at(const mpi_word *arguments, uint8_t position)
{
	return arguments[position - 1];
}

/* An int that the argument points to. */
static inline int32_t int_behind(const mpi_word *arguments, uint8_t position)
{
	return *(const int32_t *)at(arguments, position);
}

static inline mpi_word handle_behind(const mpi_word *arguments, uint8_t position)
{
	return mpi_handle_at(at(arguments, position), 0);
}
