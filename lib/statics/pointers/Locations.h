// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pointers point to. Each leaf of an object's layout is a location. An object with several
// leaves has one more, *anywhere*: a pointer to an unknown place in the object.
#ifndef FATHOM_STATICS_POINTERS_LOCATIONS_H
#define FATHOM_STATICS_POINTERS_LOCATIONS_H

#include "statics/front/Facts.h"

#include <string>
#include <vector>

namespace fathom::statics {

using LocationId = uint32_t;

class Locations {
public:
  explicit Locations(const Layouts &layouts) : layouts_(layouts) {}
  void add(ObjectId object, LayoutId layout); ///< in the order of objects
  uint32_t count() const { return static_cast<uint32_t>(object_.size()); }

  ObjectId objectOf(LocationId location) const { return object_[location]; }
  LocationId first(ObjectId object) const { return first_[object]; }
  uint32_t leaves(ObjectId object) const { return layouts_[layout_[object]].leaves; }
  LayoutId layoutOf(ObjectId object) const { return layout_[object]; }
  LocationId anywhere(ObjectId object) const;
  bool isAnywhere(LocationId location) const {
    const ObjectId object = object_[location];
    return leaves(object) > 1 && location == anywhere(object);
  }
  LocationId at(ObjectId object, int64_t offset) const {
    return first_[object] + layouts_.leafAt(layout_[object], offset);
  }
  /// The offset of the location's first byte. REQUIRES: not anywhere.
  uint64_t offsetOf(LocationId location) const {
    const ObjectId object = object_[location];
    return layouts_.offsetOf(layout_[object], location - first_[object]);
  }
  /// Where a pointer to `location` points after it was moved.
  LocationId moved(LocationId location, const Move &by) const;

private:
  const Layouts &layouts_;
  std::vector<ObjectId> object_;  ///< of each location
  std::vector<LocationId> first_; ///< of each object
  std::vector<LayoutId> layout_;  ///< of each object
};

} // namespace fathom::statics
#endif
