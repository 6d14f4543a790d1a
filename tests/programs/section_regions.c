/* SPDX-License-Identifier: MIT */
/* section_regions: a program with regions of Caliper and ranges of NVTX 2, which libregions.so
 * stands in for. Prints what that was told. */
#include "truth.h"

#include <stdint.h>

void cali_begin_region(const char *name);
void cali_end_region(const char *name);
int nvtxRangePushA(const char *name);
int nvtxRangePushEx(const void *attributes);
int nvtxRangePop(void);
int regions_told(void);

static const struct {
	uint16_t version, bytes;
	uint32_t unused[5];
	uint64_t payload;
	int32_t kind;
	const char *text;
} attributes = {2, 48, {0}, 0, 1, "by attributes"};

int main(void)
{
	int depths = 0;

	for (int i = 0; i < 7; i++) {
		cali_begin_region("of Caliper");
		depths = 10 * depths + nvtxRangePushA("of NVTX");
		depths = 10 * depths + nvtxRangePushEx(&attributes);
		SPIN(0.001);
		nvtxRangePop();
		nvtxRangePop();
		cali_end_region("of Caliper");
		depths %= 1000;
	}
	printf("told %d, depths %d\n", regions_told(), depths);
	truth("regions", 7);
	truth_end();
	return 0;
}
