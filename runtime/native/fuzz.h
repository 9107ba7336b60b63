/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file in which a campaign's fork servers leave what executions covered: mapped shared by all
 * of them and by the driver (lib/campaign/UnitMaps.h), so that it survives whichever is killed.
 * Plain C, included by both.
 *
 *   header | slot 0: header, maps of the last units | slot 1 | ...
 *
 * Every fork server has a slot of its own, in which nobody else writes maps: for each of the last
 * FATHOM_UNITS_KEPT units one map, the union of those of its executions. An execution belongs to
 * the unit in which it began. The driver stores a unit when no slot can still write to it, and
 * clears its maps; a fork server that is so far ahead that it would need the place waits.
 *
 * Units are of time (the driver counts `unit` up) or of executions (the unit is `started`, taken
 * before the execution, divided by unitExecutions).
 */
#ifndef FATHOM_NATIVE_FUZZ_H
#define FATHOM_NATIVE_FUZZ_H

#define FATHOM_UNITS_MAGIC 0x31736e5568746146ul /* "FathUns1" */
#define FATHOM_UNITS_KEPT 16
#define FATHOM_SLOT_IDLE (~0ul)

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
  unsigned long started;         /* executions */
  unsigned long reserved[5];
};

struct fathom_slot {
  unsigned long pid;      /* of the fork server; 0: free */
  unsigned long busyFrom; /* it may write to this unit or later ones, or FATHOM_SLOT_IDLE */
  unsigned long reserved[6];
  unsigned long executions[FATHOM_UNITS_KEPT]; /* that have ended, by unit modulo kept */
  unsigned char maps[];                        /* FATHOM_UNITS_KEPT times mapBytes */
};

#define FATHOM_SLOT_BYTES(mapBytes) (sizeof(struct fathom_slot) + FATHOM_UNITS_KEPT * (mapBytes))

#endif
