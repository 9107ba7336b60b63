// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FreedObjects.h"

namespace fathom::statics {

const SparseBits &FreedObjects::objectsOf(SetId locations) {
  auto [known, isNew] = objects_.try_emplace(locations);
  if (isNew)
    view_.pts.sets[locations].forEach(
        [&](LocationId l) { known->second.insert(view_.pts.locations.objectOf(l)); });
  return known->second;
}

/// Thousands of locations of a region hold a few different sets.
const SparseBits &FreedObjects::heldIn(SetId region) {
  auto [known, isNew] = held_.try_emplace(region);
  SparseBits &out = known->second;
  if (!isNew) return out;
  const PointsTo &pts = view_.pts;
  SparseBits contents; // SetId
  pts.sets[region].forEach([&](LocationId l) {
    contents.insert(pts.contentSetOf(l));
    const ObjectId object = pts.locations.objectOf(l);
    if (pts.locations.leaves(object) > 1)
      contents.insert(pts.contentSetOf(pts.locations.anywhere(object)));
  });
  contents.forEach([&](SetId set) { out.unite(objectsOf(set)); });
  return out;
}

SetId FreedObjects::regionOf(FlowNode memory) const {
  const FunctionId f = view_.flow.functionOf(memory);
  return view_.flow.memory(f).regions[view_.flow.version(memory).region];
}

const SparseBits &FreedObjects::of(FlowNode node) {
  return isMemory(node) ? heldIn(regionOf(node)) : objectsOf(view_.pts.setOf(node));
}

bool FreedObjects::set(const std::vector<FlowNode> &pointers, bool isFile) {
  freed_.clear();
  bool isFirst = true;
  for (const FlowNode pointer : pointers) {
    if (view_.flow.isTransfer(pointer)) continue;
    const SparseBits &objects = of(pointer);
    if (objects.empty()) continue;
    if (isFirst)
      freed_ = objects;
    else
      freed_.intersect(objects);
    isFirst = false;
  }
  if (isFirst) return true; // nothing is known of any
  if (isFile) return !freed_.empty();
  SparseBits allocated;
  freed_.forEach([&](ObjectId object) {
    const ObjectKind kind = view_.pts.objects[object].kind;
    if (kind == ObjectKind::Heap || kind == ObjectKind::Unknown) allocated.insert(object);
  });
  freed_ = std::move(allocated);
  return !freed_.empty();
}

bool FreedObjects::mayBe(FlowNode node) {
  if (view_.flow.isTransfer(node)) return true;
  if (view_.flow.isValue(node) && !view_.facts.values[node].mayPoint) return false;
  if (freed_.empty()) return true;
  const SparseBits &objects = of(node);
  // In code that runs, what holds no pointer has none to what was freed: a counter, say, that
  // happens to be as wide.
  if (objects.empty()) return !view_.pts.isReached(view_.flow.functionOf(node));
  return objects.intersects(freed_);
}

bool FreedObjects::mayPointInto(ValueId pointer, FlowNode memory) {
  const SparseBits &objects = objectsOf(view_.pts.setOf(pointer));
  return objects.empty() || !isMemory(memory) || objects.intersects(objectsOf(regionOf(memory)));
}

} // namespace fathom::statics
