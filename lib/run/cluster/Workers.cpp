// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/cluster/Workers.h"

#include "native/Process.h"
#include "native/Sbatch.h"
#include "report/Files.h"
#include "report/Version.h"
#include "run/Failure.h"
#include "run/HashFile.h"
#include "run/Installation.h"
#include "support/OwnFile.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace fathom::run {

namespace {

constexpr size_t kLeastKey = 16, kMostKey = 256;
constexpr unsigned kMaxClusterWorkers = 10000;

} // namespace

llvm::Error checkCluster(const ClusterOptions &options) {
  const bool starts = options.starts != Cluster::None;
  if (!options.listen.empty() && !native::endpointFrom(options.listen))
    return usageError(fmt::format("--listen {}: expected HOST:PORT, the name of this machine for "
                                  "workers and a number; 0: a free one",
                                  options.listen));
  if (!options.listen.empty() && !starts && options.key.empty())
    return usageError("--listen: needs --key FILE");
  if (!options.key.empty() && !options.any())
    return usageError("--key: only with --listen or --cluster");
  if (starts && (!options.workers || options.workers > kMaxClusterWorkers))
    return usageError(fmt::format("--cluster slurm: needs --cluster-workers N, from 1 to {}",
                                  kMaxClusterWorkers));
  if (!starts && options.workers) return usageError("--cluster-workers: only with --cluster slurm");
  if (!starts && !options.sbatchOptions.empty())
    return usageError("--sbatch-options: only with --cluster slurm");
  return llvm::Error::success();
}

std::string buildName() {
  llvm::BLAKE3 hash;
  const bool isKnown = hashFile(hash, ownFile());
  const auto digest = hash.final<8>();
  return fmt::format("fathom {}, build {}", report::kVersion,
                     isKnown ? llvm::toHex(digest, /*LowerCase=*/true) : "unknown");
}

llvm::Expected<std::string> workerKey(const std::string &file) {
  std::string key, name = fmt::format("--key {}", file);
  if (file.empty()) {
    const char *value = getenv(kKeyVariable);
    if (!value)
      return usageError(fmt::format("expected --key FILE, or the key in {}", kKeyVariable));
    key = value;
    name = kKeyVariable;
  } else {
    llvm::Expected<std::string> text = asUsage(report::readFile(file));
    if (!text) return text.takeError();
    key = llvm::StringRef(*text).trim().str();
  }
  if (key.size() < kLeastKey || key.size() > kMostKey ||
      !std::ranges::all_of(key, [](char c) { return c > ' ' && c < 127; }))
    return usageError(fmt::format("{}: expected {} to {} printable characters without spaces, such "
                                  "as head -c 32 /dev/urandom | base64 makes them",
                                  name, kLeastKey, kMostKey));
  return key;
}

llvm::Expected<std::unique_ptr<Workers>> Workers::open(const ClusterOptions &options,
                                                       Session &session) {
  std::unique_ptr<Workers> out(new Workers(options, session));
  if (options.starts == Cluster::Slurm) {
    out->sbatch_ = native::findProgram("sbatch");
    out->scancel_ = native::findProgram("scancel");
    if (out->sbatch_.empty() || out->scancel_.empty())
      return usageError("--cluster slurm: sbatch or scancel is not installed; Debian has them in "
                        "the package slurm-client");
  }
  if (options.key.empty()) {
    out->key_ = llvm::toHex(explore::makeNonce(), /*LowerCase=*/true);
  } else {
    llvm::Expected<std::string> key = workerKey(options.key);
    if (!key) return key.takeError();
    out->key_ = std::move(*key);
  }
  const native::Endpoint at =
      options.listen.empty() ? native::Endpoint{"", "0"} : *native::endpointFrom(options.listen);
  std::string error;
  auto say = [&session](const std::string &line) { session.observer.warn(line); };
  out->door_ = explore::RemoteWorkers::listen(at, buildName(), out->key_, say, error);
  if (!out->door_)
    return usageError(fmt::format("--listen {}: {}", at.host.empty() ? "*:0" : at.text(), error));
  session.observer.announce(fmt::format("workers connect to {}", out->door_->address().text()));
  return out;
}

llvm::Error Workers::start() {
  if (options_.starts != Cluster::Slurm) return llvm::Error::success();
  const std::string command =
      fmt::format("exec {} worker --connect {}", native::shellQuoted(Installation::get().fathom),
                  native::shellQuoted(door_->address().text()));
  for (size_t first = 0; first < options_.workers; first += native::kSlurmArray) {
    const size_t count = std::min<size_t>(native::kSlurmArray, options_.workers - first);
    native::Submission submission;
    submission.sbatch = sbatch_;
    // What is given twice counts as it is given last.
    submission.options =
        "--job-name=fathom-worker --ntasks=1 --cpus-per-task=1 --output=/dev/null " +
        options_.sbatchOptions;
    submission.arguments = {fmt::format("--array=1-{}", count), "--wrap=" + command};
    submission.environment = {fmt::format("{}={}", kKeyVariable, key_)};
    llvm::Expected<std::string> job = asUsage(native::submit(submission));
    if (!job) return job.takeError();
    jobs_.push_back(std::move(*job));
  }
  session_.observer.announce(fmt::format("submitted {} workers to Slurm as job {}",
                                         options_.workers, fmt::join(jobs_, ", ")));
  return llvm::Error::success();
}

Workers::~Workers() {
  if (jobs_.empty()) return;
  if (llvm::Error e = native::cancel(scancel_, jobs_))
    session_.observer.warn(llvm::toString(std::move(e)));
}

} // namespace fathom::run
