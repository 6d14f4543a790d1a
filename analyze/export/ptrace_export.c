/* SPDX-License-Identifier: MIT */
#include "analyze/die.h"

int main(void)
{
	die("not available in this version");
}
