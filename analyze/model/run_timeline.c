/* SPDX-License-Identifier: MIT */
#include "analyze/model/run_timeline.h"
