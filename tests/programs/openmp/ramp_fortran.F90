! SPDX-License-Identifier: MIT
! ramp.c in Fortran: a static loop whose iteration i costs i units of CPU time. Known: which iterations
! each thread gets, thus the exact share of each, and what the region loses at its closing barrier.
module truth
  use iso_c_binding
  implicit none

  type, bind(C) :: region_run
    type(c_ptr) :: region
    real(c_double) :: started
  end type

  type, bind(C) :: stretch
    real(c_double) :: cpu, elapsed
  end type

  interface
    subroutine region_begin(run, routine, line) bind(C, name="region_of_fortran")
      import
      type(region_run), intent(out) :: run
      type(c_ptr), value :: routine
      integer(c_int), value :: line
    end subroutine
    subroutine region_end(run) bind(C, name="end_region_of_fortran")
      import
      type(region_run), intent(in) :: run
    end subroutine
    subroutine stretch_begin(mine) bind(C, name="begin_stretch_of_fortran")
      import
      type(stretch), intent(out) :: mine
    end subroutine
    subroutine stretch_end(run, mine) bind(C, name="end_stretch_of_fortran")
      import
      type(region_run), intent(in) :: run
      type(stretch), intent(in) :: mine
    end subroutine
    subroutine burn(seconds) bind(C, name="burn_of_fortran")
      import
      real(c_double), value :: seconds
    end subroutine
    subroutine fact(name, number, value) bind(C, name="fact_of_fortran")
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: number
      real(c_double), value :: value
    end subroutine
    subroutine counted(construct, count) bind(C, name="count_of_fortran")
      import
      type(c_ptr), value :: construct
      integer(c_int), value :: count
    end subroutine
    subroutine check(is_right, what) bind(C, name="check_of_fortran")
      import
      integer(c_int), value :: is_right
      character(kind=c_char), intent(in) :: what(*)
    end subroutine
    function work(thread) bind(C, name="work_of_fortran")
      import
      integer(c_int), value :: thread
      real(c_double) :: work
    end function
    function end_truth() bind(C, name="end_of_fortran")
      import
      integer(c_int) :: end_truth
    end function
  end interface
end module

module ramps
  use omp_lib
  use truth
  implicit none

  integer, parameter :: iterations = 120, executions = 6
  real(c_double), parameter :: unit = 10d-6
  ! Names that outlive the call: the truth keeps them.
  character(kind=c_char, len=5), target, save :: routine_name = "ramp" // c_null_char
  character(kind=c_char, len=4), target, save :: for_name = "for" // c_null_char
  integer, save :: done(0:15) = 0

contains

  subroutine ramp()
    type(region_run) :: run
    type(stretch) :: mine
    integer :: i

    call region_begin(run, c_loc(routine_name), __LINE__ + 1)
    !$omp parallel private(mine)
    call stretch_begin(mine)
    !$omp do schedule(static)
    do i = 1, iterations
      call burn(i * unit)
      done(omp_get_thread_num()) = done(omp_get_thread_num()) + 1
    end do
    !$omp end do nowait
    call stretch_end(run, mine)
    !$omp end parallel
    call region_end(run)
  end subroutine

  ! Units of the block of that length that begins after iteration `before`.
  pure real(c_double) function units(before, length)
    integer, intent(in) :: before, length
    units = real(length, c_double) * before + 0.5d0 * length * (length + 1)
  end function

  ! The first threads get one iteration more where the team does not divide them.
  subroutine tell_shares(team)
    integer, intent(in) :: team
    integer :: thread, length, before
    real(c_double) :: share, most

    before = 0
    most = 0
    do thread = 0, team - 1
      length = iterations / team + merge(1, 0, thread < mod(iterations, team))
      share = units(before, length)
      call fact("work" // c_null_char, thread, share * unit * executions)
      call check(merge(1, 0, done(thread) == length * executions), "a thread's iterations" // c_null_char)
      call check(merge(1, 0, work(thread) >= share * unit * executions), "its work" // c_null_char)
      most = max(most, share)
      before = before + length
    end do
    call fact("imbalance_percent" // c_null_char, -1, 100 * (1 - units(0, iterations) / (team * most)))
  end subroutine
end module

program ramp_fortran
  use ramps
  implicit none
  integer :: i

  do i = 1, executions
    call ramp()
  end do
  call tell_shares(omp_get_max_threads())
  call fact("iterations" // c_null_char, -1, real(iterations, c_double))
  call counted(c_loc(for_name), executions * omp_get_max_threads())
  if (end_truth() /= 0) error stop 1
end program
