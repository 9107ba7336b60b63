// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Program.h>

#include "api/Convert.h"
#include "api/SessionAdapter.h"
#include "run/explore/LoadExplored.h"
#include "run/InputFiles.h"

#include <algorithm>

namespace fathom::api {

Result<Program> load(const std::vector<std::string> &files, const Session &session) {
  if (files.empty()) return usageError("no program given");
  if (llvm::Error e = run::requireRegularPrograms(files)) return toApiError(std::move(e));
  SessionAdapter adapter(session);
  llvm::Expected<program::Program> read =
      run::loadExplored(files, explore::ExploreOptions(), /*mayBeLibrary=*/true, adapter.session());
  if (!read) return toApiError(read.takeError());
  Program out;
  out.files = files;
  out.executable = run::nativeProgram(files);
  out.branches = read->ownBranches;
  for (const program::FunctionCode &f : read->functions) {
    if (!f.own) continue;
    const bool isPlaced = f.declLine && f.file < read->files.size();
    out.functions.push_back({f.name, isPlaced ? read->files[f.file] : "", f.declLine});
  }
  std::ranges::sort(out.functions, {}, &Function::name);
  return out;
}

} // namespace fathom::api
