/* SPDX-License-Identifier: MIT */
#include "analyze/model/pipelines/socket_address.h"

#include "analyze/base/memory.h"

#include <stdio.h>
#include <string.h>

/* "[::ffff:7f00:1]:80" is 127.0.0.1:80. */
static char *address_text(const char *address, size_t length)
{
	unsigned high, low, port;

	if (sscanf(address, "[::ffff:%4x:%4x]:%5u", &high, &low, &port) == 3)
		return memory_print("%u.%u.%u.%u:%u", high >> 8 & 255, high & 255, low >> 8 & 255,
				    low & 255, port);
	return memory_print("%.*s", (int)length, address);
}

bool socket_end_of(const char *name, struct pipe_end *end)
{
	static const char accepted[] = ", accepted", listening[] = ", listening";
	static const struct {
		const char *prefix;
		enum pipe_kind kind;
	} protocols[] = {{"tcp ", PIPE_TCP}, {"unix ", PIPE_UNIX}};
	size_t length = strlen(name);
	bool is_accepted =
		length > strlen(accepted) && !strcmp(name + length - strlen(accepted), accepted);

	if (length > strlen(listening) && !strcmp(name + length - strlen(listening), listening))
		return false;
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
		size_t prefix = strlen(protocols[i].prefix);

		if (strncmp(name, protocols[i].prefix, prefix))
			continue;
		length -= prefix + (is_accepted ? strlen(accepted) : 0);
		*end = (struct pipe_end){.kind = protocols[i].kind,
					 .name = address_text(name + prefix, length),
					 .is_accepted = is_accepted};
		return true;
	}
	return false;
}
