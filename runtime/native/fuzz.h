/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file in which a campaign's fork servers leave what executions covered: mapped shared by all
 * of them and by the driver (lib/campaign/UnitMaps.h), so that it survives whichever is killed.
 * Plain C, included by both.
 *
 *   header | slot 0: header, maps of the last units | slot 1 | ...
 *
 * Every fork server has a slot of its own, in which no other process writes maps: for each of the
 * last FATHOM_UNITS_KEPT units two maps, the unions of those of its executions, one for afl-fuzz's
 * fuzzing stages and one for all other stages. An execution belongs to the unit in which it began.
 * The driver stores a unit when no slot can still write to it, and clears its maps; a fork server
 * that is so far ahead that it would need the place waits.
 *
 * Units are of time (the driver counts `unit` up) or of executions (the unit is `numbered`, taken
 * before an execution of a fuzzing stage, divided by unitExecutions).
 *
 * In which stage an instance of afl-fuzz is, it writes into `stages` before every execution
 * (runtime/afl/stages.c).
 */
#ifndef FATHOM_NATIVE_FUZZ_H
#define FATHOM_NATIVE_FUZZ_H

#define FATHOM_UNITS_MAGIC 0x32736e5568746146ul /* "FathUns2" */
#define FATHOM_UNITS_KEPT 16
#define FATHOM_SLOT_IDLE (~0ul)
#define FATHOM_INSTANCES 64 /* of afl-fuzz, at most */

/* What afl-fuzz executes an input for. An unknown stage is taken for a fuzzing stage. */
enum fathom_stage {
  FATHOM_STAGE_UNKNOWN,     /* afl-fuzz has not said it */
  FATHOM_STAGE_FUZZING,     /* an input that it has made: havoc, splice, deterministic steps */
  FATHOM_STAGE_CALIBRATION, /* an input of the queue again, to see whether it always does the same
                             */
  FATHOM_STAGE_TRIMMING,    /* a part of an input */
  FATHOM_STAGE_COMPARISONS, /* comparison log: colorization, input-to-state */
  FATHOM_STAGE_SYNC,        /* an input of another instance */
  FATHOM_STAGES
};
#define FATHOM_STAGE_IS_FUZZING(stage) ((stage) <= FATHOM_STAGE_FUZZING)
#define FATHOM_MAP_GROUPS 2 /* of stages: 0 fuzzing, 1 apart */

struct fathom_units {
  unsigned long magic;
  unsigned long bytes; /* of the whole file */
  unsigned long slots;
  unsigned long counters;        /* of the program's map */
  unsigned long mapBytes;        /* counters, rounded up to cache lines */
  unsigned long unitExecutions;  /* 0: units of time */
  unsigned long mostExecutions;  /* of the campaign; 0: no bound */
  unsigned long unit;            /* units of time: the one that runs */
  unsigned long stored;          /* all units before this one are stored */
  unsigned long unitNanoseconds; /* units of time: how much of the one that runs is over */
  unsigned long started;         /* executions of all stages */
  unsigned long numbered;        /* executions of fuzzing stages */
  unsigned long reserved[4];
  struct {
    unsigned long stage, reserved[7]; /* a cache line each */
  } stages[FATHOM_INSTANCES];
};

struct fathom_slot {
  unsigned long pid;      /* of the fork server; 0: free */
  unsigned long busyFrom; /* it may write to this unit or later ones, or FATHOM_SLOT_IDLE */
  unsigned long reserved[6];
  /* That have ended, by unit modulo kept. */
  unsigned long executions[FATHOM_UNITS_KEPT][FATHOM_STAGES];
  unsigned char maps[]; /* by unit modulo kept and group */
};

#define FATHOM_SLOT_BYTES(mapBytes)                                                                \
  (sizeof(struct fathom_slot) + (unsigned long)FATHOM_UNITS_KEPT * FATHOM_MAP_GROUPS * (mapBytes))
#define FATHOM_SLOT_MAP(slot, place, group, mapBytes)                                              \
  ((slot)->maps + ((place) * FATHOM_MAP_GROUPS + (group)) * (mapBytes))

#endif
