/* SPDX-License-Identifier: MIT */
/* Debugging information as damage may leave it: types that are made of themselves. Each object is 4096 bytes long.
   Who follows the types without a bound does not come back. */
	.text
	.globl main
	.type main, %function
main:
	.size main, . - main

	.bss
	.macro object name
	.globl \name
	.type \name, %object
	.balign 4096
\name:	.zero 4096
	.size \name, 4096
	.endm
	object own_name
	object two_names
	object own_member
	object own_element
	object own_base
	object wide_union
	object sound

	.section .debug_abbrev, "", %progbits
.Labbrev:
	/* 1: unit, with children */
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x13, 0x05, 0, 0
	/* 2: variable: name, type, location */
	.uleb128 2, 0x34
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
	/* 3: typedef: type */
	.uleb128 3, 0x16
	.byte 0
	.uleb128 0x49, 0x13, 0, 0
	/* 4: struct with parts: size */
	.uleb128 4, 0x13
	.byte 1
	.uleb128 0x0b, 0x05, 0, 0
	/* 5: member: name, type, place */
	.uleb128 5, 0x0d
	.byte 0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0, 0
	/* 6: array with dimensions: type */
	.uleb128 6, 0x01
	.byte 1
	.uleb128 0x49, 0x13, 0, 0
	/* 7: dimension: count */
	.uleb128 7, 0x21
	.byte 0
	.uleb128 0x37, 0x05, 0, 0
	/* 8: base: type, place */
	.uleb128 8, 0x1c
	.byte 0
	.uleb128 0x49, 0x13, 0x38, 0x0b, 0, 0
	/* 9: union with parts: size */
	.uleb128 9, 0x17
	.byte 1
	.uleb128 0x0b, 0x05, 0, 0
	/* 10: base type: size */
	.uleb128 10, 0x24
	.byte 0
	.uleb128 0x0b, 0x0b, 0, 0
	.byte 0

	.section .debug_info, "", %progbits
.Lunit:
	.4byte .Lend - .Lversion
.Lversion:
	.2byte 4
	.4byte .Labbrev
	.byte 8
	.uleb128 1
	.2byte 0x0c

	.macro variable name, type
	.uleb128 2
	.asciz "\name"
	.4byte \type - .Lunit
	.byte 9, 3
	.8byte \name
	.endm
	variable own_name, .Lself
	variable two_names, .Lone
	variable own_member, .Linside
	variable own_element, .Larray
	variable own_base, .Lderived
	variable wide_union, .Lunion
	variable sound, .Lsound

.Lself:	/* another name of itself */
	.uleb128 3
	.4byte .Lself - .Lunit
.Lone:	/* of one another */
	.uleb128 3
	.4byte .Lother - .Lunit
.Lother:
	.uleb128 3
	.4byte .Lone - .Lunit
.Linside: /* its own first member */
	.uleb128 4
	.2byte 4096
	.uleb128 5
	.asciz "m"
	.4byte .Linside - .Lunit
	.byte 0
	.byte 0
.Larray: /* its own elements */
	.uleb128 6
	.4byte .Larray - .Lunit
	.uleb128 7
	.2byte 4
	.byte 0
.Lderived: /* its own base */
	.uleb128 4
	.2byte 4096
	.uleb128 8
	.4byte .Lderived - .Lunit
	.byte 0
	.byte 0
.Lunion: /* twice itself, so that ways double at each step */
	.uleb128 9
	.2byte 4096
	.uleb128 5
	.asciz "a"
	.4byte .Lunion - .Lunit
	.byte 0
	.uleb128 5
	.asciz "b"
	.4byte .Lunion - .Lunit
	.byte 0
	.byte 0
.Lsound: /* beside them one as it should be */
	.uleb128 4
	.2byte 4096
	.uleb128 5
	.asciz "first"
	.4byte .Lnumber - .Lunit
	.byte 0
	.uleb128 5
	.asciz "second"
	.4byte .Lnumber - .Lunit
	.byte 8
	.byte 0
.Lnumber:
	.uleb128 10
	.byte 8
	.byte 0
.Lend:
	.section .note.GNU-stack, "", %progbits
