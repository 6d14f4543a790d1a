/* SPDX-License-Identifier: MIT */
#include "preload/python/python_frames.h"

#include "preload/python/python_code.h"
#include "preload/python/python_text.h"

#include <string.h>

static uint64_t word(struct python_frames *frames, uint64_t address)
{
	return python_word(&frames->memory, address);
}

/* The innermost Python frame of the C frame. */
static uint64_t top_of_cframe(struct python_frames *frames, uint64_t cframe)
{
	return cframe ? word(frames, cframe + frames->runtime->layout->cframe_top) : 0;
}

void python_frames_begin(struct python_frames *frames, const struct python_runtime *runtime,
			 uint64_t state, struct python_texts *texts)
{
	const struct python_layout *layout = runtime->layout;

	memset(&frames->memory, 0, sizeof frames->memory);
	frames->memory.texts = texts;
	frames->runtime = runtime;
	frames->cframe = frames->frame = 0;
	frames->left = PYTHON_FRAMES_MOST;
	if (!state)
		return;
	uint64_t top = word(frames, state + layout->thread_top);
	switch (layout->chain) {
	case PYTHON_CFRAMES: /* which has no frame of its own */
		frames->cframe = top;
		frames->frame = word(frames, state + layout->cframe_top);
		break;
	case PYTHON_ENTRIES:
		frames->cframe = top;
		frames->frame = top_of_cframe(frames, top);
		break;
	default:
		frames->frame = layout->cframe_before ? top_of_cframe(frames, top) : top;
	}
}

static uint8_t byte(struct python_frames *frames, uint64_t address)
{
	return python_may_read(&frames->memory, address, 1) ? *(const volatile uint8_t *)address
							    : 0;
}

/* An address, since 3.11; before, a number of 32 bits. */
static uint64_t instruction_of(struct python_frames *frames, uint64_t frame)
{
	const struct python_layout *layout = frames->runtime->layout;
	uint64_t address = frame + layout->frame_instruction;

	return layout->code_begin ? word(frames, address) : python_half(&frames->memory, address);
}

/* A frame in the loop's own: no code of the program, but the end of the group. */
static bool is_shim(struct python_frames *frames, uint64_t frame)
{
	const struct python_layout *layout = frames->runtime->layout;

	return layout->chain == PYTHON_SHIMS &&
	       byte(frames, frame + layout->frame_entry) == PYTHON_OWNED_BY_C_STACK;
}

/* After this frame the group ends. */
static bool ends_group(struct python_frames *frames, uint64_t frame)
{
	const struct python_layout *layout = frames->runtime->layout;

	switch ((enum python_chain)layout->chain) {
	case PYTHON_ENTRIES:
		return byte(frames, frame + layout->frame_entry) & 1;
	case PYTHON_SHIMS:
		return false;
	default:
		return true;
	}
}

static void add(struct python_frames *frames, struct python_group *group, uint64_t frame)
{
	const struct python_layout *layout = frames->runtime->layout;

	if (group->count == PYTHON_GROUP_MOST)
		return;
	uint64_t place = python_code_place(frames->runtime, &frames->memory,
					   word(frames, frame + layout->frame_code),
					   instruction_of(frames, frame));

	if (place)
		group->place[group->count++] = place;
}

static uint64_t before(struct python_frames *frames, uint64_t frame)
{
	return word(frames, frame + frames->runtime->layout->frame_before);
}

/* The C frame of the group that begins; the next one is further up the C stack. */
static void take_cframe(struct python_frames *frames, struct python_group *group)
{
	group->anchor = frames->cframe;
	if (frames->cframe)
		frames->cframe =
			word(frames, frames->cframe + frames->runtime->layout->cframe_before);
}

bool python_frames_next(struct python_frames *frames, struct python_group *group)
{
	group->count = 0;
	take_cframe(frames, group);
	while (frames->frame && frames->left) {
		uint64_t frame = frames->frame;

		frames->left--;
		frames->frame = before(frames, frame);
		if (is_shim(frames, frame)) {
			group->anchor = frame;
			return true;
		}
		add(frames, group, frame);
		if (ends_group(frames, frame))
			return true;
	}
	/* too deep, or cut: of a group without its end, the anchor may be unknown */
	return group->count > 0;
}

uint64_t python_frames_sum(struct python_frames *frames)
{
	const struct python_layout *layout = frames->runtime->layout;
	uint64_t sum = 0;

	for (; frames->frame && frames->left; frames->left--) {
		uint64_t frame = frames->frame;

		sum = python_mix(sum ^ frame, word(frames, frame + layout->frame_code));
		sum = python_mix(sum, instruction_of(frames, frame));
		frames->frame = before(frames, frame);
	}
	return sum;
}
