// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanDatabase.h"

#include "program/CompileDatabase.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::tool {

namespace {

std::vector<std::string> namesOf(const std::vector<program::DatabaseProgram> &programs) {
  std::vector<std::string> out;
  for (const program::DatabaseProgram &program : programs) out.push_back(program.name);
  return out;
}

/// Those that --target names.
std::vector<program::DatabaseProgram> chosen(const program::DatabasePrograms &built,
                                             const ScanFlags &flags) {
  if (flags.target.empty()) return built.programs;
  std::vector<program::DatabaseProgram> out;
  std::copy_if(built.programs.begin(), built.programs.end(), std::back_inserter(out),
               [&](const auto &program) { return program.name == flags.target; });
  if (out.empty())
    throw UsageError(fmt::format("--target {}: expected one of {}", flags.target,
                                 fmt::join(namesOf(built.programs), ", ")));
  return out;
}

} // namespace

int scanDatabase(const ScanFlags &flags, Context &context,
                 const std::function<int(const ScanFlags &)> &scanOne) {
  if (!flags.programs.empty())
    throw UsageError(fmt::format("--compile-commands {}: says which programs there are; leave {} "
                                 "out, or name one with --target",
                                 flags.compileCommands, flags.programs[0]));
  requireRegularFile("--compile-commands", flags.compileCommands);
  context.catchInterrupts();
  program::DatabaseOptions options;
  options.fathomCc = Installation::get().fathomCc;
  if (options.fathomCc.empty())
    throw UsageError(fmt::format("fathom-cc is missing; {}", Installation::get().remedy));
  options.jobs = flags.common.jobs;
  options.stop = &context.stop;
  options.warn = [&](const std::string &line) { context.log.warn(line); };
  const program::DatabasePrograms built =
      orUsage(program::buildDatabase(flags.compileCommands, options));
  context.log.verbose(fmt::format("{}, {} do not compile; {}", counted(built.files, "file"),
                                  built.failed, counted(built.programs.size(), "program")));
  const std::vector<program::DatabaseProgram> programs = chosen(built, flags);
  if ((flags.common.json || !flags.sarif.empty()) && programs.size() > 1)
    throw UsageError(fmt::format("{}: one document, and the database has several programs; choose "
                                 "one with --target: {}",
                                 flags.common.json ? "--json" : "--sarif",
                                 fmt::join(namesOf(programs), ", ")));
  int status = kDone;
  for (const program::DatabaseProgram &program : programs) {
    ScanFlags one = flags;
    one.programs = {program.bitcode};
    one.title = program.name;
    if (!flags.common.json)
      fmt::print("== {}: {} of {}\n", program.name, program.isLibrary ? "library" : "program",
                 counted(program.files, "file"));
    status = std::max(status, scanOne(one));
  }
  return status;
}

} // namespace fathom::tool
