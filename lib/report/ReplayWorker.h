// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs tests natively, one after the other, in a scratch folder of its own.
#ifndef FATHOM_REPORT_REPLAYWORKER_H
#define FATHOM_REPORT_REPLAYWORKER_H

#include "native/CallServer.h"
#include "report/CrashCalls.h"
#include "report/Replay.h"
#include "report/ReplaySurroundings.h"
#include "report/Tests.h"

#include <optional>

namespace fathom::report {

class ReplayWorker {
public:
  /// \param trace  Of the trace variant; null: another build.
  ReplayWorker(const ReplayOptions &options, const Tests &tests, std::string executable,
               TraceFile *trace, std::string scratch, const NamedFiles &surroundings,
               bool isSanitized)
      : options_(options), reader_(tests), executable_(std::move(executable)),
        isSanitized_(isSanitized), trace_(trace), scratch_(std::move(scratch)),
        root_(scratch_ + "/root"), surroundings_(surroundings), workDirectory_(root_ + "/work") {}

  /// On the thread that runs the tests, which changes nothing but its scratch folder from here on.
  /// Where the kernel allows it, `root` appears as the model has it: a program that prints its
  /// working directory then prints what the engine saw.
  native::Confined::By enter();

  llvm::Expected<ReplayedTest> run(const Tests::Item &item);

  /// Finds the branch at which a test diverged from its path. Runs it some more times.
  void locateDivergence(const Tests::Item &item, const llvm::json::Object &run, ReplayedTest &test);

private:
  /// Functions that the program has no code of are executed with the rights of a test.
  void startCalls();
  llvm::Expected<Divergence> findDivergence(const Tests::Item &item, const llvm::json::Object &run,
                                            const ReplayedTest &test);
  /// After so many branches; none when it ends before.
  llvm::Expected<std::optional<uint64_t>> nativeHash(const StoredTest &stored, uint64_t count);
  llvm::Error prepareDirectory(const StoredTest &test);
  /// Only harnesses do, and a program that prints its environment must not see the difference.
  bool readsKTest() const { return !options_.layout || options_.layout->makesSymbolic; }
  native::Command command(const StoredTest &test) const;
  /// The program itself, on a bug that the trace variant does not show: its memory is laid out as
  /// users have it, and a wrong access can do harm there only.
  llvm::Error tryProgram(const StoredTest &stored, ReplayedTest &test);
  /// Finds where a run crashed that has nothing in it which says so: runs it once more, under
  /// ptrace.
  llvm::Error placeCrash(const native::Command &command, const StoredTest &stored, bool tookPath,
                         ReplayedTest &test);
  llvm::Expected<std::vector<evidence::StackFrame>> bugStack(const StoredTest &stored) const;
  void compareTrace(const StoredTest &stored, ReplayedTest &test) const;
  /// What the test's sanitizers wrote, added to `errors`.
  llvm::Error addReports(std::string &errors) const;
  llvm::Error compareOutput(const StoredTest &stored, ReplayedTest &test);
  llvm::Error judge(const StoredTest &stored, ReplayedTest &test, const std::string &errors);

  const ReplayOptions &options_;
  TestReader reader_;
  std::string executable_;
  bool isSanitized_; ///< the executable
  TraceFile *trace_;
  std::string scratch_, root_; ///< root: what the program sees as the parent of its directory
  const NamedFiles &surroundings_;
  std::string workDirectory_;
  std::optional<native::CallServer> calls_;
  std::string callsProblem_; ///< why there is none
  CrashCalls crashCalls_;
};

} // namespace fathom::report
#endif
