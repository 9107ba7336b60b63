// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/BranchLayout.h"

#include <fmt/format.h>

namespace fathom::program {

void FileNumbers::assignNumbers() {
  size_t next = 0;
  for (auto &[name, number] : numbers_) number = next++;
}

std::string FileNumbers::text() const {
  std::string out;
  for (const auto &[name, number] : numbers_) out += name + "\n";
  return out;
}

std::string branchText(const BranchLayout &layout, const FileNumbers &files) {
  std::string out;
  for (const BranchLayout::Branch &b : layout.branches)
    out += fmt::format("{} {} {} {} {}\n", files[b.file], b.line, b.column, b.sides, b.function);
  return out;
}

bool readFileNames(std::istream &in, size_t count, std::vector<std::string> &files) {
  files.clear();
  for (std::string name; files.size() < count && std::getline(in, name);)
    files.push_back(std::move(name));
  return files.size() == count;
}

bool readBranches(std::istream &in, size_t count, const std::vector<std::string> &files,
                  BranchLayout &layout) {
  layout.branches.clear();
  layout.sides = 0;
  while (layout.branches.size() < count) {
    BranchLayout::Branch b;
    size_t file = 0;
    if (!(in >> file >> b.line >> b.column >> b.sides) || file >= files.size()) return false;
    in.ignore(1);
    if (!std::getline(in, b.function)) return false;
    b.file = files[file];
    b.sideBase = layout.sides;
    layout.sides += b.sides;
    layout.branches.push_back(std::move(b));
  }
  return true;
}

} // namespace fathom::program
