// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of an object the analysis tells apart.
//
// A layout divides a type into *leaves*: the members of structures down to scalars. All elements of
// an array share the leaves of one element, and an object is an array of its type itself, so every
// offset, also a negative one, belongs to a leaf. What a walk over memory with some stride can
// reach is then known without looking at other walks: it stays at its leaf when the stride is a
// multiple of the size of an array's elements around it; otherwise it may be anywhere in the
// object. Nothing is merged while the analysis runs, so results do not depend on the order of its
// steps.
#ifndef FATHOM_STATICS_FRONT_LAYOUT_H
#define FATHOM_STATICS_FRONT_LAYOUT_H

#include <cstdint>
#include <optional>
#include <vector>

namespace fathom::statics {

using LayoutId = uint32_t;

/// One type, or a part of one.
struct LayoutNode {
  enum Kind : uint8_t { Leaf, Array, Structure } kind = Leaf;
  uint64_t bytes = 1;  ///< at least 1; of an array: of all elements
  uint32_t leaves = 1; ///< how many it has
  /// The element of an array; the members of a structure in ascending order of their offsets.
  struct Part {
    uint64_t offset;
    LayoutId layout;
    uint32_t firstLeaf; ///< relative to this node's
  };
  std::vector<Part> parts;
};

/// All layouts of a program. Layout 0 is one leaf without structure.
class Layouts {
public:
  /// A type with more leaves is one leaf.
  static constexpr uint32_t kMaxLeaves = 1024;

  Layouts() : nodes_(1) {}
  const LayoutNode &operator[](LayoutId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }

  LayoutId leaf(uint64_t bytes);
  LayoutId array(LayoutId element, uint64_t count);
  /// \param members  offsets ascending; empty: one leaf.
  LayoutId structure(uint64_t bytes, const std::vector<std::pair<uint64_t, LayoutId>> &members);

  /// The leaf of an object with this layout to which the byte at `offset` belongs; padding belongs
  /// to the member before it.
  uint32_t leafAt(LayoutId layout, int64_t offset) const;
  /// Where the leaf begins, in the first elements of all arrays.
  uint64_t offsetOf(LayoutId layout, uint32_t leaf) const;
  /// Where a pointer to this leaf points after steps of `stride` bytes, any number of them: nullopt
  /// says anywhere in the object.
  std::optional<uint32_t> walk(LayoutId layout, uint32_t leaf, uint64_t stride) const;

private:
  LayoutId add(LayoutNode node);
  std::vector<LayoutNode> nodes_;
};

} // namespace fathom::statics
#endif
