// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/Locations.h"

#include <cassert>

namespace fathom::statics {

void Locations::add(ObjectId object, LayoutId layout) {
  assert(object == first_.size() && "objects come in order");
  first_.push_back(count());
  layout_.push_back(layout);
  const uint32_t leaves = layouts_[layout].leaves;
  object_.insert(object_.end(), leaves > 1 ? leaves + 1 : 1, object);
}

LocationId Locations::anywhere(ObjectId object) const {
  const uint32_t leaves = layouts_[layout_[object]].leaves;
  return first_[object] + (leaves > 1 ? leaves : 0);
}

LocationId Locations::moved(LocationId location, const Move &by) const {
  const ObjectId object = object_[location];
  const LayoutId layout = layout_[object];
  const LocationId first = first_[object];
  if (layouts_[layout].leaves == 1 || location == anywhere(object)) return location;
  uint32_t leaf = location - first;
  if (by.constant != 0)
    leaf = layouts_.leafAt(layout,
                           static_cast<int64_t>(layouts_.offsetOf(layout, leaf)) + by.constant);
  for (const uint64_t stride : by.strides)
    if (!layouts_.walk(layout, leaf, stride)) return anywhere(object);
  return first + leaf;
}

} // namespace fathom::statics
