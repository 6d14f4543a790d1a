/* SPDX-License-Identifier: MIT */
/* Forks within MPI calls, in functions of the program that MPI calls back: of a reduction, of an
 * attribute, of a request of the program's own, of an error. Both processes come back from the
 * call; the child then ends. Argument: fork, or clone, without libc's knowledge. */
#include "mpi_truth.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_STATUS = 9 };

static bool is_raw, is_child;
static pid_t child;

static void fork_here(void)
{
	child = is_raw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
	is_child = child == 0;
}

/* After a call that has forked. */
static void part(const char *what)
{
	int status = 0;

	if (is_child)
		_exit(CHILD_STATUS);
	check(child > 0 && waitpid(child, &status, 0) == child, "a child");
	check(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_STATUS, what);
	child = 0;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
	fork_here();
}

static void in_reductions(void)
{
	int one = 1, two = 2;
	MPI_Op op;

	CALL(Op_create, 0, 0, add, 1, &op);
	CALL(Reduce_local, 0, 0, &one, &two, 1, MPI_INT, op);
	part("the child of MPI_Reduce_local");
	CALL(Op_free, 0, 0, &op);
}

static int copy(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
	(void)comm;
	(void)key;
	(void)state;
	*(void **)out = in;
	*flag = 1;
	fork_here();
	return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int key, void *value, void *state)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)state;
	fork_here();
	return MPI_SUCCESS;
}

static void in_attributes(void)
{
	MPI_Comm first, second;
	int key, value = 5;

	CALL(Comm_create_keyval, 0, 0, copy, forget, &key, NULL);
	CALL(Comm_dup, 0, 0, MPI_COMM_SELF, &first);
	CALL(Comm_set_attr, 0, 0, first, key, &value);
	CALL(Comm_dup, 0, 0, first, &second);
	part("the child of MPI_Comm_dup");
	CALL(Comm_free, 0, 0, &second);
	part("the child of MPI_Comm_free");
	CALL(Comm_delete_attr, 0, 0, first, key);
	part("the child of MPI_Comm_delete_attr");
	CALL(Comm_free, 0, 0, &first);
	CALL(Comm_free_keyval, 0, 0, &key);
}

static int query(void *state, MPI_Status *status)
{
	(void)state;
	MPI_Status_set_elements(status, MPI_INT, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	fork_here();
	return MPI_SUCCESS;
}

static int release(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancel(void *state, int is_complete)
{
	(void)state;
	(void)is_complete;
	return MPI_SUCCESS;
}

static MPI_Request own_request(void)
{
	MPI_Request request;

	CALL(Grequest_start, 0, 0, query, release, cancel, NULL, &request);
	CALL(Grequest_complete, 0, 0, request);
	return request;
}

static void in_completions(void)
{
	MPI_Request request = own_request();
	int flag = 0, index = -1;

	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	part("the child of MPI_Wait");
	request = own_request();
	CALL(Waitall, 0, 0, 1, &request, MPI_STATUSES_IGNORE);
	part("the child of MPI_Waitall");
	request = own_request();
	CALL(Test, 0, 0, &request, &flag, MPI_STATUS_IGNORE);
	part("the child of MPI_Test");
	request = own_request();
	CALL(Waitany, 0, 0, 1, &request, &index, MPI_STATUS_IGNORE);
	part("the child of MPI_Waitany");
}

static void complain(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	fork_here();
}

static void in_errors(void)
{
	MPI_Errhandler handler;
	int value = 0;

	CALL(Comm_create_errhandler, 0, 0, complain, &handler);
	CALL(Comm_set_errhandler, 0, 0, MPI_COMM_SELF, handler);
	CALL(Comm_call_errhandler, 0, 0, MPI_COMM_SELF, MPI_ERR_OTHER);
	part("the child of MPI_Comm_call_errhandler");
	check(MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_SELF) != MPI_SUCCESS, "an error");
	account("MPI_Send", 1, 0, 0, 0);
	part("the child of MPI_Send to nobody");
	CALL(Comm_set_errhandler, 0, 0, MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
	CALL(Errhandler_free, 0, 0, &handler);
}

int main(int count, char **arguments)
{
	begin();
	is_raw = count > 1 && !strcmp(arguments[1], "clone");
	in_reductions();
	in_attributes();
	in_completions();
	in_errors();
	return end();
}
