// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/PlaceIndex.h"

#include "support/SourcePlace.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

PlaceIndex::PlaceIndex(const program::Program &program) {
  std::vector<uint32_t> fileOf(program.files.size(), UINT32_MAX);
  const auto add = [&](uint32_t locationId, uint32_t function) {
    const program::Location &at = program.locations[locationId];
    if (!at.line) return;
    uint32_t &file = fileOf[at.file];
    if (file == UINT32_MAX) {
      file = static_cast<uint32_t>(files_.size());
      files_.push_back({program.files[at.file], {}, 0});
      byName_[baseName(program.files[at.file])].push_back(file);
    }
    std::vector<uint32_t> &functions = files_[file].functions[at.line];
    if (functions.empty() || functions.back() != function) functions.push_back(function);
    files_[file].lastLine = std::max(files_[file].lastLine, at.line);
  };
  for (const program::FunctionCode &f : program.functions) {
    branches_.push_back(static_cast<uint32_t>(std::ranges::count_if(f.code, [](auto &inst) {
      return inst.op == program::Op::CondJmp || inst.op == program::Op::Switch;
    })));
    if (!f.own) continue;
    for (const uint32_t location : f.locs) add(location, f.id);
    for (auto &[inst, location] : f.lineStarts) add(location, f.id);
  }
}

PlaceIndex::Match PlaceIndex::find(const Place &place) const {
  Match out;
  const auto named = byName_.find(baseName(place.file));
  std::vector<const File *> files, withCode;
  if (named != byName_.end())
    for (const uint32_t file : named->second)
      if (namesFile(place.file, files_[file].path)) files.push_back(&files_[file]);
  for (const File *file : files) {
    if (file->path == place.file) files = {file}; // the whole path names one
    if (files.size() == 1) break;
  }
  for (const File *file : files)
    if (file->functions.count(place.line)) withCode.push_back(file);
  // The report names the place; texts that do not are few, and are kept once.
  if (files.empty()) {
    out.why = "the program has no code of this file";
  } else if (withCode.empty()) {
    out.why = place.line > files[0]->lastLine
                  ? fmt::format("the program has no code at this line; the last one of {} is {}",
                                baseName(files[0]->path), files[0]->lastLine)
                  : "the program has no code at this line";
  } else if (withCode.size() > 1) {
    out.why = fmt::format("the file may be {} or {}, which both have code at this line (--path-map "
                          "says which)",
                          withCode[0]->path, withCode[1]->path);
  } else {
    out.file = withCode[0]->path;
    out.functions = withCode[0]->functions.at(place.line);
  }
  return out;
}

} // namespace fathom::confirm
