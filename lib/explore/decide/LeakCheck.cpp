// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/LeakCheck.h"

#include "evidence/BugKind.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Witnesses.h"
#include "support/NumberText.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace fathom::explore {

using namespace program;

void LeakCheck::checkLeaks(State &s) {
  if (!options_.checkLeaks || !s.memory.usage().heapObjects) return;
  // Only when main has returned: registers are reused as soon as their value is dead, so with
  // functions of the program still active (exit was called inside, or other threads run) a block
  // that a local variable holds would look lost.
  bool active = false;
  s.forEachThread([&](const Frame *top, const Inst *) {
    for (const Frame *f = top; f; f = f->parent) active |= program_.functions[f->function].own;
  });
  if (active) return;
  std::map<uint64_t, const ObjectState *> unreached; // by base: a fixed order
  std::vector<const ObjectState *> reached;
  s.memory.forEachObject([&](const ObjectState &o) {
    if (o.freed) return;
    if (o.info->kind == ObjectKind::Heap && !o.info->assumed)
      unreached.emplace(o.base(), &o);
    else
      reached.push_back(&o);
  });
  auto mark = [&](uint64_t value) {
    if (!isDataAddress(value)) return;
    const ObjectState *o = s.memory.find(value);
    if (!o) return;
    if (auto it = unreached.find(o->base());
        it != unreached.end() && value - o->base() <= o->size()) {
      reached.push_back(it->second);
      unreached.erase(it);
    }
  };
  // The remaining frames do not count as references: they belong to libc's exit code, and slots
  // that they have not written yet hold leftovers of earlier calls.
  auto bytesOf = [&](const Page &page, unsigned n, uint8_t *to) {
    memcpy(to, page.data, n);
    if (page.syms)
      page.syms->forEach([&](unsigned i, ExprPtr e) {
        if (i < n) to[i] = static_cast<uint8_t>(witnesses_.witnessValue(s, e));
      });
  };
  auto scan = [&](const ObjectState &o, unsigned step) {
    for (uint32_t p = 0; p < o.numPages; p++) {
      if (!o.pages[p]) continue;
      uint8_t bytes[kPageSize + 7];
      unsigned n = o.pages[p]->size;
      bytesOf(*o.pages[p], n, bytes);
      if (p + 1 < o.numPages && o.pages[p + 1]) { // a pointer may lie across
        unsigned more = std::min<unsigned>(7, o.pages[p + 1]->size);
        bytesOf(*o.pages[p + 1], more, bytes + n);
        n += more;
      }
      for (unsigned i = 0; i + 8 <= n; i += step) {
        uint64_t v;
        memcpy(&v, bytes + i, 8);
        mark(v);
      }
    }
  };
  // Only what is not found at the usual places is looked for at all of them: packed structures.
  for (unsigned step : {8, 1})
    for (size_t i = 0; i < reached.size() && !unreached.empty(); i++) scan(*reached[i], step);
  for (auto &[base, o] : unreached) {
    bugs_.report(s, evidence::BugKind::Leak,
                 fmt::format("{} of heap memory {} unreachable when the program ends",
                             plainCount(o->size(), "byte"), o->size() == 1 ? "is" : "are"),
                 s.witness, o, nullptr, /*pathGoesOn=*/true);
    if (stepContext_.sinkFailed) return;
  }
}

} // namespace fathom::explore
