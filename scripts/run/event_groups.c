/* SPDX-License-Identifier: MIT */
#include "event_groups.h"

static int find(const struct event_groups *groups, const struct group_event *event)
{
	for (int i = 0; i < groups->count; i++)
		if (groups->events[i].period == event->period &&
		    event_code_equal(&groups->events[i].code, &event->code))
			return i;
	return -1;
}

static bool append(struct event_groups *groups, const struct group_event *event, int group)
{
	if (groups->count == EVENTS_MAX)
		return false;
	groups->events[groups->count] = *event;
	groups->events[groups->count++].group = group;
	return true;
}

static bool is_of_processor(const struct group_event *event)
{
	return !event->period && !event_code_is_software(&event->code);
}

static bool fits(const struct event_groups *groups, int events, int cost)
{
	return groups->hardware.group && groups->hardware.events + events <= GROUP_EVENTS_MAX &&
	       groups->hardware.cost + cost <= groups->budget.counters;
}

static void open_group(struct event_groups *groups, struct group_filled *filled)
{
	*filled = (struct group_filled){.group = ++groups->group_count};
}

static bool add_one(struct event_groups *groups, const struct group_event *event)
{
	if (event->period)
		return append(groups, event, ++groups->group_count);
	bool is_software = event_code_is_software(&event->code);
	struct group_filled *filled = is_software ? &groups->software : &groups->hardware;
	int cost = counter_budget_cost(&groups->budget, &event->code);
	bool has_room = is_software ? filled->group && filled->events < GROUP_EVENTS_MAX
				    : fits(groups, 1, cost);
	if (!has_room)
		open_group(groups, filled);
	filled->events++;
	filled->cost += cost;
	return append(groups, event, filled->group);
}

bool event_groups_add(struct event_groups *groups, const struct group_event *set, int count,
		      int *index)
{
	int events = 0, cost = 0;

	for (int i = 0; i < count; i++)
		if (is_of_processor(&set[i]) && find(groups, &set[i]) < 0) {
			events++;
			cost += counter_budget_cost(&groups->budget, &set[i].code);
		}
	if (events > 0 && groups->hardware.group && !fits(groups, events, cost))
		groups->hardware = (struct group_filled){0};
	for (int i = 0; i < count; i++) {
		if (find(groups, &set[i]) < 0 && !add_one(groups, &set[i]))
			return false;
		if (index)
			index[i] = find(groups, &set[i]);
	}
	return true;
}

bool event_groups_add_together(struct event_groups *groups, const struct group_event *set,
			       int count)
{
	int group = 0, events = 0;

	for (int i = 0; i < count; i++) {
		if (find(groups, &set[i]) >= 0)
			continue;
		if (!group)
			group = ++groups->group_count;
		if (++events > GROUP_EVENTS_MAX || !append(groups, &set[i], group))
			return false;
	}
	return true;
}

void event_groups_order(const struct event_groups *groups, int position[EVENTS_MAX])
{
	int next = 1;

	for (int group = 1; group <= groups->group_count; group++)
		for (int i = 0; i < groups->count; i++)
			if (groups->events[i].group == group)
				position[i] = next++;
}
