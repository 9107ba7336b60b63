// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SinkCalls.h"

#include <algorithm>

namespace fathom::confirm {

bool SinkCalls::isActive(const explore::Engine &engine, const explore::State &s) const {
  if (calls_.empty()) return false;
  for (const explore::Frame *f = s.top->parent; f; f = f->parent) {
    const auto inst =
        static_cast<uint32_t>(f->resume - 1 - engine.interpreter.code.codeOf(f->function));
    if (std::ranges::binary_search(calls_, CallGraph::CallAt{f->function, inst})) return true;
  }
  return false;
}

} // namespace fathom::confirm
