/* SPDX-License-Identifier: MIT */
/* Memory of another process. Functions return 0 or a negative errno. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

int memory_read(pid_t process, uint64_t address, void *bytes, size_t size);
int memory_write(pid_t process, uint64_t address, const void *bytes, size_t size);
