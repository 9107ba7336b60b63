// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// targets=FILE:LINE,...: the states nearest to given lines.
#include "explore/search/SearcherTable.h"

#include "explore/search/NearestPlace.h"
#include "support/SourcePlace.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

std::unique_ptr<Searcher> makeTargets(const SearcherOptions &options, std::string &error) {
  const program::Program &program = options.interpreter.program();
  std::vector<SourcePlace> wanted;
  for (const std::string &text : options.values) {
    std::optional<SourcePlace> place = sourcePlaceFrom(text);
    if (!place) {
      error = fmt::format("--search targets: '{}' is not FILE:LINE", text);
      return nullptr;
    }
    wanted.push_back(std::move(*place));
  }
  auto hit = [wanted, &program](uint32_t function, uint32_t first, uint32_t end) {
    const auto &f = program.functions[function];
    auto isWanted = [&](const program::Location &l) {
      for (const SourcePlace &place : wanted)
        if (l.line == place.line && namesFile(place.file, program.files[l.file])) return true;
      return false;
    };
    for (uint32_t i = first; i < end; i++)
      if (isWanted(program.location(f, i))) return true;
    // A line need not have an instruction.
    auto start = std::lower_bound(f.lineStarts.begin(), f.lineStarts.end(), std::pair(first, 0u));
    for (; start != f.lineStarts.end() && start->first < end; ++start)
      if (isWanted(program.locations[start->second])) return true;
    return false;
  };
  bool any = false;
  for (const auto &f : program.functions)
    any |= !f.code.empty() && hit(f.id, 0, static_cast<uint32_t>(f.code.size()));
  if (!any) {
    error = fmt::format("--search targets: no code at {} (is the line inside a function, and the "
                        "file part of the program?)",
                        options.values.front());
    return nullptr;
  }
  return makeNearestPlace(options, hit, /*movingTargets=*/false);
}

} // namespace fathom::explore
