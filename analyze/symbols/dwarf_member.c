/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_member.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/dwarf_unit.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS_MAX = 20000,  /* entries visited for one answer */
	NESTING_MAX = 64,   /* of types */
	DIMENSIONS_MAX = 16 /* of an array */
};

/* The path from the variable to the offset, while it is followed. */
struct way {
	char *path;
	unsigned steps; /* visited so far */
};

/* Where the path ended. */
struct stop {
	uint64_t rest; /* bytes from there to the offset */
	bool is_byte;  /* at a single character: more likely padding than an object */
	bool is_hole;  /* in no part of a compound */
};

static struct stop follow(struct way *way, Dwarf_Die type, uint64_t offset, int nesting);

static bool may_step(struct way *way)
{
	return way->steps++ < STEPS_MAX;
}

static void append(struct way *way, char *more)
{
	char *longer = memory_print("%s%s", way->path, more);

	free(more);
	free(way->path);
	way->path = longer;
}

/* ---- types */

/* The entry that an attribute refers to; in a unit of its own if it has a signature. */
static bool refer(Dwarf_Die *die, unsigned name, Dwarf_Die *to)
{
	Dwarf_Attribute attribute;

	return dwarf_formref_die(dwarf_attr_integrate(die, name, &attribute), to);
}

static bool is_other_name(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type;
}

/* The type itself, without other names and qualifiers. */
static bool find_type(struct way *way, Dwarf_Die *die, Dwarf_Die *type)
{
	bool is_found = refer(die, DW_AT_type, type);

	while (is_found && is_other_name(dwarf_tag(type)))
		is_found = may_step(way) && refer(type, DW_AT_type, type);
	if (is_found && dwarf_hasattr(type, DW_AT_signature))
		is_found = refer(type, DW_AT_signature, type);
	return is_found;
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0)
		return false;
	*number = value;
	return true;
}

/* Elements of each dimension; 0: unknown. Returns how many dimensions. */
static size_t find_dimensions(struct way *way, Dwarf_Die *array, uint64_t counts[DIMENSIONS_MAX])
{
	size_t dimensions = 0;
	Dwarf_Die die;

	if (dwarf_child(array, &die) != 0)
		return 0;
	do {
		uint64_t *count = &counts[dimensions];

		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		*count = 0;
		if (!number_of(&die, DW_AT_count, count) &&
		    number_of(&die, DW_AT_upper_bound, count))
			++*count;
		if (++dimensions == DIMENSIONS_MAX)
			break;
	} while (may_step(way) && dwarf_siblingof(&die, &die) == 0);
	return dimensions;
}

/* Compilers may leave out their size. */
static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type || tag == DW_TAG_ptr_to_member_type;
}

/* Bytes; 0: unknown. */
static uint64_t size_of(struct way *way, Dwarf_Die *type, int nesting)
{
	uint64_t size, product, counts[DIMENSIONS_MAX];
	Dwarf_Die element;

	if (!may_step(way) || nesting == NESTING_MAX)
		return 0;
	if (number_of(type, DW_AT_byte_size, &size))
		return size;
	if (is_pointer(dwarf_tag(type)))
		return sizeof(uint64_t);
	if (dwarf_tag(type) != DW_TAG_array_type || !find_type(way, type, &element))
		return 0;
	product = size_of(way, &element, nesting + 1);
	for (size_t i = 0, all = find_dimensions(way, type, counts); i < all; i++)
		if (__builtin_mul_overflow(product, counts[i], &product))
			return 0;
	return product;
}

static bool is_compound(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* ---- what is the system's */

enum owner { OWNER_UNKNOWN, OWNER_USER, OWNER_SYSTEM };

/* Tells by where the type is declared: headers of the C and C++ libraries, whatever root directory
 * they are below. */
static enum owner owner_of(Dwarf_Die *type)
{
	static const char *const places[] = {"/usr/include/", "/include/c++/", "/lib/gcc/",
					     "/lib/clang/"};
	const char *file = dwarf_declared_in(type);

	for (size_t i = 0; file && i < sizeof places / sizeof *places; i++)
		if (strstr(file, places[i]))
			return OWNER_SYSTEM;
	return file ? OWNER_USER : OWNER_UNKNOWN;
}

static bool is_elements(const char *name)
{
	return !strcmp(name, "_M_elems") || !strcmp(name, "__elems_");
}

/* A reserved name, as in std::mutex and pthread_mutex_t. The elements of a std::array are the
 * user's all the same. */
static bool is_private(enum owner owner, const char *name)
{
	bool is_reserved = *name == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));

	return !is_elements(name) &&
	       ((owner == OWNER_SYSTEM && *name == '_') || (owner == OWNER_UNKNOWN && is_reserved));
}

/* ---- members */

static bool is_part(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return (tag == DW_TAG_inheritance || tag == DW_TAG_member) &&
	       !dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_artificial) &&
	       !dwarf_hasattr(die, DW_AT_bit_size);
}

/* An empty class has a byte of its own that it shares with others. */
static bool is_empty(struct way *way, Dwarf_Die *type)
{
	Dwarf_Die die;

	if (!is_compound(dwarf_tag(type)) || dwarf_child(type, &die) != 0)
		return is_compound(dwarf_tag(type));
	do {
		if (is_part(&die))
			return false;
	} while (may_step(way) && dwarf_siblingof(&die, &die) == 0);
	return true;
}

/* False: it is computed at run time, as that of a virtual base. */
static bool find_start(Dwarf_Die *part, uint64_t *start)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;

	*start = 0;
	if (!dwarf_attr(part, DW_AT_data_member_location, &attribute) ||
	    number_of(part, DW_AT_data_member_location, start))
		return true;
	if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
	    operations[0].atom != DW_OP_plus_uconst)
		return false;
	*start = operations[0].number; /* as DWARF 2 has it */
	return true;
}

/* A part of a compound that may contain the offset. */
struct part {
	Dwarf_Die die, type;
	uint64_t rest;      /* offset within the part */
	bool is_size_known; /* otherwise other parts may begin before the offset */
};

static bool covers(struct way *way, struct part *part, uint64_t offset)
{
	uint64_t start, size;

	if (!is_part(&part->die) || !find_type(way, &part->die, &part->type) ||
	    !find_start(&part->die, &start) || offset < start || is_empty(way, &part->type))
		return false;
	part->rest = offset - start;
	size = size_of(way, &part->type, 0);
	part->is_size_known = size;
	return size ? part->rest < size : dwarf_tag(&part->type) == DW_TAG_array_type;
}

static struct stop follow_part(struct way *way, enum owner owner, struct part *part, int nesting)
{
	bool is_member = dwarf_tag(&part->die) == DW_TAG_member;
	const char *name = is_member ? dwarf_diename(&part->die) : NULL;

	if (name && is_private(owner, name))
		return (struct stop){.rest = part->rest};
	if (name && !is_elements(name))
		append(way, memory_print(".%s", name));
	return follow(way, part->type, part->rest, nesting + 1);
}

/* There may be a better one: a union may begin with bytes that only reserve space, and a derived
 * class may use the end of its base. */
static bool is_good(const struct stop *stop, const struct part *part, bool is_union)
{
	return part->is_size_known && !stop->is_hole &&
	       (!is_union || (!stop->rest && !stop->is_byte));
}

/* The first good part, or else the first one that covers the offset. */
static struct stop follow_compound(struct way *way, Dwarf_Die *compound, uint64_t offset,
				   int nesting)
{
	bool is_union = dwarf_tag(compound) == DW_TAG_union_type;
	struct stop first = {.rest = offset, .is_hole = true};
	char *before = memory_copy_text(way->path), *path = NULL;
	enum owner owner = owner_of(compound);
	struct part part;

	for (int state = dwarf_child(compound, &part.die); state == 0 && may_step(way);
	     state = dwarf_siblingof(&part.die, &part.die)) {
		if (!covers(way, &part, offset))
			continue;
		struct stop stop = follow_part(way, owner, &part, nesting);

		if (is_good(&stop, &part, is_union)) {
			free(before);
			free(path);
			return stop;
		}
		if (!path) {
			first = stop;
			path = memory_copy_text(way->path);
		}
		free(way->path);
		way->path = memory_copy_text(before);
	}
	if (path)
		append(way, memory_copy_text(path + strlen(before)));
	free(path);
	free(before);
	return first;
}

/* ---- arrays */

/* Only the count of the first dimension may be unknown: nothing is multiplied by it. */
static struct stop follow_array(struct way *way, Dwarf_Die array, uint64_t offset, int nesting)
{
	uint64_t counts[DIMENSIONS_MAX], stride;
	size_t dimensions = find_dimensions(way, &array, counts);
	struct stop here = {.rest = offset};
	Dwarf_Die element;

	if (!dimensions || !find_type(way, &array, &element) ||
	    dwarf_hasattr(&array, DW_AT_byte_stride) || dwarf_hasattr(&array, DW_AT_bit_stride))
		return here;
	stride = size_of(way, &element, 0);
	if (stride == 1 && !is_compound(dwarf_tag(&element)))
		return (struct stop){.rest = offset,
				     .is_byte = true}; /* memory for something else */
	for (size_t i = 1; i < dimensions; i++)
		if (__builtin_mul_overflow(stride, counts[i], &stride))
			return here;
	for (size_t i = 0; i < dimensions; i++) {
		if (!stride)
			return here;
		append(way, memory_print("[%" PRIu64 "]", offset / stride));
		offset %= stride;
		stride /= i + 1 < dimensions ? counts[i + 1] : 1;
	}
	return follow(way, element, offset, nesting + 1);
}

static struct stop follow(struct way *way, Dwarf_Die type, uint64_t offset, int nesting)
{
	uint64_t size;

	if (nesting == NESTING_MAX)
		way->steps = STEPS_MAX; /* gives up: no program has that */
	if (!may_step(way))
		return (struct stop){.rest = offset};
	if (is_compound(dwarf_tag(&type)))
		return follow_compound(way, &type, offset, nesting);
	if (dwarf_tag(&type) == DW_TAG_array_type)
		return follow_array(way, type, offset, nesting);
	return (struct stop){.rest = offset,
			     .is_byte = number_of(&type, DW_AT_byte_size, &size) && size == 1};
}

/* Fortran numbers elements from 1, or as declared, and its first index varies fastest. */
static bool is_fortran(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

char *dwarf_member_path(Dwarf_Die *variable, uint64_t offset)
{
	struct way way = {.path = memory_copy_text("")};
	Dwarf_Die type;
	uint64_t size;

	if (!is_fortran(variable) && find_type(&way, variable, &type)) {
		size = size_of(&way, &type, 0);
		struct stop stop = {.rest = offset};

		/* a compound that ends in an array may be longer than its type */
		if (!size || offset < size || is_compound(dwarf_tag(&type)))
			stop = follow(&way, type, offset, 0);
		if (stop.rest)
			append(&way, memory_print("+%" PRIu64, stop.rest));
		if (way.steps <= STEPS_MAX)
			return way.path;
	}
	free(way.path);
	return NULL;
}
