// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SinkCalls.h"

#include <algorithm>

namespace fathom::confirm {

SinkCalls::SinkCalls(const program::Program &program, const CallGraph &calls, const Place &sink) {
  const std::vector<uint32_t> functions = calls.functionsAt(sink);
  reached_ = calls.calledAt(sink, functions);
  for (const uint32_t id : functions) {
    const program::FunctionCode &f = program.functions[id];
    for (uint32_t i = 0; i < f.code.size(); ++i) {
      const program::Location &at = program.location(f, i);
      if ((f.code[i].op == program::Op::Call || f.code[i].op == program::Op::CallIndirect) &&
          sink.isAt(program.files[at.file], at.line))
        sites_.push_back({id, i});
    }
  }
  std::ranges::sort(sites_);
}

bool SinkCalls::isActive(const explore::Engine &engine, const explore::State &s) const {
  if (sites_.empty()) return false;
  for (const explore::Frame *f = s.top->parent; f; f = f->parent) {
    const auto inst =
        static_cast<uint32_t>(f->resume - 1 - engine.machine.code.codeOf(f->function));
    if (std::ranges::binary_search(sites_, OmittedSite{f->function, inst})) return true;
  }
  return false;
}

} // namespace fathom::confirm
