/* SPDX-License-Identifier: MIT */
/* The header line of a section's CSV, used if there are no rows to take it from. With rows the line
 * is the same: a test compares the two. For sections.def only. */
#pragma once

#include "preload/file/schema_sums.h"
#include "preload/file/vocabulary.h"

#define COLUMN_OF_SUM(type, name, unit, shown, meaning) #shown ","
/* clang-format off */
#define COLUMN_OF_CAUSE(name, class, text) ",waits." text
#define COLUMNS_OF_PAIRS                   "name,value"
#define COLUMNS_OF_TEXTS                   "text"
#define COLUMNS_OF_THREADS                                                                         \
	"rank,pid,sequence,tid,name,role,lives,elapsed_seconds,user_seconds,system_seconds,"       \
	"cpu_seconds,user_system_grade,ready_seconds,blocked_seconds,idle_seconds,"                \
	"blocked_grade,"                                                                           \
	SUMS_OF_threads(COLUMN_OF_SUM)                                                             \
	"unlocks" CAUSE_LIST(COLUMN_OF_CAUSE)
#define COLUMNS_OF_SYNCHRONIZATION                                                                 \
	"kind,object,name,created_at,members,operation,count,contended,wait_seconds,"              \
	"wait_max_seconds,reacquire_seconds,spurious,wakes,futile,futile_seconds,"                 \
	SUMS_OF_any_wait(COLUMN_OF_SUM)                                                            \
	"measured,blame_grade,processes,waiters,blame,cause"
#define COLUMNS_OF_WAITS                                                                           \
	"kind,name,operation,count,wait_seconds,p50_seconds,p50_low_seconds,p50_high_seconds,"     \
	"p50_grade,p90_seconds,p90_low_seconds,p90_high_seconds,p90_grade,p99_seconds,"            \
	"p99_low_seconds,p99_high_seconds,p99_grade,longest_seconds,grade,lengths"
#define COLUMNS_OF_IO                                                                              \
	"kind,name,created_at,members,operation,direction,processes,count,bytes,failed,"           \
	"bytes_per_call,bytes_per_second,waits,wait_seconds,wait_mean_seconds,wait_max_seconds,"   \
	"callers,waiters"
#define COLUMNS_OF_PIPELINES                                                                       \
	"pipeline,host,pid,sequence,command,threads,is_slow,elapsed_seconds,busy_seconds,"         \
	"busy_percent,ready_seconds,ready_percent,read_wait_seconds,read_wait_percent,"            \
	"write_wait_seconds,write_wait_percent,events_seconds,events_percent,outside_seconds,"     \
	"outside_percent,other_seconds,other_percent,grade,waited_for_seconds"
#define COLUMNS_OF_CONNECTIONS                                                                     \
	"pipeline,kind,name,from,to,writers,readers,writes,bytes_written,write_waits,"             \
	"write_wait_seconds,write_wait_percent,reads,bytes_read,read_waits,read_wait_seconds,"     \
	"read_wait_percent"
#define COLUMNS_OF_SPREAD                                                                          \
	"threads,min_seconds,mean_seconds,max_seconds,stddev_seconds,min_at,max_at"
#define COLUMNS_OF_ROUTINES                                                                        \
	"name,module,file,line,calls,samples,self_seconds,self_percent,error_percent,"             \
	"total_seconds,elapsed_seconds,alone_seconds,total_elapsed_seconds,total_alone_seconds,"   \
	"elapsed_self_seconds,elapsed_total_seconds,average_concurrency," COLUMNS_OF_SPREAD        \
	",grade"
#define COLUMNS_OF_TREE                                                                            \
	"row,parent,depth,levels,routine,module,total_seconds,total_percent,self_seconds,"                \
	"folded_seconds,folded_calls,is_recursive,is_inferred"
#define COLUMNS_OF_CALLS                                                                           \
	"name,module,file,line,calls,sequential,concurrent,open,untimed,unmatched,self_seconds,"   \
	"total_seconds,call_seconds,threads_started,started_seconds,grade,sequential_grade"
#define COLUMNS_OF_LINES                                                                           \
	"routine,module,file,line,first_line,last_line,samples,self_seconds,self_percent,"         \
	"error_percent,total_seconds,"                                                             \
	"elapsed_seconds,alone_seconds," COLUMNS_OF_SPREAD ",values,values_left_out,waits,"        \
	"wait_seconds,wait_percent,openmp_wait_seconds,mpi_calls,mpi_seconds,mpi_percent,blame_seconds,blame_percent,"       \
	"spent_seconds,grade"
#define COLUMNS_OF_SOURCE COLUMNS_OF_LINES ",text,is_fitting"
#define COLUMNS_OF_OPENMP                                                                          \
	"routine,file,line,kind,parent,count,team,team_min,team_max,elapsed_seconds,min_seconds,"  \
	"max_seconds,under_way_seconds,team_elapsed_seconds,fork_seconds,work_seconds,"            \
	"work_min_seconds,work_mean_seconds,work_max_seconds,work_max_thread,wait_seconds,"        \
	"barrier_seconds,join_seconds,lock_seconds,task_wait_seconds,order_wait_seconds,"          \
	"scheduling_seconds,scheduling_grade,imbalance_seconds,imbalance_percent,gain_seconds,"    \
	"missing_members,advice,threads,constructs,tasks"
#define COLUMNS_OF_MPI_FIGURES                                                                     \
	"percent,count,seconds,shortest_seconds,longest_seconds,"                                  \
	SUMS_OF_mpi_calls(COLUMN_OF_SUM)                                                           \
	"overlap,min_seconds,mean_seconds,max_seconds,max_rank,ranks,cov"
#define COLUMNS_OF_MPI_CALLS "call," COLUMNS_OF_MPI_FIGURES
#define COLUMNS_OF_MPI_SIZES "call,messages,sizes"
#define COLUMNS_OF_MPI_SITES "call,routine,file,line," COLUMNS_OF_MPI_FIGURES
#define COLUMNS_OF_RANKS                                                                           \
	"rank,size,host,pid,status,library,units,useful_seconds,useful_grade,mpi_seconds,"         \
	"wait_seconds,ready_seconds,cpu_seconds,elapsed_seconds,outlier,finalized,job"
#define COLUMNS_OF_COLLECTIVES "call,communicator_size,count,recorded,lost_seconds,late,grade"
#define COLUMNS_OF_PEERS "rank,peer," SUMS_OF_mpi_peers(COLUMN_OF_SUM) "job"
#define COLUMNS_OF_COUNTERS                                                                        \
	"by,where,module,file,line,name,unit,value,alone,company,total,samples,error_percent,"     \
	"grade,reason"
#define COLUMNS_OF_STUCK                                                                           \
	"rank,host,pid,tid,name,state,cause,call,object,wait_seconds,place,whom,others,source,"    \
	"certain,verdict"
#define COLUMNS_OF_PROCESSES                                                                       \
	"rank,host,pid,sequence,parent_pid,command,executable,status,complete,elapsed_seconds,"    \
	"profiler_start_seconds,cpu_seconds,executing_seconds,sequential_seconds,threads,"   \
	"memory_peak_bytes,read_bytes,written_bytes"
#define COLUMNS_OF_FINDINGS                                                                        \
	"id,kind,title,severity_percent,elapsed_seconds,elapsed_percent,grade,evidence,where,"     \
	"spread,advice,threshold_percent,threshold_reason"
/* clang-format on */
