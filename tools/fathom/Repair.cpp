// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair: patches, made or given, in an order.
#include "Command.h"
#include "Output.h"

#include "run/repair/PatchText.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct RepairFlags {
  CommonOptions common;
  std::vector<std::string> programs, tests;
  std::string campaign, rank, at, source, build;
  std::string testTime = "10s", testMemory = "4G", exploreTime = "5s";
  unsigned depth = 4;
  uint64_t most = 1000, keep = 10;
};

const char *const kRepairFooter =
    R"(CMD is a shell command. It passes if its exit status is 0; $FATHOM_PROGRAM is the program that it must run. A patch
must repair the tests that fail before any patch. All others must still pass.

Fathom builds the program from its C files with fathom-cc -g, in a private copy. For a project, --build CMD says how to
build it; then the tests run in the copy, too.

example:
  fathom repair gauge --at gauge.c:14 --tests 'sh tests/level.sh' --tests 'sh tests/empty.sh' -o patches
  patch -p1 <patches/1.patch
  fathom fuzz gauge --state-samples --max-time 1m -o campaign
  fathom repair gauge --campaign campaign --rank others --tests 'sh tests/all.sh')";

/// 0 is a time here, too.
std::chrono::milliseconds exploreTime(const std::string &text) {
  return text == "0" ? std::chrono::milliseconds(0) : parseDuration("--explore-time", text);
}

run::RepairRequest repairRequest(const RepairFlags &flags) {
  run::RepairRequest out;
  out.programs = flags.programs;
  out.tests = flags.tests;
  out.source = flags.source;
  out.build = flags.build;
  out.at = flags.at;
  out.rank = flags.rank;
  out.campaign = flags.campaign;
  out.testTime = parseDuration("--test-time", flags.testTime);
  out.maxTime = flags.common.time();
  out.exploreTime = exploreTime(flags.exploreTime);
  out.testMemoryBytes = parseSize("--test-memory", flags.testMemory);
  out.depth = flags.depth;
  out.maxCandidates = flags.most;
  out.keep = flags.keep;
  out.output = flags.common.output;
  out.force = flags.common.force;
  return out;
}

int runAt(const RepairFlags &flags, const run::RepairRequest &request, Context &context) {
  run::Session session = context.session();
  const run::MadePatches made = orThrow(run::makePatches(request, session));
  if (flags.common.json)
    put(run::madeJson(request, made));
  else if (!flags.common.quiet)
    put(run::madeText(request, made));
  return context.stop ? kInterrupted : kDone;
}

int runRank(const RepairFlags &flags, const run::RepairRequest &request, Context &context) {
  run::Session session = context.session();
  const run::RankedPatches all = orThrow(run::rankPatches(request, session));
  if (context.stop) return kInterrupted;
  if (flags.common.json) {
    put(run::rankedJson(all));
  } else if (!flags.common.quiet) {
    if (!all.failing)
      context.log.warn("no test fails before any patch: what the patches repair is not tested");
    put(run::rankedText(all));
  }
  return kDone;
}

int runRepair(const RepairFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  if (flags.common.resume && !flags.at.empty())
    throw UsageError("--resume: there is nothing to go on with; run it again");
  const run::RepairRequest request = repairRequest(flags);
  try {
    return flags.at.empty() ? runRank(flags, request, context) : runAt(flags, request, context);
  } catch (const UsageError &) {
    // A build or a test that an interrupt ended is nothing that is wrong with the input.
    if (!context.stop) throw;
    return kInterrupted;
  }
}

} // namespace

Run declareRepair(CLI::App &app) {
  auto flags = std::make_shared<RepairFlags>();
  app.footer(kRepairFooter);
  app.add_option("PROGRAM", flags->programs,
                 "an executable that fathom-cc linked, with debug information, or its C files")
      ->required();
  app.add_option("--tests", flags->tests,
                 "a shell command that tests the program; may be given several times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("CMD");
  app.add_option("--at", flags->at, "make patches at this line")->type_name("FILE:LINE");
  app.add_option("--rank", flags->rank,
                 "order the .patch and .diff files of this folder; NAME.score may hold another "
                 "tool's score of NAME.patch")
      ->type_name("DIR");
  app.add_option("--campaign", flags->campaign,
                 "results folder of fathom fuzz --state-samples; patches come first under which "
                 "variables keep probable values")
      ->type_name("DIR");
  app.add_option("--source", flags->source,
                 "the folder of the sources, to which diffs are relative; default: the current one")
      ->type_name("DIR");
  app.add_option("--build", flags->build,
                 "a shell command that builds PROGRAM in a copy of the folder of the sources")
      ->type_name("CMD");
  app.add_option("--test-time", flags->testTime, "time limit of a test")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--test-memory", flags->testMemory, "address space limit of a test's processes")
      ->capture_default_str()
      ->type_name("SIZE");
  app.add_option("--explore-time", flags->exploreTime,
                 "how long to explore a patched program around the failing tests; 0: do not")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--depth", flags->depth, "maximum depth of expressions; a variable has depth 1")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--most", flags->most, "test at most N candidates of a condition, value or guard")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--keep", flags->keep, "print the first N patches")
      ->capture_default_str()
      ->type_name("N");
  flags->common.output = "fathom-repair";
  flags->common.add(app, /*withOutput=*/true);
  return [flags](Context &context) { return runRepair(*flags, context); };
}

} // namespace fathom::tool
