// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weak topological order of a control-flow graph: its vertices in an order with nested components,
// such that every edge against the order enters the head of a component that contains its source
// ([wto93] Sec. 4). Components are loops, also of graphs that are not reducible; a fixpoint needs
// to widen at heads only.
#ifndef FATHOM_STATICS_ABSTRACT_WEAKORDER_H
#define FATHOM_STATICS_ABSTRACT_WEAKORDER_H

#include <cstdint>
#include <vector>

namespace fathom::statics::abstract {

/// A vertex, or the component of which it is the head.
struct OrderElement {
  uint32_t vertex = 0;
  bool isComponent = false;
  std::vector<OrderElement> body; ///< of a component, without its head
};

/// \param successors  of each vertex, by number
/// \returns           the order of what vertex 0 reaches. Cost: O(edges * depth of nesting).
std::vector<OrderElement> weakOrder(const std::vector<std::vector<uint32_t>> &successors);

} // namespace fathom::statics::abstract
#endif
