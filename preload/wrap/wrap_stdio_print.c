/* SPDX-License-Identifier: MIT */
/* printf and its like, of which it is known only afterwards how much they write: where the buffer
 * has plenty of room they are passed on, and counted if they needed more; such a one is no wait. */
#define __NO_INLINE__ 1 /* libc has inline copies of some: clang would hide our own with them */
#include "preload/base/likely.h"
#include "preload/io/io_stream.h"
#include "preload/process/real.h"

#include <stdarg.h>

enum { PLENTY = 512 };

/* vprint: the call with a list of arguments. */
#define PRINT_BODY(file, vprint)                                                                   \
	struct io_stream stream;                                                                   \
	uint64_t room = io_stream_room(file);                                                      \
                                                                                                   \
	if (likely(room >= PLENTY)) {                                                              \
		uint64_t held = (uint64_t)(file->_IO_write_ptr - file->_IO_write_base);            \
		int number = io_stream_number(file);                                               \
		result = vprint;                                                                   \
		if (unlikely(result > 0 && (uint64_t)result > room))                               \
			io_stream_count(number, held, room, OP_PRINTF, (uint64_t)result,           \
					SITE_HERE);                                                \
	} else {                                                                                   \
		io_stream_begin(&stream, file, true, CAUSE_WRITE, OP_PRINTF, SITE_HERE);           \
		result = vprint;                                                                   \
		io_stream_end(&stream, result > 0 ? (uint64_t)result : 0);                         \
	}

/* PRINTING(name, parameters, file, vprint): with arguments `...` behind `format` */
#define PRINTING(name, parameters, file, vprint)                                                   \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		va_list more;                                                                      \
		int result;                                                                        \
                                                                                                   \
		real_need();                                                                       \
		va_start(more, format);                                                            \
		PRINT_BODY(file, vprint)                                                           \
		va_end(more);                                                                      \
		return result;                                                                     \
	}

/* PRINTING_LIST(name, parameters, file, vprint): with a list of arguments `more` */
#define PRINTING_LIST(name, parameters, file, vprint)                                              \
	EXPORTED int name parameters                                                               \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		real_need();                                                                       \
		PRINT_BODY(file, vprint)                                                           \
		return result;                                                                     \
	}

PRINTING(printf, (const char *restrict format, ...), stdout, real.vfprintf(stdout, format, more))
PRINTING(fprintf, (FILE *restrict file, const char *restrict format, ...), file,
	 real.vfprintf(file, format, more))
PRINTING(__printf_chk, (int flag, const char *restrict format, ...), stdout,
	 real.__vfprintf_chk(stdout, flag, format, more))
PRINTING(__fprintf_chk, (FILE *restrict file, int flag, const char *restrict format, ...), file,
	 real.__vfprintf_chk(file, flag, format, more))

PRINTING_LIST(vprintf, (const char *restrict format, va_list more), stdout,
	      real.vfprintf(stdout, format, more))
PRINTING_LIST(vfprintf, (FILE *restrict file, const char *restrict format, va_list more), file,
	      real.vfprintf(file, format, more))
PRINTING_LIST(__vprintf_chk, (int flag, const char *restrict format, va_list more), stdout,
	      real.__vfprintf_chk(stdout, flag, format, more))
PRINTING_LIST(__vfprintf_chk,
	      (FILE *restrict file, int flag, const char *restrict format, va_list more), file,
	      real.__vfprintf_chk(file, flag, format, more))

ALIAS(_IO_printf, printf)
ALIAS(_IO_fprintf, fprintf)
ALIAS(_IO_vfprintf, vfprintf)
