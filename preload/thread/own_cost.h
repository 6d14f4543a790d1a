/* SPDX-License-Identifier: MIT */
/* What the tool costs, measured on this machine at start-up in a few microseconds, and written
 * beside the figures. */
#pragma once

/* Start-up, before the store is there. */
void own_cost_measure(void);

/* Into the row of the process. Also in fork children. */
void own_cost_write(void);
