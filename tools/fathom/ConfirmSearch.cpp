// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConfirmSearch.h"

#include <fmt/format.h>

namespace fathom::tool {

void addConfirmSearchFlags(CLI::App &app, ConfirmSearchFlags &flags) {
  app.add_option("-o,--output", flags.output,
                 "write the inputs of confirmed reports that main reaches, as folders of bugs")
      ->type_name("DIR");
  app.add_flag("--force", flags.force, "replace the results of an earlier run in that folder");
  app.add_option("--strategy", flags.strategy,
                 "which path continues: default (depth first, the false side of a branch first), "
                 "distance (the one nearest to the sink), mixed (the nearest and the newest, in "
                 "turn)")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option(
         "--calls", flags.calls,
         "what to do with calls that have nothing to do with the report: summaries (leave "
         "them out until a path depends on them), step-in (execute them), no-step-in (leave "
         "them out even if it is unknown what they do; refutes nothing)")
      ->capture_default_str()
      ->type_name("HOW");
  CLI::Option *slice = app.add_flag(
      "--slice", flags.slice,
      "leave out branches that have nothing to do with the report until a path depends on them "
      "(the default)");
  app.add_flag("--no-slice", flags.noSlice, "explore these branches, too")->excludes(slice);
  CLI::Option *questions = app.add_flag(
      "--questions", flags.questions,
      "ask a solver one question about all paths before single paths are searched (the default)");
  app.add_flag("--no-questions", flags.noQuestions, "search paths only")->excludes(questions);
  app.add_flag("--paper-init", flags.assumesDistinctPointers,
               "assume that pointers of callers are not null and point to different objects; a "
               "report that no path shows then stays open");
  app.add_option("--loop-bound", flags.loopBound,
                 "end a path that could leave a loop after N rounds and does not (0: no limit)")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--max-depth", flags.maxDepth,
                 "end a path after N branches on unknown values (0: no limit)")
      ->capture_default_str()
      ->type_name("N");
  const auto addTime = [&](const char *option, std::string &field, const char *help) {
    app.add_option(option, field, help)->capture_default_str()->type_name("TIME");
  };
  addTime("--deeper-time", flags.deeperTime,
          "part of one report's time for each search with one round of loops more than the one "
          "before, up to the bound (0: none)");
  addTime("--unbounded-time", flags.unboundedTime,
          "part of one report's time for a second search without these two bounds, if they cut one "
          "that found nothing (0: none)");
  addTime("--callers-time", flags.callersTime,
          "part of one report's time for following a path to callers and to an input of the "
          "program (0: none)");
  addTime("--shared-time", flags.sharedTime,
          "time for each report of the one search from main that all reports share (0: no such "
          "search); it takes at most the time of one report");
  app.add_option("--seeds", flags.seeds,
                 "inputs that are known, such as tests or a fuzzer's corpus: the shared search "
                 "begins with them")
      ->type_name("DIR");
  addTime("--other-source-time", flags.otherSourceTime,
          "part of one report's time for paths from another source than the report's, if none from "
          "its own shows it (0: none)");
}

static uint32_t bounded(const char *option, uint64_t value) {
  if (value > UINT32_MAX)
    throw UsageError(fmt::format("{} {}: expected at most {}", option, value, UINT32_MAX));
  return static_cast<uint32_t>(value);
}

static std::chrono::milliseconds durationOrNone(const char *option, const std::string &text) {
  return text == "0" ? std::chrono::milliseconds(0) : parseDuration(option, text);
}

void applyConfirmSearchFlags(const ConfirmSearchFlags &flags, confirm::ConfirmOptions &options) {
  const std::optional<confirm::Strategy> strategy = confirm::kStrategyNames.find(flags.strategy);
  if (!strategy)
    throw UsageError(
        fmt::format("--strategy {}: expected {}", flags.strategy, confirm::kStrategyNames.names()));
  options.strategy = *strategy;
  const std::optional<confirm::Calls> calls = confirm::kCallsNames.find(flags.calls);
  if (!calls)
    throw UsageError(
        fmt::format("--calls {}: expected {}", flags.calls, confirm::kCallsNames.names()));
  options.calls = *calls;
  options.slices = !flags.noSlice;
  options.asksFirst = !flags.noQuestions;
  options.assumesDistinctPointers = flags.assumesDistinctPointers;
  options.loopBound = bounded("--loop-bound", flags.loopBound);
  options.maxDepth = bounded("--max-depth", flags.maxDepth);
  options.times.callers = durationOrNone("--callers-time", flags.callersTime);
  options.times.deeper = durationOrNone("--deeper-time", flags.deeperTime);
  options.times.unbounded = durationOrNone("--unbounded-time", flags.unboundedTime);
  options.times.other = durationOrNone("--other-source-time", flags.otherSourceTime);
  options.times.shared = durationOrNone("--shared-time", flags.sharedTime);
}

} // namespace fathom::tool
