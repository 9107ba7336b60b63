// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// targets=FILE:LINE,...: the states nearest to given lines.
#include "explore/search/SearcherTable.h"

#include "explore/search/NearestPlace.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdlib>

namespace fathom::explore {

namespace {
/// Does a path given by a user name this file? Whole components from the end must agree.
bool sameFile(const std::string &file, const std::string &asked) {
  return file == asked || (file.size() > asked.size() && file.ends_with(asked) &&
                           file[file.size() - asked.size() - 1] == '/');
}
} // namespace

std::unique_ptr<Searcher> makeTargets(const SearcherOptions &options, std::string &error) {
  const program::Program &program = options.machine.program();
  std::vector<std::pair<std::string, uint32_t>> wanted;
  for (const std::string &place : options.values) {
    size_t colon = place.rfind(':');
    char *end = nullptr;
    unsigned long line =
        colon == std::string::npos ? 0 : strtoul(place.c_str() + colon + 1, &end, 10);
    if (!line || *end) {
      error = fmt::format("--search targets: '{}' is not FILE:LINE", place);
      return nullptr;
    }
    wanted.emplace_back(place.substr(0, colon), static_cast<uint32_t>(line));
  }
  auto hit = [wanted, &program](uint32_t function, uint32_t first, uint32_t end) {
    const auto &f = program.functions[function];
    auto isWanted = [&](const program::Location &l) {
      for (const auto &[file, line] : wanted)
        if (l.line == line && sameFile(program.files[l.file], file)) return true;
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
