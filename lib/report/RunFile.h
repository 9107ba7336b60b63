// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run.json: what was asked for, with what, and how it ended.
#ifndef FATHOM_REPORT_RUNFILE_H
#define FATHOM_REPORT_RUNFILE_H

#include "explore/Explore.h"
#include "report/FolderOptions.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace fathom::report {

struct RunTimes { // UTC
  std::string started;
  std::vector<std::string> resumed;
};

/// What every run.json begins with: schema, tool, subcommand, command line and programs.
void writeRunHead(llvm::json::OStream &json, llvm::StringRef subcommand,
                  const std::vector<std::string> &commandLine,
                  const std::vector<std::string> &programs);
/// When it started, was resumed and ended. `howEnded` null: the run goes on; otherwise it ends now.
void writeRunTimes(llvm::json::OStream &json, const RunTimes &times, const std::string *howEnded);
/// The times of a run.json that was read back, with now as the last at which it was resumed.
RunTimes resumedTimes(const llvm::json::Object &run);

/// A shared library that a run was started with.
struct RunLibrary {
  std::string path;   ///< as dlopen takes it; absolute, if it is a path
  std::string sha256; ///< of the file; "" when it was named without a path
};
/// Those of --load in a run.json that was read back.
std::vector<RunLibrary> librariesOf(const llvm::json::Object &run);

/// run.json of an exploration. `result` null: the run goes on.
std::string runText(const FolderOptions &options, const RunTimes &times,
                    const explore::ExploreResult *result);

/// Errors: `run`, the contents of `file`, says that its folder was written in another schema than
/// ours.
llvm::Error checkSchema(const llvm::json::Object &run, const std::string &file);

/// The times of the run in `path`, with now as the last at which it was resumed. Errors: there is
/// none; it was of another program, or with options under which its paths are not ours.
llvm::Expected<RunTimes> checkSameRun(const std::string &path, const FolderOptions &options);

} // namespace fathom::report
#endif
