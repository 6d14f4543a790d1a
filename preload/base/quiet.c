/* SPDX-License-Identifier: MIT */
#include "preload/base/quiet.h"

__thread uint32_t quiet_stretches;
