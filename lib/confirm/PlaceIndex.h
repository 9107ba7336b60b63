// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of which files have code in a program, so that a report of another program or of
// another version is told from one that can be asked about, in constant time.
#ifndef FATHOM_CONFIRM_PLACEINDEX_H
#define FATHOM_CONFIRM_PLACEINDEX_H

#include "confirm/Defect.h"
#include "program/Code.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace fathom::confirm {

class PlaceIndex {
public:
  /// Of the program's own functions. Linear in the code; keeps no reference to it.
  explicit PlaceIndex(const program::Program &program);

  struct Match {
    /// The program's name of the file, where there is exactly one with code at the line.
    std::string file;
    std::vector<uint32_t> functions; ///< ids, ascending; more than one: inlined or in a header
    /// Non-empty: why there is no match, as one clause.
    std::string why;
  };
  Match find(const Place &place) const;
  /// Of a function: how many of its instructions have several ways.
  uint32_t branchesOf(uint32_t function) const { return branches_[function]; }

private:
  struct File {
    std::string path;
    std::unordered_map<uint32_t, std::vector<uint32_t>> functions; ///< by line
    uint32_t lastLine = 0;
  };
  std::vector<File> files_;
  std::vector<uint32_t> branches_;                                ///< by function
  std::unordered_map<std::string, std::vector<uint32_t>> byName_; ///< without folders
};

} // namespace fathom::confirm
#endif
