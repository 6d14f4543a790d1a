/* SPDX-License-Identifier: MIT */
/* Functions whose frames are hard to unwind: each calls `probe` from its depth. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Frames of optimised code without frame pointers. */
void shapes_run(void (*probe)(void));

/* A C++ exception through a few frames; probe is called by a destructor while it flies, and by the
 * handler. */
void shapes_throw(void (*probe)(void));

#ifdef __cplusplus
}
#endif
