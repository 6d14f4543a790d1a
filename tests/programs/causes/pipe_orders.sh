#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts what a day's orders are worth: a generator writes numbers of orders, a filter prices each of
# them, and a counter counts lines and bytes. The filter, awk, is on a processor for nearly all of its life,
# and the others wait for it, one to write and one to read. Innocent: a process that sleeps as long as
# anybody would wait, and the shell itself, which waits. Fixed: two filters side by side, each for half of the
# orders.
#
# cause: the filter of the pipeline is the only process that works
# finding: slow-stage pipeline
# place: awk
# launch: sh

ORDERS=300000

# Prices orders by their numbers: as many rounds of discount as the order has articles.
price() {
	awk '
	function discount(value, rounds) {
		for (; rounds > 0; rounds--)
			value = (value * 31 + rounds) % 10007
		return value
	}
	{
		worth = discount($1 % 9973, 12 + $1 % 29)
		if (worth % 3)
			print $1, worth
	}'
}

sleep 60 >/dev/null 2>&1 &
limit=$!
if [ "$1" = fixed ]; then
	{
		seq 1 2 "$ORDERS" | price &
		seq 2 2 "$ORDERS" | price &
		wait
	} | wc -lc
else
	seq 1 "$ORDERS" | price | wc -lc
fi
kill "$limit"
