// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bytes of the fuzzing variant's coverage map mean, and which elements of the program they
// show. Branch sides have the numbers that they have everywhere in Fathom.
//
//   map       one counter per branch side of the program's own code, then one per marked block
//   elements  the branch sides, then all basic blocks of the program's own code
//
// A block that is entered only over sides of branches has no counter: it was executed when one of
// these sides was taken. Statements are no elements of their own: they follow from the blocks.
#ifndef FATHOM_CAMPAIGN_MAPLAYOUT_H
#define FATHOM_CAMPAIGN_MAPLAYOUT_H

#include "campaign/ElementKinds.h"
#include "campaign/Unreachable.h"
#include "program/BranchLayout.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fathom::campaign {

struct MapLayout : program::BranchLayout {
  struct Block {
    std::string function, file;
    uint32_t line = 0, column = 0;
    /// Counters that are not 0 once the block was executed: its own, or those of the sides that
    /// lead to it.
    std::vector<uint32_t> shownBy;
  };
  /// Where control can go: between blocks, and from a block to the first one of a function that it
  /// calls by name.
  struct Edge {
    static constexpr uint32_t kNoSide = ~0u;
    uint32_t from = 0, to = 0; ///< numbers of blocks
    uint32_t side = kNoSide;   ///< kNoSide: a jump or a call
  };
  /// A source line of a function that has code, which is what gcov counts.
  struct Statement {
    std::string function, file;
    uint32_t line = 0;
    std::vector<uint32_t> blocks; ///< ascending; it was executed as soon as one of them was
  };
  std::vector<Block> blocks;
  std::vector<Statement> statements; ///< by function as in the module, then by file and line
  std::vector<Edge> edges;           ///< by `from`
  uint32_t markers = 0;              ///< blocks with a counter of their own
  /// By element. What is never covered has counters all the same.
  std::vector<Unreachable> unreachable;

  uint32_t counters() const { return sides + markers; }
  uint32_t elements() const { return sides + static_cast<uint32_t>(blocks.size()); }
  size_t count(ElementKind kind) const;
};

/// The elements that a map shows, ascending. REQUIRES map.size() >= layout.counters(). O(map +
/// blocks).
std::vector<uint32_t> elementsOf(const MapLayout &layout, std::span<const uint8_t> map);

/// The program's own functions. O(blocks).
std::set<std::string> functionsOf(const MapLayout &layout);

/// Text form, kept beside the variant.
std::string layoutText(const MapLayout &layout);
/// False when it is not the text of a layout of this version.
bool parseLayout(const std::string &text, MapLayout &layout);

} // namespace fathom::campaign
#endif
