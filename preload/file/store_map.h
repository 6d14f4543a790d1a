/* SPDX-License-Identifier: MIT */
/* Where the profile file lies in memory: in windows, one for each time that it grew. (One that
 * grows after it was cut lengthens its last window, if there is room behind it.)
 *
 * Addresses that are not used yet would count against the program's limits like used ones
 * (RLIMIT_AS; with mlockall RLIMIT_MEMLOCK). So nothing is reserved: each growth maps a window
 * wherever there is room. It begins with the page of the first byte that is not given out, which
 * lies in the window before, too: so every block lies in one window as a whole, and stays where it
 * is.
 *
 * Context: as of store.h; a window is added by the thread that grows the file. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* A new file: no window. Those of the one before stay mapped. */
void store_map_begin(void);

/* How far the file had best grow that needs `needed` bytes and wishes for `wished`: after a cut, up
 * to where it was before, whose addresses are probably free. */
uint64_t store_map_fit(uint64_t needed, uint64_t wished);

/* Maps the file from the page of offset `from` up to `to`, for what is done next: 0 or an errno.
 * The space must be there when it is published. */
int store_map_prepare(int fd, uint64_t from, uint64_t to);
void store_map_publish(void);
void store_map_cancel(void);

/* The place of these bytes of the file; NULL: no window has them all. */
void *store_map_place(uint64_t offset, uint64_t bytes);

/* Unmaps what lies behind this offset, a whole page, of which nothing is given out. */
void store_map_cut(uint64_t offset);

/* Zero pages take the file's place. */
void store_map_bury(void);

/* Unmaps the zero pages in the places of files before the latest. */
void store_map_free_buried(void);

/* The program has locked its memory, and ours with it: unlocks the windows. */
void store_map_unlock(void);
