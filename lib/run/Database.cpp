// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Database.h"

#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::run {

std::vector<std::string> namesOf(const std::vector<program::DatabaseProgram> &programs) {
  std::vector<std::string> out;
  for (const program::DatabaseProgram &program : programs) out.push_back(program.name);
  return out;
}

llvm::Expected<std::vector<program::DatabaseProgram>>
programsNamed(const program::DatabasePrograms &built, const std::string &target) {
  if (target.empty()) return built.programs;
  std::vector<program::DatabaseProgram> out;
  std::copy_if(built.programs.begin(), built.programs.end(), std::back_inserter(out),
               [&](const auto &program) { return program.name == target; });
  if (out.empty())
    return usageError(fmt::format("--target {}: expected one of {}", target,
                                  fmt::join(namesOf(built.programs), ", ")));
  return out;
}

llvm::Expected<program::DatabasePrograms> buildPrograms(const DatabaseRequest &request,
                                                        Session &session) {
  if (!request.programs.empty())
    return usageError(fmt::format("--compile-commands {}: says which programs there are; leave {} "
                                  "out, or name one with --target",
                                  request.file, request.programs[0]));
  if (llvm::Error e = requireRegularFile("--compile-commands", request.file)) return std::move(e);
  session.interruption.begin();
  program::DatabaseOptions options;
  options.fathomCc = Installation::get().fathomCc;
  if (options.fathomCc.empty())
    return usageError(fmt::format("fathom-cc is missing; {}", Installation::get().remedy));
  options.jobs = request.jobs;
  options.stop = &session.interruption.stop;
  options.warn = [&](const std::string &line) { session.observer.warn(line); };
  return asUsage(program::buildDatabase(request.file, options));
}

} // namespace fathom::run
