/* SPDX-License-Identifier: MIT */
/* What the kernel can do of the samples that were asked for. Context: ptrace-run, ptrace-attach. */
#pragma once

/* One line if there will be fewer: timers on CPU clocks expire at the kernel's ticks. sample: the
 * number as it was given; NULL: the default, which is below. */
void sample_rate_tell(const char *sample);
