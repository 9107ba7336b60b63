// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestsCovering.h"

#include "Status.h"
#include "support/NumberText.h"
#include "support/SourcePlace.h"
#include "TraceReplay.h"

#include <fmt/format.h>

#include <map>
#include <sys/stat.h>

namespace fathom::tool {

namespace {

/// Of the program's lines with code, the one nearest to the place in its file; 0: no such file.
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
std::vector<uint32_t> bytesOf(const std::vector<std::string> &places,
                              const program::TraceLayout &layout) {
  std::vector<uint32_t> bytes;
  for (const std::string &text : places) {
    const std::optional<SourcePlace> place = sourcePlaceFrom(text);
    if (!place) throw UsageError(fmt::format("--covers {}: expected FILE:LINE", text));
    const size_t before = bytes.size();
    for (uint32_t i = 0; i < layout.lines.size(); i++)
      if (layout.lines[i].line == place->line && namesFile(place->file, layout.lines[i].file))
        bytes.push_back(layout.sides + i);
    if (bytes.size() != before) continue;
    const uint32_t nearest = nearestLine(layout, *place);
    throw UsageError(
        nearest ? fmt::format("--covers {}: no code in this line; the nearest with code is {}",
                              text, nearest)
                : fmt::format("--covers {}: the program has no code of a file of this name", text));
  }
  return bytes;
}

} // namespace

std::set<uint64_t> testsThatCover(const CoveringQuery &query, const CommonOptions &common,
                                  const std::set<uint64_t> &tests, Context &context) {
  for (const std::string &text : query.places) // before anything is built
    if (!sourcePlaceFrom(text))
      throw UsageError(fmt::format("--covers {}: expected FILE:LINE", text));
  const std::string program = query.program.empty() ? exploredProgram(query.folder) : query.program;
  requireRegularPrograms({program});
  refuseOtherEntry(query.folder);
  refuseOtherProgram(query.folder, program);
  umask(022); // as the model of the environment has it

  report::ReplayOptions options;
  options.folder = query.folder;
  options.jobs = common.jobs;
  options.maxTime = common.time();
  options.testTime = query.testTime;
  options.stop = &context.stop;
  options.enough = query.enough;
  options.wants = [&](const report::Tests::Item &item) {
    return !item.isBug && tests.contains(item.number);
  };
  const report::NativeVariant variant = prepareTrace(query.folder, program, options, context.log);
  options.layout = &variant.layout;
  options.covers = bytesOf(query.places, variant.layout);
  if (tests.empty()) return {};
  Status status(/*enabled=*/!common.quiet && !common.json);
  options.progress = [&](size_t done, size_t all) {
    status.show(fmt::format("{} of {} tests run", done, all));
  };
  context.catchInterrupts();
  const report::ReplayResult result = orUsage(report::replay(options));
  status.clear();

  std::set<uint64_t> covering;
  size_t silent = 0;
  for (const report::ReplayedTest &test : result.tests) {
    const size_t slash = test.dir.rfind('/');
    if (test.covers)
      covering.insert(
          report::testNumber(slash == std::string::npos ? test.dir : test.dir.substr(slash + 1)));
    silent += !test.trace.started;
  }
  for (const std::string &line : result.damaged) context.log.warn(line);
  if (silent)
    context.log.warn(fmt::format("{} did not report what they cover", counted(silent, "test")));
  if (result.skipped && !(query.enough && covering.size() >= query.enough))
    context.log.warn(fmt::format("{} did not run: there may be more that cover it",
                                 counted(result.skipped, "test")));
  return covering;
}

} // namespace fathom::tool
