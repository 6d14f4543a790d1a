! SPDX-License-Identifier: MIT
! Each call of module ptrace; prints what ptrace_times() said.
program section_doors
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_loc, c_size_t
  use ptrace
  implicit none
  type(ptrace_time) :: times
  real, target :: field(16)
  character(300) :: long
  character(20) :: padded
  integer :: step

  long = repeat('x', 300)
  padded = 'padded name'
  call ptrace_phase('read')
  call ptrace_name(c_loc(field), 64_c_size_t, 'table')
  do step = 1, 2
     call ptrace_begin('solve')
     call ptrace_mark('step', -step)
     call ptrace_begin(padded)
     call ptrace_end()
     call ptrace_end('solve')
  end do
  call ptrace_mark(long, 5000000000_c_int64_t)
  call ptrace_phase()
  if (ptrace_times(times) /= 0) then
     print '(A)', 'alone'
  else
     print '(I0,3(1X,I0))', times%bytes, times%elapsed_ns, times%wait_ns(2), times%level_ns(ptrace_levels)
  end if
end program section_doors
