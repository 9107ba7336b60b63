// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/Layout.h"

#include <algorithm>
#include <utility>

namespace fathom::statics {

LayoutId Layouts::add(LayoutNode node) {
  if (node.leaves > kMaxLeaves) node = {LayoutNode::Leaf, node.bytes, 1, {}};
  nodes_.push_back(std::move(node));
  return static_cast<LayoutId>(nodes_.size() - 1);
}

LayoutId Layouts::leaf(uint64_t bytes) {
  return add({LayoutNode::Leaf, std::max<uint64_t>(bytes, 1), 1, {}});
}

LayoutId Layouts::array(LayoutId element, uint64_t count) {
  const LayoutNode &e = nodes_[element];
  return add(
      {LayoutNode::Array, e.bytes * std::max<uint64_t>(count, 1), e.leaves, {{0, element, 0}}});
}

LayoutId Layouts::structure(uint64_t bytes,
                            const std::vector<std::pair<uint64_t, LayoutId>> &members) {
  if (members.empty()) return leaf(bytes);
  LayoutNode node{LayoutNode::Structure, std::max<uint64_t>(bytes, 1), 0, {}};
  for (auto [offset, layout] : members) {
    node.parts.push_back({offset, layout, node.leaves});
    node.leaves += nodes_[layout].leaves;
  }
  return add(std::move(node));
}

static uint64_t inside(int64_t offset, uint64_t bytes) {
  const int64_t size = static_cast<int64_t>(bytes);
  const int64_t rest = offset % size;
  return static_cast<uint64_t>(rest < 0 ? rest + size : rest);
}

uint32_t Layouts::leafAt(LayoutId layout, int64_t offset) const {
  uint64_t at = inside(offset, nodes_[layout].bytes);
  uint32_t leaf = 0;
  for (;;) {
    const LayoutNode &node = nodes_[layout];
    if (node.kind == LayoutNode::Leaf) return leaf;
    const LayoutNode::Part *part = &node.parts.front();
    if (node.kind == LayoutNode::Structure) {
      auto next = std::upper_bound(
          node.parts.begin(), node.parts.end(), at,
          [](uint64_t wanted, const LayoutNode::Part &p) { return wanted < p.offset; });
      if (next != node.parts.begin()) part = &*(next - 1);
    }
    leaf += part->firstLeaf;
    layout = part->layout;
    const uint64_t bytes = nodes_[layout].bytes;
    at = at < part->offset ? 0 : at - part->offset;
    // Padding after a member is its last byte.
    at = node.kind == LayoutNode::Array ? at % bytes : std::min(at, bytes - 1);
  }
}

/// The part of a node in which a leaf lies.
static const LayoutNode::Part &partOf(const LayoutNode &node, uint32_t leaf) {
  auto next = std::upper_bound(
      node.parts.begin(), node.parts.end(), leaf,
      [](uint32_t wanted, const LayoutNode::Part &p) { return wanted < p.firstLeaf; });
  return *(next - 1);
}

uint64_t Layouts::offsetOf(LayoutId layout, uint32_t leaf) const {
  uint64_t offset = 0;
  while (nodes_[layout].kind != LayoutNode::Leaf) {
    const LayoutNode::Part &part = partOf(nodes_[layout], leaf);
    offset += part.offset;
    leaf -= part.firstLeaf;
    layout = part.layout;
  }
  return offset;
}

std::optional<uint32_t> Layouts::walk(LayoutId layout, uint32_t leaf, uint64_t stride) const {
  const LayoutNode &object = nodes_[layout];
  if (object.leaves == 1 || stride % object.bytes == 0) return leaf;
  uint32_t at = leaf;
  bool startsStructure = false;
  while (nodes_[layout].kind != LayoutNode::Leaf) {
    const LayoutNode &node = nodes_[layout];
    const LayoutNode::Part &part = partOf(node, at);
    at -= part.firstLeaf;
    layout = part.layout;
    if (node.kind != LayoutNode::Array) {
      // A walk over single bytes from there can be one over the array or over the structure.
      startsStructure = part.offset == 0 && node.parts.size() > 1;
      continue;
    }
    const LayoutNode &element = nodes_[layout];
    if (startsStructure && element.kind == LayoutNode::Leaf) continue;
    if (element.leaves == 1 || stride % element.bytes == 0) return leaf;
  }
  return std::nullopt;
}

} // namespace fathom::statics
