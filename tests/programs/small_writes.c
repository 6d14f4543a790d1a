/* SPDX-License-Identifier: MIT */
/* Lines of 47 bytes for a file.
 *
 *   small_writes write HOW_MANY    a call of write for each
 *   small_writes flush HOW_MANY    stdio, and a call of fflush for each
 *   small_writes stream HOW_MANY   stdio, which writes when its buffer is full */
#include "truth.h"

#define LINE "0123456789012345678901234567890123456789012345\n"

static FILE *log_file;

static NOINLINE void log_line(char how)
{
	if (how == 'w' && write(fileno(log_file), LINE, sizeof LINE - 1) < 0)
		exit(3);
	if (how != 'w' && fputs(LINE, log_file) < 0)
		exit(3);
	if (how == 'f' && fflush(log_file))
		exit(3);
	KEEP;
}

int main(int count, char **words)
{
	log_file = fopen("small_writes.log", "w");
	if (count < 3 || !log_file)
		return 3;
	for (long left = atol(words[2]); left > 0; left--)
		log_line(*words[1]);
	return fclose(log_file) ? 3 : 0;
}
