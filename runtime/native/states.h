/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file in which a campaign's processes count the states that they saw at chosen points
 * (lib/campaign/StatePass.h): a hash table that all of them map, and the driver
 * (lib/campaign/StateTable.h). Plain C, included by both.
 *
 * An entry is taken once and then only counted. A process that is killed while it fills one in
 * leaves it FATHOM_STATE_BUSY for ever: it is skipped. Two that fill in the same state at the same
 * time make two entries, which the reader adds.
 *
 * Paths are states of a point of their own: (hash of the sides of branches that were taken so far,
 * branch, side). The hash is the engine's of a path (explore::traceStep), so each entry is an edge
 * of the tree of all paths.
 */
#ifndef FATHOM_NATIVE_STATES_H
#define FATHOM_NATIVE_STATES_H

#define FATHOM_STATES_MAGIC 0x3161746548746146ul /* "FatHeta1" */
#define FATHOM_STATE_VALUES 8                    /* variables of one state, at most */
#define FATHOM_PATH_SIDES 8192                   /* of one execution, at most */
#define FATHOM_PATH_SEED 0xcbf29ce484222325ul    /* explore::kTraceSeed */
#define FATHOM_STATE_PROBES 64                   /* entries that are looked at for one state */

enum { FATHOM_STATE_FREE = 0, FATHOM_STATE_BUSY = 1 }; /* other keys: hashes */

struct fathom_state {
  unsigned long key;
  unsigned point, count; /* of values */
  long values[FATHOM_STATE_VALUES];
  unsigned long times;
};

struct fathom_states {
  unsigned long magic;
  unsigned long bytes;   /* of the whole file */
  unsigned long entries; /* a power of two */
  unsigned long points;  /* of the program */
  unsigned long dropped; /* states that found no place */
  unsigned long paths;   /* entries that are edges of paths: at most half of all */
  unsigned long reserved[2];
  struct fathom_state states[];
};

#endif
