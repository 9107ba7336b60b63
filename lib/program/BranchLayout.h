// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the layouts of all native variants begin with: the branches of the program's own code, under
// the numbers that they have everywhere in Fathom, and a number for each of their sides.
#ifndef FATHOM_PROGRAM_BRANCHLAYOUT_H
#define FATHOM_PROGRAM_BRANCHLAYOUT_H

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace fathom::program {

struct BranchLayout {
  struct Branch {
    std::string function, file; ///< file: as in Program::files; "" without debug information
    uint32_t line = 0, column = 0;
    uint32_t sides = 2;
    uint32_t sideBase = 0; ///< its first side
  };
  std::vector<Branch> branches; ///< by number
  uint32_t sides = 0;           ///< of all branches
};

/// Names of source files by number, in the order of names. Part of a layout's text form.
class FileNumbers {
public:
  /// Adds a name. All names are added before numbers are assigned.
  void add(const std::string &name) { numbers_.emplace(name, 0); }
  size_t size() const { return numbers_.size(); }
  /// Numbers the names. REQUIRES that no name is added afterwards.
  void assignNumbers();
  /// The names, one a line.
  std::string text() const;
  /// REQUIRES that the name was added, and assignNumbers() called since.
  size_t operator[](const std::string &name) const { return numbers_.at(name); }

private:
  std::map<std::string, size_t> numbers_;
};

/// One line for each branch.
std::string branchText(const BranchLayout &layout, const FileNumbers &files);

/// Reads as many lines as there are files. False: there are fewer.
bool readFileNames(std::istream &in, size_t count, std::vector<std::string> &files);
/// Reads what branchText wrote; sets `branches` and `sides`. False: that does not stand there.
bool readBranches(std::istream &in, size_t count, const std::vector<std::string> &files,
                  BranchLayout &layout);

} // namespace fathom::program
#endif
