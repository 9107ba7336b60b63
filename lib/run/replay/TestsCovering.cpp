// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/replay/TestsCovering.h"

#include "run/replay/Umask.h"

#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/replay/TraceReplay.h"
#include "support/NumberText.h"
#include "support/SourcePlace.h"

#include <fmt/format.h>

#include <map>
#include <sys/stat.h>

namespace fathom::run {

namespace {

/// The line with code that is nearest to the place in its file; 0: the program has no such file.
uint32_t nearestLine(const program::TraceLayout &layout, const SourcePlace &place) {
  uint32_t nearest = 0;
  auto distance = [&](uint32_t line) {
    return line > place.line ? line - place.line : place.line - line;
  };
  for (const program::TraceLayout::Line &line : layout.lines)
    if (namesFile(place.file, line.file) && (!nearest || distance(line.line) < distance(nearest)))
      nearest = line.line;
  return nearest;
}

/// Bytes of the variant's coverage.
llvm::Expected<std::vector<uint32_t>> bytesOf(const std::vector<std::string> &places,
                                              const program::TraceLayout &layout) {
  std::vector<uint32_t> bytes;
  for (const std::string &text : places) {
    const std::optional<SourcePlace> place = sourcePlaceFrom(text);
    if (!place) return usageError(fmt::format("--covers {}: expected FILE:LINE", text));
    const size_t before = bytes.size();
    for (uint32_t i = 0; i < layout.lines.size(); i++)
      if (layout.lines[i].line == place->line && namesFile(place->file, layout.lines[i].file))
        bytes.push_back(layout.sides + i);
    if (bytes.size() != before) continue;
    const uint32_t nearest = nearestLine(layout, *place);
    return usageError(
        nearest ? fmt::format("--covers {}: no code in this line; the nearest with code is {}",
                              text, nearest)
                : fmt::format("--covers {}: the program has no code of a file of this name", text));
  }
  return bytes;
}

} // namespace

llvm::Expected<std::set<uint64_t>>
testsThatCover(const CoveringQuery &query, const std::set<uint64_t> &tests, Session &session) {
  for (const std::string &text : query.places) // before anything is built
    if (!sourcePlaceFrom(text))
      return usageError(fmt::format("--covers {}: expected FILE:LINE", text));
  std::string program = query.program;
  if (program.empty()) {
    llvm::Expected<std::string> explored = exploredProgram(query.folder);
    if (!explored) return explored.takeError();
    program = std::move(*explored);
  }
  if (llvm::Error e = requireRegularPrograms({program})) return std::move(e);
  if (llvm::Error e = refuseOtherEntry(query.folder)) return std::move(e);
  if (llvm::Error e = refuseOtherProgram(query.folder, program)) return std::move(e);
  const Umask umask;

  report::ReplayOptions options;
  options.folder = query.folder;
  options.jobs = query.jobs;
  options.maxTime = query.maxTime;
  options.testTime = query.testTime;
  options.stop = &session.interruption.stop;
  options.enough = query.enough;
  options.wants = [&](const report::Tests::Item &item) {
    return !item.isBug && tests.contains(item.number);
  };
  llvm::Expected<report::NativeVariant> variant =
      prepareTrace(query.folder, program, options, session);
  if (!variant) return variant.takeError();
  options.layout = &variant->layout;
  llvm::Expected<std::vector<uint32_t>> bytes = bytesOf(query.places, variant->layout);
  if (!bytes) return bytes.takeError();
  options.coverIndices = std::move(*bytes);
  if (tests.empty()) return std::set<uint64_t>();
  options.progress = [&](size_t done, size_t all) {
    session.observer.progress(fmt::format("{} of {} tests run", done, all));
  };
  session.interruption.begin();
  llvm::Expected<report::ReplayResult> replayed = asUsage(report::replay(options));
  session.observer.endProgress();
  if (!replayed) return replayed.takeError();
  const report::ReplayResult &result = *replayed;

  std::set<uint64_t> covering;
  size_t silent = 0;
  for (const report::ReplayedTest &test : result.tests) {
    const size_t slash = test.dir.rfind('/');
    if (test.hitsCoverIndex)
      covering.insert(
          report::testNumber(slash == std::string::npos ? test.dir : test.dir.substr(slash + 1)));
    silent += !test.trace.started;
  }
  for (const std::string &line : result.damaged) session.observer.warn(line);
  if (silent)
    session.observer.warn(
        fmt::format("{} did not report what they cover", counted(silent, "test")));
  if (result.skipped && !(query.enough && covering.size() >= query.enough))
    session.observer.warn(fmt::format("{} did not run: there may be more that cover it",
                                      counted(result.skipped, "test")));
  return covering;
}

} // namespace fathom::run
