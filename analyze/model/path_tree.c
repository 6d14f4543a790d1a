/* SPDX-License-Identifier: MIT */
#include "analyze/model/path_tree.h"
