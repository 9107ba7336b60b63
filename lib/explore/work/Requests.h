// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whom to ask for paths when some workers have none. Independent of processes and messages, so that
// bench/workers/simulate.py can follow it for numbers of workers that no machine here has.
#ifndef FATHOM_EXPLORE_WORK_REQUESTS_H
#define FATHOM_EXPLORE_WORK_REQUESTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::explore {

struct Giver {
  size_t worker = 0; ///< its number
  uint64_t live = 0; ///< states that it has, as far as is known
};

struct Request {
  size_t worker = 0;
  uint64_t most = 0; ///< paths that it should give; it keeps at least half of what it has
};

/// One request for each of `idle` workers, to those that have most. Where fewer can be asked than
/// are idle, each of them is asked for as much more: after a start with one path, the number of
/// workers that have some would otherwise only double with every round of messages. `share`: what
/// one idle worker should get. Linear in the number of givers, but for sorting.
std::vector<Request> requestsFor(std::vector<Giver> givers, size_t idle, uint64_t share);

} // namespace fathom::explore
#endif
