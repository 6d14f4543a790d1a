/* SPDX-License-Identifier: MIT */
#include "preload/base/signal_block.h"

__thread uint32_t signals_blocked;
