// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a term is not. Mostly it is zero alone: then a copy allocates nothing.
#ifndef FATHOM_STATICS_HEAP_EXCLUDEDNUMBERS_H
#define FATHOM_STATICS_HEAP_EXCLUDEDNUMBERS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fathom::statics::heap {

class ExcludedNumbers {
public:
  bool contains(int64_t n) const {
    return n == 0 ? hasZero_ : std::ranges::binary_search(others_, n);
  }
  /// Cost: linear in their number.
  void insert(int64_t n) {
    if (n == 0) {
      hasZero_ = true;
      return;
    }
    const auto at = std::ranges::lower_bound(others_, n);
    if (at == others_.end() || *at != n) others_.insert(at, n);
  }
  /// Visits them in ascending order, until visit returns false.
  template <class Visit> void forEach(Visit &&visit) const {
    auto at = others_.begin();
    for (; at != others_.end() && *at < 0; ++at)
      if (!visit(*at)) return;
    if (hasZero_ && !visit(int64_t(0))) return;
    for (; at != others_.end(); ++at)
      if (!visit(*at)) return;
  }

private:
  bool hasZero_ = false;
  std::vector<int64_t> others_; ///< ascending
};

} // namespace fathom::statics::heap
#endif
