/* SPDX-License-Identifier: MIT */
/* Results where the code is: remarks at source lines, for editors.
 *
 * First the findings whose place is a known line, then the lines at which most time was spent (of
 * the routine or file that was asked for, if any). Files are named by the paths at which they were
 * found, or else as the debugging information does. Context: asks for source files. */
#pragma once

#include "analyze/report/report.h"

/* "FILE:LINE: text", one remark a line: what compilers print and editors read. */
void report_print_quickfix(const struct report *report);
/* A list of objects with `uri` and `diagnostics`, one for each file, as the language server
 * protocol has them (PublishDiagnosticsParams, version 3.17). */
void report_print_diagnostics(const struct report *report);
