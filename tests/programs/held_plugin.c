// SPDX-License-Identifier: MIT
// A plug-in whose constructor needs the program (attach_held): it waits for the first thread, while
// the dynamic linker's lock is held.
extern void ask_first_thread(void);

__attribute__((constructor)) static void begin(void)
{
	ask_first_thread();
}
