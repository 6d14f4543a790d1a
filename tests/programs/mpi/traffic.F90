! SPDX-License-Identifier: MIT
! Traffic of two ranks or more, in one of Fortran's bindings: BINDING_mpifh, BINDING_use or BINDING_f08. The program
! tells of each call how many bytes it gives and gets, as the C programs do (mpi_truth.h). The three bindings differ in the
! types of handles and statuses, and in mpi_f08 no call asks for its error code.
#if defined(BINDING_f08)
#define USES use mpi_f08
#define INCLUDES
#define ERR
#define ERR_ALONE
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define FIELD(status, field) status%field
#define COMM_T type(MPI_Comm)
#define REQUEST_T type(MPI_Request)
#define TYPE_T type(MPI_Datatype)
#define WINDOW_T type(MPI_Win)
#define FILE_T type(MPI_File)
#define ERRHANDLER_T type(MPI_Errhandler)
#else
#if defined(BINDING_use)
#define USES use mpi
#define INCLUDES
#else
#define USES
#define INCLUDES include 'mpif.h'
#endif
#define ERR , ierr
#define ERR_ALONE ierr
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define FIELD(status, field) status(field)
#define COMM_T integer
#define REQUEST_T integer
#define TYPE_T integer
#define WINDOW_T integer
#define FILE_T integer
#define ERRHANDLER_T integer
#endif

module truth
	use iso_c_binding
	implicit none
	integer :: rank, ranks, ierr
	integer, parameter :: N = 10, BYTES = 4 * N
	interface
		subroutine truth_begin(rank, ranks) bind(c)
			import
			integer(c_int), value :: rank, ranks
		end subroutine
		subroutine truth_call(name, sent, received) bind(c)
			import
			character(kind=c_char), intent(in) :: name(*)
			integer(c_int), value :: sent, received
		end subroutine
		subroutine truth_sent(peer, bytes) bind(c)
			import
			integer(c_int), value :: peer, bytes
		end subroutine
		subroutine truth_got(peer, bytes) bind(c)
			import
			integer(c_int), value :: peer, bytes
		end subroutine
		subroutine truth_check(is_right, what) bind(c)
			import
			integer(c_int), value :: is_right
			character(kind=c_char), intent(in) :: what(*)
		end subroutine
		integer(c_int) function truth_end_all() bind(c)
			import
		end function
	end interface
contains
	! The call before this line: bytes given, bytes got.
	subroutine told(name, sent, received)
		character(*), intent(in) :: name
		integer, intent(in), optional :: sent, received
		integer :: given, got
		given = 0
		got = 0
		if (present(sent)) given = sent
		if (present(received)) got = received
		call truth_call('MPI_' // name // c_null_char, given, got)
	end subroutine

	subroutine check(is_right, what)
		logical, intent(in) :: is_right
		character(*), intent(in) :: what
		call truth_check(merge(1, 0, is_right), what // c_null_char)
	end subroutine

	! A message each way.
	subroutine both_ways(peer, length)
		integer, intent(in) :: peer, length
		call truth_sent(peer, length)
		call truth_got(peer, length)
	end subroutine
end module

module traffic
	USES
	use truth
	implicit none
	INCLUDES
	integer :: out(N), in(N), next, previous
contains
	subroutine blocking
		STATUS :: status
		integer :: count, tag
		logical :: flag
		if (rank == 0) then
			do tag = 1, 3
				call MPI_Send(out, N, MPI_INTEGER, 1, tag, MPI_COMM_WORLD ERR)
				call told('Send', sent=BYTES)
				call truth_sent(1, BYTES)
			end do
		else if (rank == 1) then
			call MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status ERR)
			call told('Probe')
			call check(FIELD(status,MPI_SOURCE) == 0 .and. FIELD(status,MPI_TAG) == 1, 'the status of MPI_Probe')
			call MPI_Recv(in, N, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status ERR)
			call told('Recv', received=BYTES)
			call check(FIELD(status,MPI_SOURCE) == 0 .and. in(N) == 0, 'the message of MPI_Recv')
			call MPI_Get_count(status, MPI_INTEGER, count ERR)
			call told('Get_count')
			call check(count == N, 'MPI_Get_count')
			call MPI_Recv(in, N, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
			call told('Recv', received=BYTES)
			flag = .false.
			do while (.not. flag)
				call MPI_Iprobe(0, 3, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE ERR)
				call told('Iprobe')
			end do
			call MPI_Recv(in, N, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
			call told('Recv', received=BYTES)
			do tag = 1, 3
				call truth_got(0, BYTES)
			end do
		end if
	end subroutine

	subroutine nobody
		STATUS :: status
		REQUEST_T :: request
		call MPI_Send(out, N, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD ERR)
		call told('Send')
		call MPI_Recv(in, N, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status ERR)
		call told('Recv')
		call check(FIELD(status,MPI_SOURCE) == MPI_PROC_NULL, 'the status of no process')
		call MPI_Irecv(in, N, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, request ERR)
		call told('Irecv')
		call MPI_Wait(request, MPI_STATUS_IGNORE ERR)
		call told('Wait')
	end subroutine

	! One element each with tags from `first` on, to the next rank from the previous one.
	subroutine post(requests, first, count)
		integer, intent(in) :: first, count
		REQUEST_T, intent(out) :: requests(2 * count)
		integer :: i
		do i = 1, count
			call MPI_Irecv(in(i), 1, MPI_INTEGER, previous, first + i, MPI_COMM_WORLD, requests(i) ERR)
			call told('Irecv', received=4)
			call MPI_Isend(out(i), 1, MPI_INTEGER, next, first + i, MPI_COMM_WORLD, requests(count + i) ERR)
			call told('Isend', sent=4)
			call truth_got(previous, 4)
			call truth_sent(next, 4)
		end do
	end subroutine

	subroutine nonblocking
		STATUS :: status
		STATUSES(4) :: several
		REQUEST_T :: requests(4)
		integer :: done, indices(4), ready, index
		logical :: flag
		call post(requests, 10, 1)
		call MPI_Wait(requests(1), status ERR)
		call told('Wait')
		call check(FIELD(status,MPI_SOURCE) == previous .and. in(1) == previous, 'the message of MPI_Irecv')
		call MPI_Wait(requests(2), MPI_STATUS_IGNORE ERR)
		call told('Wait')
		call post(requests, 20, 2)
		call MPI_Waitall(4, requests, several ERR)
		call told('Waitall')
#ifdef BINDING_f08
		call check(several(1)%MPI_SOURCE == previous .and. several(2)%MPI_TAG == 22, 'the statuses of MPI_Waitall')
#else
		call check(several(MPI_SOURCE,1) == previous .and. several(MPI_TAG,2) == 22, 'the statuses of MPI_Waitall')
#endif
		call post(requests, 30, 2)
		call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE ERR)
		call told('Waitall')
		call post(requests, 40, 2)
		ready = 0
		do while (ready < 4)
			call MPI_Waitsome(4, requests, done, indices, several ERR)
			call told('Waitsome')
			ready = ready + done
		end do
		call post(requests, 50, 2)
		flag = .false.
		do while (.not. flag)
			call MPI_Testall(4, requests, flag, MPI_STATUSES_IGNORE ERR)
			call told('Testall')
		end do
		call post(requests, 60, 1)
		do ready = 1, 2
			call MPI_Waitany(2, requests, index, status ERR)
			call told('Waitany')
		end do
		call check(in(1) == previous, 'the message of MPI_Waitany')
	end subroutine

	subroutine there_and_back
		STATUS :: status
		call MPI_Sendrecv(out, N, MPI_INTEGER, next, 1, in, N, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status ERR)
		call told('Sendrecv', BYTES, BYTES)
		call check(FIELD(status,MPI_SOURCE) == previous .and. in(N) == previous, 'MPI_Sendrecv')
		call MPI_Sendrecv_replace(in, N, MPI_INTEGER, previous, 2, next, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
		call told('Sendrecv_replace', BYTES, BYTES)
		call check(in(1) == rank, 'MPI_Sendrecv_replace')
		call truth_sent(next, BYTES)
		call truth_got(previous, BYTES)
		call truth_sent(previous, BYTES)
		call truth_got(next, BYTES)
	end subroutine

	! The bytes of a persistent request are told with the call that made it, at each start.
	subroutine persistent
		REQUEST_T :: requests(2)
		integer :: round
		call MPI_Recv_init(in, N, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, requests(1) ERR)
		call told('Recv_init', received=3 * BYTES)
		call MPI_Send_init(out, N, MPI_INTEGER, next, 3, MPI_COMM_WORLD, requests(2) ERR)
		call told('Send_init', sent=3 * BYTES)
		do round = 1, 3
			if (round == 1) then
				call MPI_Start(requests(1) ERR)
				call told('Start')
				call MPI_Start(requests(2) ERR)
				call told('Start')
			else
				call MPI_Startall(2, requests ERR)
				call told('Startall')
			end if
			call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE ERR)
			call told('Waitall')
			call truth_sent(next, BYTES)
			call truth_got(previous, BYTES)
		end do
		do round = 1, 2
			call MPI_Request_free(requests(round) ERR)
			call told('Request_free')
		end do
	end subroutine

	subroutine collectives
		integer :: sum(N)
		call MPI_Barrier(MPI_COMM_WORLD ERR)
		call told('Barrier')
		sum = rank
		call MPI_Bcast(sum, N, MPI_INTEGER, 1, MPI_COMM_WORLD ERR)
		call told('Bcast', merge(BYTES, 0, rank == 1), merge(0, BYTES, rank == 1))
		call check(sum(N) == 1, 'MPI_Bcast')
		call MPI_Reduce(out, sum, N, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD ERR)
		call told('Reduce', BYTES, merge(BYTES, 0, rank == 0))
		sum = rank
		call MPI_Allreduce(MPI_IN_PLACE, sum, N, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)
		call told('Allreduce', BYTES, BYTES)
		call check(sum(1) == ranks * (ranks - 1) / 2, 'MPI_Allreduce')
	end subroutine

	! Rank r gives r + 1 elements: Open MPI's binding asks for the number of ranks to convert the counts.
	subroutine vectors
		integer :: counts(ranks), places(ranks), same(ranks), to(ranks * (ranks + 1)), from(ranks * ranks), i, total
		total = ranks * (ranks + 1) / 2
		counts = [(i, i = 1, ranks)]
		places = [(i * (i - 1) / 2, i = 1, ranks)]
		from = rank
		call MPI_Allgatherv(from, rank + 1, MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD ERR)
		call told('Allgatherv', 4 * (rank + 1), 4 * total)
		call check(to(total) == ranks - 1, 'MPI_Allgatherv')
		call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD ERR)
		call told('Allgatherv', 0, 4 * total)
		call MPI_Gatherv(from, rank + 1, MPI_INTEGER, to, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD ERR)
		call told('Gatherv', 4 * (rank + 1), merge(4 * total, 0, rank == 0))
		call MPI_Scatterv(to, counts, places, MPI_INTEGER, from, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD ERR)
		call told('Scatterv', merge(4 * total, 0, rank == 0), 4 * (rank + 1))
		same = rank + 1
		call MPI_Alltoallv(from, same, [(0, i = 1, ranks)], MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD ERR)
		call told('Alltoallv', 4 * ranks * (rank + 1), 4 * total)
		to = 1
		call MPI_Reduce_scatter(to, from, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)
		call told('Reduce_scatter', 4 * total, 4 * (rank + 1))
		call check(from(rank + 1) == ranks, 'MPI_Reduce_scatter')
		call many_types(to, from)
	end subroutine

	subroutine many_types(to, from)
		integer, intent(inout) :: to(:), from(:)
		integer :: ones(ranks), places(ranks), i
		TYPE_T :: types(ranks)
		ones = 1
		places = [(4 * i, i = 0, ranks - 1)]
		types = MPI_INTEGER
		call MPI_Alltoallw(from, ones, places, types, to, ones, places, types, MPI_COMM_WORLD ERR)
		call told('Alltoallw', 4 * ranks, 4 * ranks)
	end subroutine

	! Half of the elements of a vector, and a row of a matrix, whose elements lie apart: mpi_f08 of MPICH makes a type of
	! its own for it, other bindings get a copy.
	subroutine derived_types
		TYPE_T :: vector
		integer :: matrix(4, N), length, other, round
		call MPI_Type_vector(N / 2, 1, 2, MPI_INTEGER, vector ERR)
		call told('Type_vector')
		call MPI_Type_commit(vector ERR)
		call told('Type_commit')
		call MPI_Type_size(vector, length ERR)
		call told('Type_size')
		call check(length == BYTES / 2, 'MPI_Type_size')
		matrix = rank
		other = 1 - rank
		do round = 1, 2
			if (rank == 0) then
				call MPI_Send(out, 1, vector, 1, 4, MPI_COMM_WORLD ERR)
				call told('Send', sent=BYTES / 2)
				call MPI_Send(matrix(2, :), N, MPI_INTEGER, 1, 5, MPI_COMM_WORLD ERR)
				call told('Send', sent=BYTES)
				call MPI_Send(matrix(2, ::2), N / 2, MPI_INTEGER, 1, 6, MPI_COMM_WORLD ERR)
				call told('Send', sent=BYTES / 2)
				call truth_sent(1, BYTES / 2)
				call truth_sent(1, BYTES)
				call truth_sent(1, BYTES / 2)
			else if (rank == 1) then
				call MPI_Recv(in, 1, vector, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
				call told('Recv', received=BYTES / 2)
				call MPI_Recv(matrix(3, :), N, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
				call told('Recv', received=BYTES)
				call MPI_Recv(matrix(4, ::2), N / 2, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
				call told('Recv', received=BYTES / 2)
				call check(all(matrix(3, :) == 0) .and. all(matrix(2, :) == 1), 'a row of a matrix')
				call check(matrix(4, 9) == 0 .and. matrix(4, 10) == 1, 'every second element of a row')
				call truth_got(0, BYTES / 2)
				call truth_got(0, BYTES)
				call truth_got(0, BYTES / 2)
			end if
		end do
		call MPI_Type_free(vector ERR)
		call told('Type_free')
	end subroutine

	! 0 and 2 are in one half; peers are ranks of the job.
	subroutine communicators
		COMM_T :: half, copy
		integer :: members
		call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half ERR)
		call told('Comm_split')
		call MPI_Comm_dup(half, copy ERR)
		call told('Comm_dup')
		call MPI_Comm_size(copy, members ERR)
		call told('Comm_size')
		call check(members == merge(1, 2, rank == 1), 'MPI_Comm_split')
		if (rank == 0) then
			call MPI_Send(out, N, MPI_INTEGER, 1, 6, copy ERR)
			call told('Send', sent=BYTES)
			call truth_sent(2, BYTES)
		else if (rank == 2) then
			call MPI_Recv(in, N, MPI_INTEGER, 0, 6, copy, MPI_STATUS_IGNORE ERR)
			call told('Recv', received=BYTES)
			call truth_got(0, BYTES)
		end if
		call MPI_Comm_free(copy ERR)
		call told('Comm_free')
		call MPI_Comm_free(half ERR)
		call told('Comm_free')
	end subroutine

	! The bindings ask for the number of dimensions to convert coordinates.
	subroutine grids
		COMM_T :: grid, line
		integer :: dimensions, mine, at(1)
		call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., grid ERR)
		call told('Cart_create')
		call MPI_Cart_coords(grid, rank, 1, at ERR)
		call told('Cart_coords')
		call MPI_Cart_rank(grid, at, mine ERR)
		call told('Cart_rank')
		call check(mine == rank, 'MPI_Cart_rank')
		call MPI_Cartdim_get(grid, dimensions ERR)
		call told('Cartdim_get')
		call MPI_Cart_sub(grid, [.true.], line ERR)
		call told('Cart_sub')
		call MPI_Comm_free(line ERR)
		call told('Comm_free')
		call MPI_Comm_free(grid ERR)
		call told('Comm_free')
	end subroutine

	subroutine windows
		WINDOW_T :: window
		integer, asynchronous :: memory(2 * N)
		memory = -1
		call MPI_Win_create(memory, int(2 * BYTES, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, window ERR)
		call told('Win_create')
		call MPI_Win_fence(0, window ERR)
		call told('Win_fence')
		call MPI_Put(out, N, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, N, MPI_INTEGER, window ERR)
		call told('Put', sent=BYTES)
		call truth_sent(next, BYTES)
		call MPI_Win_fence(0, window ERR)
		call told('Win_fence')
		call MPI_Get(in, N / 2, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, N / 2, MPI_INTEGER, window ERR)
		call told('Get', received=BYTES / 2)
		call truth_got(next, BYTES / 2)
		call MPI_Win_fence(0, window ERR)
		call told('Win_fence')
		call check(memory(N) == previous .and. memory(N + 1) == -1 .and. in(1) == rank, 'MPI_Put and MPI_Get')
		call MPI_Win_free(window ERR)
		call told('Win_free')
	end subroutine

	subroutine files
		FILE_T :: file
		STATUS :: status
		integer(MPI_OFFSET_KIND) :: place
		integer :: count
		character(4096) :: directory
		call get_environment_variable('SCRATCH', directory)
		if (directory == '') directory = '/tmp'
		call MPI_File_open(MPI_COMM_WORLD, trim(directory) // '/data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file ERR)
		call told('File_open')
		place = rank * BYTES
		call MPI_File_write_at(file, place, out, N, MPI_INTEGER, MPI_STATUS_IGNORE ERR)
		call told('File_write_at', sent=BYTES)
		call MPI_File_read_at(file, place, in, N, MPI_INTEGER, status ERR)
		call told('File_read_at', received=BYTES)
		call MPI_Get_count(status, MPI_INTEGER, count ERR)
		call told('Get_count')
		call check(count == N .and. in(N) == rank, 'MPI_File_read_at')
		call MPI_File_close(file ERR)
		call told('File_close')
	end subroutine

	! What Fortran has functions of its own for, in one library or the other: C's are not called.
	subroutine attributes
		integer(MPI_ADDRESS_KIND) :: value
		integer :: key
		logical :: flag
		TYPE_T :: real_type
		ERRHANDLER_T :: handler
		call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag ERR)
		call told('Comm_get_attr')
		call check(flag .and. value >= 32767, 'the largest tag')
		call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND ERR)
		call told('Comm_create_keyval')
		call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 42_MPI_ADDRESS_KIND ERR)
		call told('Comm_set_attr')
		call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag ERR)
		call told('Comm_get_attr')
		call check(flag .and. value == 42, 'an attribute')
		call MPI_Comm_delete_attr(MPI_COMM_WORLD, key ERR)
		call told('Comm_delete_attr')
		call MPI_Comm_free_keyval(key ERR)
		call told('Comm_free_keyval')
		call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, real_type ERR)
		call told('Type_match_size')
		call MPI_Comm_create_errhandler(on_error, handler ERR)
		call told('Comm_create_errhandler')
		call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler ERR)
		call told('Comm_set_errhandler')
		call MPI_Errhandler_free(handler ERR)
		call told('Errhandler_free')
	end subroutine

	subroutine on_error(comm, code)
		COMM_T :: comm
		integer :: code
		call check(.false., 'no error')
	end subroutine
end module

program main
	use truth
	use traffic
	implicit none
	double precision :: before
#ifdef BINDING_f08
	integer :: provided
	call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided ERR)
	call told('Init_thread')
	call check(provided >= MPI_THREAD_SERIALIZED, 'MPI_THREAD_SERIALIZED is there')
#else
	call MPI_Init(ERR_ALONE)
	call told('Init')
#endif
	before = MPI_Wtime()
	call MPI_Comm_rank(MPI_COMM_WORLD, rank ERR)
	call told('Comm_rank')
	call MPI_Comm_size(MPI_COMM_WORLD, ranks ERR)
	call told('Comm_size')
	call truth_begin(rank, ranks)
	next = mod(rank + 1, ranks)
	previous = mod(rank + ranks - 1, ranks)
	out = rank
	call blocking
	call nobody
	call nonblocking
	call there_and_back
	call persistent
	call collectives
	call vectors
	call derived_types
	call communicators
	call grids
	call windows
	call files
	call attributes
	call check(MPI_Wtime() >= before .and. MPI_Wtick() > 0, 'MPI_Wtime')
	call MPI_Finalize(ERR_ALONE)
	call told('Finalize')
	if (rank == 0) print '(a,i0,a,i0)', 'ranks ', ranks, ', last element ', in(N)
	call exit(truth_end_all())
end program
