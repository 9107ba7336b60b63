// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/MapLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace fathom::campaign {

static constexpr const char *kHead = "fathom-map-layout-5";

size_t MapLayout::count(ElementKind kind) const {
  switch (kind) {
  case ElementKind::BranchSide: break;
  case ElementKind::Block: return blocks.size();
  case ElementKind::Statement: return statements.size();
  }
  return sides;
}

std::vector<uint32_t> elementsOf(const MapLayout &layout, std::span<const uint8_t> map) {
  std::vector<uint32_t> elements;
  for (uint32_t side = 0; side < layout.sides; ++side)
    if (map[side]) elements.push_back(side);
  for (uint32_t block = 0; block < layout.blocks.size(); ++block) {
    const std::vector<uint32_t> &by = layout.blocks[block].shownBy;
    if (std::any_of(by.begin(), by.end(), [&](uint32_t counter) { return map[counter] != 0; }))
      elements.push_back(layout.sides + block);
  }
  return elements;
}

std::set<std::string> functionsOf(const MapLayout &layout) {
  std::set<std::string> functions;
  for (const MapLayout::Block &block : layout.blocks) functions.insert(block.function);
  return functions;
}

std::string layoutText(const MapLayout &layout) {
  program::FileNumbers files;
  for (auto &b : layout.branches) files.add(b.file);
  for (auto &b : layout.blocks) files.add(b.file);
  for (auto &s : layout.statements) files.add(s.file);
  files.assignNumbers();
  std::string out =
      fmt::format("{} {} {} {} {} {} {} {}\n", kHead, files.size(), layout.branches.size(),
                  layout.blocks.size(), layout.statements.size(), layout.sides, layout.markers,
                  layout.edges.size());
  out += files.text();
  out += branchText(layout, files);
  for (auto &b : layout.blocks) {
    out += fmt::format("{} {} {} {}", files[b.file], b.line, b.column, b.shownBy.size());
    for (uint32_t counter : b.shownBy) out += fmt::format(" {}", counter);
    out += " " + b.function + "\n";
  }
  for (auto &s : layout.statements) {
    out += fmt::format("{} {} {}", files[s.file], s.line, s.blocks.size());
    for (uint32_t block : s.blocks) out += fmt::format(" {}", block);
    out += " " + s.function + "\n";
  }
  for (const MapLayout::Edge &edge : layout.edges)
    out += fmt::format("{} {} {}\n", edge.from, edge.to, static_cast<int32_t>(edge.side));
  for (Unreachable reason : layout.unreachable) out += static_cast<char>('0' + int(reason));
  return out + "\n";
}

bool parseLayout(const std::string &text, MapLayout &layout) {
  std::istringstream in(text);
  std::string head;
  size_t fileCount = 0, branchCount = 0, blockCount = 0, statementCount = 0, edgeCount = 0;
  uint32_t sides = 0;
  layout = {};
  if (!(in >> head >> fileCount >> branchCount >> blockCount >> statementCount >> sides >>
        layout.markers >> edgeCount) ||
      head != kHead)
    return false;
  in.ignore(1);
  std::vector<std::string> files;
  if (!program::readFileNames(in, fileCount, files) ||
      !program::readBranches(in, branchCount, files, layout) || layout.sides != sides)
    return false;
  while (layout.blocks.size() < blockCount) {
    MapLayout::Block b;
    size_t file = 0, shown = 0;
    if (!(in >> file >> b.line >> b.column >> shown) || file >= files.size()) return false;
    for (uint32_t counter = 0; shown && in >> counter; --shown) {
      if (counter >= layout.counters()) return false;
      b.shownBy.push_back(counter);
    }
    in.ignore(1);
    if (!std::getline(in, b.function)) return false;
    b.file = files[file];
    layout.blocks.push_back(std::move(b));
  }
  while (layout.statements.size() < statementCount) {
    MapLayout::Statement s;
    size_t file = 0, blocks = 0;
    if (!(in >> file >> s.line >> blocks) || file >= files.size()) return false;
    for (uint32_t block = 0; blocks && in >> block; --blocks) {
      if (block >= blockCount) return false;
      s.blocks.push_back(block);
    }
    in.ignore(1);
    if (!std::getline(in, s.function)) return false;
    s.file = files[file];
    layout.statements.push_back(std::move(s));
  }
  while (layout.edges.size() < edgeCount) {
    MapLayout::Edge edge;
    int32_t side = 0;
    if (!(in >> edge.from >> edge.to >> side) || edge.from >= blockCount || edge.to >= blockCount ||
        (side >= 0 && static_cast<uint32_t>(side) >= sides))
      return false;
    edge.side = static_cast<uint32_t>(side);
    layout.edges.push_back(edge);
    in.ignore(1);
  }
  for (char reason = 0; layout.unreachable.size() < layout.elements() && in.get(reason);) {
    if (reason < '0' || reason > '0' + int(Unreachable::Behind)) return false;
    layout.unreachable.push_back(static_cast<Unreachable>(reason - '0'));
  }
  return layout.unreachable.size() == layout.elements();
}

} // namespace fathom::campaign
