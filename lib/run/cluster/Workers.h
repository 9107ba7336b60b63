// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers of other machines, as an activity wants them: where they come in, and who starts them.
#ifndef FATHOM_RUN_CLUSTER_WORKERS_H
#define FATHOM_RUN_CLUSTER_WORKERS_H

#include "explore/work/RemoteWorkers.h"
#include "run/cluster/ClusterOptions.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::run {

/// A UsageError where an option lacks another, or has no meaning.
llvm::Error checkCluster(const ClusterOptions &options);

/// The name by which both sides know this build: path logs are logs of its very decisions.
std::string buildName();
/// The environment variable that has the key where no file is given.
inline constexpr const char *kKeyVariable = "FATHOM_WORKER_KEY";
/// Of a file; or of the environment, if `file` is "". A UsageError: there is none, or it is no key.
llvm::Expected<std::string> workerKey(const std::string &file);

class Workers {
public:
  /// Listens. A UsageError where that fails. `session` outlives this object.
  static llvm::Expected<std::unique_ptr<Workers>> open(const ClusterOptions &options,
                                                       Session &session);
  /// Ends those that it has started.
  ~Workers();
  Workers(const Workers &) = delete;
  Workers &operator=(const Workers &) = delete;

  explore::RemoteWorkers &door() { return *door_; }
  /// Starts workers, if the options say so. They come when the cluster has processors for them.
  /// Those that started before an error are ended.
  llvm::Error start();

private:
  Workers(const ClusterOptions &options, Session &session) : options_(options), session_(session) {}

  const ClusterOptions options_;
  Session &session_;
  std::string key_, sbatch_, scancel_;
  std::unique_ptr<explore::RemoteWorkers> door_;
  std::vector<std::string> jobs_; ///< of Slurm
};

} // namespace fathom::run
#endif
