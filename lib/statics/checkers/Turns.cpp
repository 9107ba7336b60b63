// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Turns.h"

#include <algorithm>

namespace fathom::statics {

void Turns::begin() {
  if (!used_) return;
  begin_ = std::min(used_(), 1.0);
  end_ = begin_ + (1 - begin_) / static_cast<double>(std::max<size_t>(left_, 1));
  if (left_ > 0) left_--;
}

double Turns::share() const {
  if (stop_) return 2;
  if (!used_) return 0;
  const double used = used_();
  // Without time of its own, a turn is over when it begins.
  return end_ > begin_ ? std::max(0.0, (used - begin_) / (end_ - begin_)) : 1;
}

} // namespace fathom::statics
