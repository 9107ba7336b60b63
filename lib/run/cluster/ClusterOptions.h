// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_CLUSTER_CLUSTEROPTIONS_H
#define FATHOM_RUN_CLUSTER_CLUSTEROPTIONS_H

#include <cstdint>
#include <string>

namespace fathom::run {

enum class Cluster : uint8_t { None, Slurm };

/// Workers of other machines.
struct ClusterOptions {
  std::string listen; ///< HOST:PORT; "": with a cluster, this machine's name and a free port
  std::string key;    ///< a file; "": with a cluster, one is made
  Cluster starts = Cluster::None; ///< who starts workers; None: the user
  unsigned workers = 0;           ///< that are started
  std::string sbatchOptions;      ///< as for a shell

  bool any() const { return !listen.empty() || starts != Cluster::None; }
};

} // namespace fathom::run
#endif
