/* SPDX-License-Identifier: MIT */
/* The rows of connections, for the JSON of pipelines. */
#pragma once

struct json_object;
struct report;

struct json_object *report_connections_rows(const struct report *report);
