// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/StatePoints.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fathom::campaign {

static constexpr const char *kNames[] = {"assertion", "branch", "division", "entry",
                                         "exit",      "access", "path"};

const char *textOf(PointKind kind) { return kNames[size_t(kind)]; }

std::optional<PointKind> pointKindFrom(llvm::StringRef text) {
  for (unsigned i = 0; i < kPointKinds; ++i)
    if (text == kNames[i]) return static_cast<PointKind>(i);
  return std::nullopt;
}

bool parsePointChoice(llvm::StringRef text, PointChoice &choice) {
  choice = {};
  PointKinds &kinds = choice.kinds;
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ',');
  for (llvm::StringRef name : names) {
    if (name == "all") {
      for (unsigned i = 0; i < kPointKinds; ++i)
        if (PointKinds::all().has(static_cast<PointKind>(i))) kinds.add(static_cast<PointKind>(i));
    } else if (name == "assertions") {
      kinds.add(PointKind::Assertion);
    } else if (name == "branches") {
      kinds.add(PointKind::Branch);
    } else if (name == "divisions") {
      kinds.add(PointKind::Division);
    } else if (name == "functions") {
      kinds.add(PointKind::Entry);
      kinds.add(PointKind::Exit);
    } else if (name == "accesses") {
      kinds.add(PointKind::Access);
    } else if (name == "alarms") {
      choice.alarms = true;
    } else if (name == "paths") {
      kinds.add(PointKind::Path);
    } else {
      return false;
    }
  }
  return kinds.any() || choice.alarms;
}

std::string PointChoice::key() const {
  if (places.empty()) return fmt::format("{}", kinds.bits());
  std::string all;
  for (const PointPlace &p : places)
    all += fmt::format("{}\t{}\t{}\t{}\n", textOf(p.kind), p.function, p.line, p.column);
  return fmt::format("{}-{:016x}", kinds.bits(), llvm::xxh3_64bits(llvm::StringRef(all)));
}

std::vector<std::string> pathVariables() { return {"before", "branch", "side"}; }

// Names of the source have no tabs and no line breaks, and neither have formulas.
std::string pointsText(const std::vector<StatePoint> &points) {
  std::string out;
  for (const StatePoint &p : points)
    out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", textOf(p.kind), p.line, p.column, p.function,
                       p.file, p.condition, fmt::join(p.variables, "\t"));
  return out;
}

bool parsePointTable(llvm::StringRef text, std::vector<StatePoint> &points) {
  points.clear();
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::SmallVector<llvm::StringRef> fields;
    line.split(fields, '\t');
    constexpr size_t kFixed = 6;
    StatePoint p;
    if (fields.size() <= kFixed) return false;
    const std::optional<PointKind> kind = pointKindFrom(fields[0]);
    if (!kind || fields[1].getAsInteger(10, p.line) || fields[2].getAsInteger(10, p.column))
      return false;
    p.kind = *kind;
    p.function = fields[3].str();
    p.file = fields[4].str();
    p.condition = fields[5].str();
    for (size_t i = kFixed; i < fields.size(); ++i) p.variables.push_back(fields[i].str());
    points.push_back(std::move(p));
  }
  return true;
}

} // namespace fathom::campaign
