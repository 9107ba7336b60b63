// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of a replay: replay.json, the text for people, and coverage in lcov's format.
#include "report/ReplayReport.h"

#include "evidence/BugKind.h"
#include "report/Lcov.h"
#include "report/Summary.h"
#include "report/Version.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::report {

using llvm::json::OStream;

ReplayTotals totals(const ReplayResult &result, const program::TraceLayout *layout) {
  ReplayTotals t;
  for (const ReplayedTest &test : result.tests) {
    test.isBug ? ++t.bugs : ++t.tests;
    t.statusCompared += test.statusCompared;
    t.statusDiffers += !test.statusAgrees;
    t.outputCompared += test.outputCompared;
    t.stdoutDiffers += !test.stdoutAgrees;
    t.stderrDiffers += !test.stderrAgrees;
    t.timedOut += test.outcome.kind == native::Outcome::Kind::TimedOut;
    t.bugsReproduced += test.isBug && test.verdict == BugVerdict::Reproduced;
    t.bugsSilent += test.isBug && test.verdict == BugVerdict::NoSymptom;
    t.reported += !test.report.empty();
    t.unwritten += test.usesUnwritten;
    t.unwrittenElsewhere += test.tookAnotherWay;
    if (!test.isBug && test.traceCompared) {
      ++t.traceCompared;
      t.diverged += !test.trace.same;
    }
    if (!test.isBug) t.differing += test.differs();
  }
  if (!layout) return t;
  auto hits = [&](size_t from, size_t to) {
    return static_cast<size_t>(std::count_if(
        result.runsPerByte.begin() + static_cast<ptrdiff_t>(from),
        result.runsPerByte.begin() + static_cast<ptrdiff_t>(to), [](uint32_t n) { return n; }));
  };
  t.sidesTotal = layout->sides;
  t.linesTotal = layout->lines.size();
  t.sidesCovered = hits(0, t.sidesTotal);
  t.linesCovered = hits(t.sidesTotal, t.sidesTotal + t.linesTotal);
  return t;
}

static const char *verdictName(BugVerdict verdict) {
  switch (verdict) {
  case BugVerdict::Reproduced: return "reproduced";
  case BugVerdict::OtherPlace: return "other-place";
  case BugVerdict::OtherCrash: return "other-crash";
  case BugVerdict::NoCrash: return "no-crash";
  case BugVerdict::NoSymptom: return "no-symptom";
  }
  return "";
}

static std::string sideName(const program::TraceLayout::Branch &branch, uint32_t side) {
  if (branch.sides == 2) return side ? "true" : "false";
  return side ? fmt::format("case {}", side) : "default";
}

static void writeDivergence(OStream &json, const Divergence &divergence,
                            const program::TraceLayout &layout) {
  json.attribute("branch", static_cast<int64_t>(divergence.number));
  auto write = [&](const char *who, const std::optional<BranchSide> &at) {
    if (!at) return json.attribute(who, nullptr);
    const program::TraceLayout::Branch &branch = layout.branches[at->id];
    json.attributeObject(who, [&] {
      json.attribute("file", utf8(branch.file));
      json.attribute("line", branch.line);
      json.attribute("function", utf8(branch.function));
      json.attribute("side", sideName(branch, at->side));
    });
  };
  write("engine", divergence.engine);
  write("native", divergence.native);
}

static void writeDifference(OStream &json, const ReplayedTest &test,
                            const program::TraceLayout *layout) {
  json.object([&] {
    json.attribute("dir", test.dir);
    json.attribute("expected", test.expected);
    json.attribute("native", native::describe(test.outcome));
    json.attribute("status_agrees", test.statusAgrees);
    json.attribute("stdout_agrees", test.stdoutAgrees);
    json.attribute("stderr_agrees", test.stderrAgrees);
    if (!test.report.empty()) json.attribute("report", utf8(test.report));
    if (test.traceCompared)
      json.attributeObject("trace", [&] {
        json.attribute("agrees", test.trace.same);
        json.attribute("branches", static_cast<int64_t>(test.expectedCount));
        json.attribute("native_branches", static_cast<int64_t>(test.trace.nativeCount));
        if (test.trace.same) return;
        json.attribute("diverges_after", static_cast<int64_t>(test.trace.after));
        json.attribute("diverges_by", static_cast<int64_t>(test.trace.before));
        if (layout && test.divergence) writeDivergence(json, *test.divergence, *layout);
        if (!test.noDivergenceReason.empty())
          json.attribute("branch_unknown", utf8(test.noDivergenceReason));
      });
  });
}

std::string replayJson(const ReplayResult &result, const ReplayTotals &t,
                       const std::string &executable, const program::TraceLayout *layout) {
  auto n = [](size_t value) { return static_cast<int64_t>(value); };
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("schema", kSchemaVersion);
      json.attribute("binary", utf8(executable));
      json.attribute("wall_seconds", result.seconds);
      json.attribute("confined_by", native::name(result.confinedBy));
      json.attribute("tests", n(t.tests));
      json.attribute("bugs_replayed", n(t.bugs));
      json.attribute("bugs_reproduced", n(t.bugsReproduced));
      json.attribute("skipped", n(result.skipped));
      json.attribute("not_drawn", n(result.notDrawn));
      json.attribute("timed_out", n(t.timedOut));
      json.attributeObject("exit_status", [&] {
        json.attribute("compared", n(t.statusCompared));
        json.attribute("differ", n(t.statusDiffers));
      });
      json.attributeObject("output", [&] {
        json.attribute("compared", n(t.outputCompared));
        json.attribute("stdout_differ", n(t.stdoutDiffers));
        json.attribute("stderr_differ", n(t.stderrDiffers));
      });
      json.attributeObject("divergence", [&] {
        json.attribute("compared", n(t.traceCompared));
        json.attribute("diverged", n(t.diverged));
        json.attribute("percent", t.divergencePercent());
      });
      json.attributeObject("unwritten_memory", [&] {
        json.attribute("tests", n(t.unwritten));
        json.attribute("take_another_way", n(t.unwrittenElsewhere));
      });
      json.attribute("branches_covered", n(t.sidesCovered));
      json.attribute("branches_total", n(t.sidesTotal));
      json.attribute("lines_covered", n(t.linesCovered));
      json.attribute("lines_total", n(t.linesTotal));
      json.attributeArray("bugs", [&] {
        for (const ReplayedTest &test : result.tests)
          if (test.isBug)
            json.object([&] {
              json.attribute("dir", test.dir);
              json.attribute("kind", evidence::name(*test.bugKind));
              json.attribute("verdict", verdictName(test.verdict));
              json.attribute("symptom", utf8(test.symptom));
              if (test.hasUnknownPlace) json.attribute("place_known", false);
              if (test.traceCompared) json.attribute("trace_agrees", test.trace.same);
            });
      });
      json.attributeArray("differences", [&] {
        for (const ReplayedTest &test : result.tests)
          if (!test.isBug && test.differs()) writeDifference(json, test, layout);
      });
      json.attributeArray("sanitizer_reports", [&] {
        for (const ReplayedTest &test : result.tests)
          if (!test.report.empty())
            json.object([&] {
              json.attribute("dir", test.dir);
              json.attribute("report", utf8(test.report));
            });
      });
      json.attributeArray("damaged", [&] {
        for (const std::string &line : result.damaged) json.value(utf8(line));
      });
    });
  });
}

static std::string agreement(size_t compared, size_t differ) {
  if (!compared) return "not compared";
  if (!differ) return fmt::format("all {} agree", compared);
  return fmt::format("{} of {} differ ({:.1f} %)", differ, compared,
                     100.0 * static_cast<double>(differ) / static_cast<double>(compared));
}

static std::string divergenceText(const Divergence &divergence,
                                  const program::TraceLayout &layout) {
  auto place = [&](const BranchSide &at) {
    const program::TraceLayout::Branch &branch = layout.branches[at.id];
    return branch.line ? fmt::format("{}:{}", branch.file, branch.line) : branch.function;
  };
  auto side = [&](const BranchSide &at) { return sideName(layout.branches[at.id], at.side); };
  const auto &engine = divergence.engine, &native = divergence.native;
  if (engine && native && engine->id == native->id)
    return fmt::format("branch {}, {}: the engine took {}, the native program {}",
                       divergence.number, place(*engine), side(*engine), side(*native));
  auto where = [&](const std::optional<BranchSide> &at) {
    return at ? fmt::format("reached {} ({})", place(*at), side(*at)) : "ended";
  };
  return fmt::format("branch {}: the engine {}, the native program {}", divergence.number,
                     where(engine), where(native));
}

static std::string difference(const ReplayedTest &test, const program::TraceLayout *layout) {
  std::string out;
  auto add = [&](const std::string &text) { out += (out.empty() ? "" : "; ") + text; };
  if (!test.statusAgrees)
    add(fmt::format("{} natively{}, expected {}", native::describe(test.outcome),
                    test.report.empty() ? "" : fmt::format(" ({})", test.report), test.expected));
  if (layout && test.divergence)
    add("diverges at " + divergenceText(*test.divergence, *layout));
  else if (test.traceCompared && !test.trace.same)
    add(fmt::format(
        "diverges {}; the engine took {}",
        test.trace.after + 1 < test.trace.before
            ? fmt::format("between branches {} and {}", test.trace.after + 1, test.trace.before)
            : fmt::format("at branch {}", test.trace.before),
        test.expectedCount));
  if (!test.stdoutAgrees) add("stdout differs");
  if (!test.stderrAgrees) add("stderr differs");
  return out;
}

static const char *verdictText(BugVerdict verdict) {
  switch (verdict) {
  case BugVerdict::Reproduced: return "reproduces";
  case BugVerdict::OtherPlace: return "the same kind of error, but at another place";
  case BugVerdict::OtherCrash: return "fails differently in the native program";
  case BugVerdict::NoCrash: return "the native program did not crash";
  case BugVerdict::NoSymptom: return "only a sanitizer can show it natively";
  }
  return "";
}

static std::string bugsText(const ReplayTotals &t) {
  std::string text = fmt::format("{} of {} reproduce", t.bugsReproduced, t.bugs);
  if (t.bugsSilent)
    text += fmt::format("; {} {} without a native symptom", t.bugsSilent,
                        t.bugsSilent == 1 ? "is" : "are");
  return text;
}

/// How a build with these sanitizers is made that --binary can run. A harness's input comes from a
/// library of ours, which no other compiler knows of; it is neither position independent nor
/// instrumented.
static std::string sanitizerHint(const std::string &names, bool isHarness,
                                 const std::string &sysroot) {
  if (!isHarness)
    return fmt::format("to see bugs that do not crash, use a sanitizer: compile with clang -g "
                       "-fsanitize={} and replay with --binary",
                       names);
  if (names == "memory")
    return "no sanitizer shows reads of unwritten memory in a harness: MemorySanitizer takes the "
           "harness's input for unwritten, too";
  return fmt::format(
      "to see bugs that do not crash, use a sanitizer: clang -g -no-pie -fsanitize={1} "
      "FILE.c -idirafter {0}/include {0}/lib/libfathom-harness.a "
      "{0}/lib/libfathom-native.a -o BINARY, and replay with --binary BINARY",
      sysroot, names);
}

std::string replayText(const ReplayResult &result, const ReplayTotals &t,
                       const std::string &program, const std::string &resultName,
                       const program::TraceLayout *layout, const std::string &sysroot) {
  constexpr size_t kMaxShown = 10;
  const bool isOther = !t.linesTotal; // --binary, which may be a sanitizer's build already
  std::string out =
      fmt::format("{}: {} and {} replayed natively in {:.1f} s ({:.0f} per second)\n\n", program,
                  plainCount(t.tests, "test"), plainCount(t.bugs, "bug"), result.seconds,
                  static_cast<double>(t.tests + t.bugs) / std::max(result.seconds, 1e-3));
  auto row = [&](const char *name, const std::string &value) {
    out += fmt::format("  {:<14}{}\n", name, value);
  };
  row("branch traces", t.traceCompared ? agreement(t.traceCompared, t.diverged) : "not compared");
  row("exit status", agreement(t.statusCompared, t.statusDiffers));
  row("stdout", agreement(t.outputCompared, t.stdoutDiffers));
  row("stderr", agreement(t.outputCompared, t.stderrDiffers));
  if (t.unwritten)
    row("not compared",
        fmt::format("{} on unwritten memory; {} of them {} another path natively",
                    t.unwritten == 1 ? "1 test depends"
                                     : fmt::format("{} tests depend", t.unwritten),
                    t.unwrittenElsewhere, t.unwrittenElsewhere == 1 ? "takes" : "take"));
  if (t.linesTotal) {
    row("branch sides", ratioText(t.sidesCovered, t.sidesTotal));
    row("lines", ratioText(t.linesCovered, t.linesTotal));
  }
  if (t.reported) {
    auto first = std::find_if(result.tests.begin(), result.tests.end(),
                              [](const ReplayedTest &test) { return !test.report.empty(); });
    row("sanitizers",
        fmt::format("{} a report; the first, {}: {}",
                    t.reported == 1 ? "1 test has" : fmt::format("{} tests have", t.reported),
                    first->dir, first->report));
  }
  if (t.timedOut) row("timed out", fmt::format("{}", t.timedOut));
  if (result.notDrawn) row("not drawn", fmt::format("{} of the store (--sample)", result.notDrawn));
  if (result.skipped)
    row("not run", fmt::format("{} (time was up, or the replay was interrupted)", result.skipped));
  if (t.bugs) {
    row("bugs", bugsText(t));
    std::set<std::string> sanitizers;
    for (const ReplayedTest &test : result.tests) {
      if (!test.isBug) continue;
      out += fmt::format("    {}  {}: {}, {}\n", test.dir, evidence::name(*test.bugKind),
                         verdictText(test.verdict), test.symptom);
      const bool isUnseen = test.verdict == BugVerdict::NoSymptom ||
                            (test.verdict == BugVerdict::NoCrash && !isOther);
      if (isUnseen) sanitizers.insert(evidence::rowOf(*test.bugKind).sanitizers);
    }
    // Said once: it is the build's, not the bug's.
    if (const auto unknown = std::ranges::count_if(
            result.tests, [](const ReplayedTest &test) { return test.hasUnknownPlace; }))
      out += fmt::format(
          "    where {} of them crashed could not be compared with the bug's place: the "
          "program has no debug information (compile it with -g), or may not be "
          "traced\n",
          unknown);
    sanitizers.erase("");
    // A program need not crash where it does what it must not.
    for (const std::string &names : sanitizers)
      out +=
          fmt::format("    {}\n", sanitizerHint(names, layout && layout->makesSymbolic, sysroot));
  }
  std::vector<const ReplayedTest *> different;
  for (const ReplayedTest &test : result.tests)
    if (!test.isBug && test.differs()) different.push_back(&test);
  if (!different.empty()) out += "\ndifferences:\n";
  for (size_t i = 0; i < different.size() && i < kMaxShown; ++i)
    out += fmt::format("  {}: {}\n", different[i]->dir, difference(*different[i], layout));
  if (different.size() > kMaxShown)
    out += fmt::format("  and {} more, all in {}\n", different.size() - kMaxShown, resultName);
  if (!result.damaged.empty()) out += "\ndamaged:\n";
  for (size_t i = 0; i < result.damaged.size() && i < kMaxShown; ++i)
    out += fmt::format("  {}\n", result.damaged[i]);
  if (result.damaged.size() > kMaxShown)
    out += fmt::format("  and {} more\n", result.damaged.size() - kMaxShown);
  return out;
}

std::string replayLcov(const ReplayResult &result, const program::TraceLayout &layout) {
  std::map<std::string, FileCoverage> files;
  for (size_t i = 0; i < layout.lines.size(); ++i)
    files[layout.lines[i].file].lines[layout.lines[i].line] = result.runsPerByte[layout.sides + i];
  for (size_t id = 0; id < layout.branches.size(); ++id) {
    const program::TraceLayout::Branch &b = layout.branches[id];
    if (!b.line) continue;
    FileCoverage::Branch branch{b.line, static_cast<uint32_t>(id), {}};
    for (uint32_t side = 0; side < b.sides; ++side)
      branch.sideCounts.push_back(result.runsPerByte[b.sideBase + side]);
    files[b.file].branches.push_back(std::move(branch));
  }
  for (auto &[name, file] : files)
    std::sort(file.branches.begin(), file.branches.end(), [](auto &a, auto &b) {
      return a.line != b.line ? a.line < b.line : a.block < b.block;
    });
  return lcovText(files, "replay");
}

} // namespace fathom::report
