// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/SeedFolder.h"

#include "report/SeedFiles.h"
#include "run/Failure.h"
#include "support/NumberText.h"

#include <fmt/format.h>

namespace fathom::run {

llvm::Expected<std::vector<explore::Seed>> seedsIn(const std::string &folder, Session &session) {
  std::vector<explore::Seed> out;
  if (folder.empty()) return out;
  size_t skipped = 0;
  llvm::Expected<std::vector<explore::Seed>> seeds = report::readSeeds(folder, skipped);
  if (!seeds) return usageError("--seeds: " + llvm::toString(seeds.takeError()));
  out = std::move(*seeds);
  session.observer.note(fmt::format("{} from {}", counted(out.size(), "seed"), folder));
  if (skipped)
    session.observer.warn(
        fmt::format("--seeds: skipped {} larger than 1 MB", counted(skipped, "file")));
  return out;
}

} // namespace fathom::run
