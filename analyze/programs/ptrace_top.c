/* SPDX-License-Identifier: MIT */
/* ptrace-top: what a running program does, frame after frame. */
#include "analyze/base/die.h"
#include "analyze/live/live.h"
#include "analyze/top/top_batch.h"
#include "analyze/top/top_options.h"
#include "analyze/top/top_screen.h"

#include <locale.h>
#include <stdlib.h>

/* A run whose first profile is still to come is waited for, but one frame is wanted at once. */
static struct live *open_run(const struct top_options *options)
{
	bool is_waiting, is_told = false;

	for (;;) {
		char *problem = NULL;
		struct live *live = live_open(options->run, &is_waiting, &problem);

		if (live)
			return live;
		if (!is_waiting || options->is_once)
			die("%s", problem);
		if (!is_told)
			warn_line("%s; waiting for one", problem);
		is_told = true;
		free(problem);
		top_batch_sleep(options->interval_ns);
	}
}

int main(int count, char **words)
{
	setlocale(LC_CTYPE, "");
	const struct top_options options = top_options_read(count, words);

	struct live *live = open_run(&options);

	if (options.is_once || options.is_batch || !top_screen_is_possible())
		top_batch_run(live, &options);
	else
		top_screen_run(live, &options);
	live_close(live);
	return 0;
}
