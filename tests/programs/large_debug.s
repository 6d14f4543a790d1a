# SPDX-License-Identifier: MIT
# A unit of 5 MiB of debugging information that describes nothing: DWARF 4, one entry with a block. What is linked with
# it is a program whose names are worth keeping from one report to the next (analyze/symbols/symbol_module.c).
	.section .debug_abbrev,"",@progbits
.Labbreviations:
	.uleb128 1
	.uleb128 0x11 # DW_TAG_compile_unit, without children
	.byte 0
	.uleb128 0x1c # DW_AT_const_value
	.uleb128 0x04 # DW_FORM_block4
	.uleb128 0
	.uleb128 0
	.byte 0

	.section .debug_info,"",@progbits
	.long .Lend - .Lbegin
.Lbegin:
	.short 4
	.long .Labbreviations
	.byte 8
	.uleb128 1
	.long .Lend - .Lblock
.Lblock:
	.zero 5 << 20
.Lend:
	.section .note.GNU-stack,"",@progbits
