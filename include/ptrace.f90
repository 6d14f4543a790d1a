! SPDX-License-Identifier: MIT
! Named parts of a run, for Fortran: what the calls mean stands in ptrace.h, docs/sections.md and ptrace.h(3).
!
!     use ptrace
!     call ptrace_begin('solve')
!     ...
!     call ptrace_end('solve')
!
! A module belongs to a compiler, so it comes as source: compile it with the program, as gfortran -c ptrace.f90. Fortran knows
! no names that may be missing. The calls are looked for by dlsym once, and without the profiler each is a test from then on;
! with static linking they are never there. Blanks at the end of a name do not count.
module ptrace
  use, intrinsic :: iso_c_binding, only: c_char, c_f_procpointer, c_funptr, c_int, c_int32_t, c_int64_t, &
       c_intptr_t, c_loc, c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_size_t, c_sizeof
  implicit none
  private
  public :: ptrace_begin, ptrace_end, ptrace_phase, ptrace_mark, ptrace_name, ptrace_times

  integer, parameter, public :: ptrace_waits = 32, ptrace_levels = 64

  ! struct ptrace_times. wait_ns(1) is that of PTRACE_WAIT_OTHER, which is 0 in C; level_ns(1) is T_0.
  type, bind(C), public :: ptrace_time
     integer(c_int64_t) :: bytes = 0
     integer(c_int64_t) :: elapsed_ns = 0, user_ns = 0, system_ns = 0, ready_ns = 0, blocked_ns = 0
     integer(c_int64_t) :: wait_ns(ptrace_waits) = 0
     integer(c_int64_t) :: levels = 0
     integer(c_int64_t) :: level_ns(ptrace_levels) = 0
  end type ptrace_time

  ! Values are integers of 4 or 8 bytes.
  interface ptrace_mark
     module procedure mark_32, mark_64
  end interface ptrace_mark

  interface
     function dlsym(handle, name) bind(C, name='dlsym') result(address)
       import :: c_char, c_funptr, c_ptr
       type(c_ptr), value :: handle
       character(kind=c_char), intent(in) :: name(*)
       type(c_funptr) :: address
     end function dlsym
  end interface

  abstract interface
     subroutine call_of_name(name) bind(C)
       import :: c_ptr
       type(c_ptr), value :: name
     end subroutine call_of_name
     subroutine call_of_value(name, number) bind(C)
       import :: c_int64_t, c_ptr
       type(c_ptr), value :: name
       integer(c_int64_t), value :: number
     end subroutine call_of_value
     subroutine call_of_memory(address, bytes, name) bind(C)
       import :: c_ptr, c_size_t
       type(c_ptr), value :: address, name
       integer(c_size_t), value :: bytes
     end subroutine call_of_memory
     function call_of_times(times) bind(C) result(status)
       import :: c_int, ptrace_time
       type(ptrace_time), intent(inout) :: times
       integer(c_int) :: status
     end function call_of_times
  end interface

  ! Where the calls are; 0: the profiler is not there. In a word each, so that threads may look at the same time: they find the
  ! same, and volatile, so that each call reads it.
  integer(c_intptr_t), parameter :: unknown = -1
  integer(c_intptr_t), volatile, save :: begin_at = unknown, end_at = unknown, phase_at = unknown, mark_at = unknown, &
       name_at = unknown, times_at = unknown

  integer, parameter :: text_most = 255 ! the profiler copies as many bytes

contains

  ! The address of a call; 0 if there is none.
  function found(at, name) result(address)
    integer(c_intptr_t), volatile, intent(inout) :: at
    character(*), intent(in) :: name
    integer(c_intptr_t) :: address

    if (at == unknown) at = transfer(dlsym(c_null_ptr, name // c_null_char), address)
    address = at
  end function found

  ! The name as C has it.
  subroutine make_text(name, text)
    character(*), intent(in) :: name
    character(kind=c_char), intent(out) :: text(text_most + 1)
    integer :: i, length

    length = min(len_trim(name), text_most)
    do i = 1, length
       text(i) = name(i:i)
    end do
    text(length + 1) = c_null_char
  end subroutine make_text

  ! With a name, or without one.
  subroutine call_named(address, name)
    integer(c_intptr_t), intent(in) :: address
    character(*), intent(in), optional :: name
    character(kind=c_char), target :: text(text_most + 1)
    procedure(call_of_name), pointer :: there

    call c_f_procpointer(transfer(address, c_null_funptr), there)
    if (present(name)) then
       call make_text(name, text)
       call there(c_loc(text))
    else
       call there(c_null_ptr)
    end if
  end subroutine call_named

  subroutine ptrace_begin(name)
    character(*), intent(in) :: name
    integer(c_intptr_t) :: address

    address = found(begin_at, 'libptrace_begin')
    if (address /= 0) call call_named(address, name)
  end subroutine ptrace_begin

  ! Without a name: the innermost section.
  subroutine ptrace_end(name)
    character(*), intent(in), optional :: name
    integer(c_intptr_t) :: address

    address = found(end_at, 'libptrace_end')
    if (address /= 0) call call_named(address, name)
  end subroutine ptrace_end

  ! Without a name: no phase from now on.
  subroutine ptrace_phase(name)
    character(*), intent(in), optional :: name
    integer(c_intptr_t) :: address

    address = found(phase_at, 'libptrace_phase')
    if (address /= 0) call call_named(address, name)
  end subroutine ptrace_phase

  subroutine mark_64(name, number)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: number
    character(kind=c_char), target :: text(text_most + 1)
    procedure(call_of_value), pointer :: there
    integer(c_intptr_t) :: address

    address = found(mark_at, 'libptrace_mark')
    if (address == 0) return
    call c_f_procpointer(transfer(address, c_null_funptr), there)
    call make_text(name, text)
    call there(c_loc(text), number)
  end subroutine mark_64

  subroutine mark_32(name, number)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: number

    call mark_64(name, int(number, c_int64_t))
  end subroutine mark_32

  ! address: c_loc() of a target; bytes: its length, as of c_sizeof().
  subroutine ptrace_name(address, bytes, name)
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: bytes
    character(*), intent(in) :: name
    character(kind=c_char), target :: text(text_most + 1)
    procedure(call_of_memory), pointer :: there
    integer(c_intptr_t) :: at

    at = found(name_at, 'libptrace_name')
    if (at == 0) return
    call c_f_procpointer(transfer(at, c_null_funptr), there)
    call make_text(name, text)
    call there(address, bytes, c_loc(text))
  end subroutine ptrace_name

  ! 0; -1, and times as they are, without the profiler.
  function ptrace_times(times) result(status)
    type(ptrace_time), intent(inout) :: times
    integer :: status
    procedure(call_of_times), pointer :: there
    integer(c_intptr_t) :: address

    status = -1
    address = found(times_at, 'libptrace_times')
    if (address == 0) return
    call c_f_procpointer(transfer(address, c_null_funptr), there)
    times = ptrace_time()
    times%bytes = int(c_sizeof(times), c_int64_t)
    status = int(there(times))
  end function ptrace_times

end module ptrace
