// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/builtin/Builtins.h"

#include "explore/builtin/AllocatorBuiltins.h"
#include "explore/builtin/HostBuiltins.h"
#include "explore/builtin/JumpBuiltins.h"
#include "explore/builtin/RuntimeBuiltins.h"
#include "explore/builtin/ThreadBuiltins.h"
#include "explore/decide/Engine.h"

namespace fathom::explore {

struct Builtins::Groups {
  explicit Groups(Engine &engine)
      : allocator(engine), runtime(engine), host(engine), jumps(engine), threads(engine) {}
  AllocatorBuiltins allocator;
  RuntimeBuiltins runtime;
  HostBuiltins host;
  JumpBuiltins jumps;
  ThreadBuiltins threads;
};

Builtins::Builtins(Engine &engine) : groups_(std::make_unique<Groups>(engine)) {
  BuiltinNames byName;
  groups_->allocator.add(byName);
  groups_->runtime.add(byName);
  groups_->host.add(byName);
  groups_->jumps.add(byName);
  groups_->threads.add(byName);
  for (const program::External &e : engine.services.program.externals) {
    auto it = byName.find(e.name);
    table_.push_back(it == byName.end() ? Builtin() : it->second);
    exits_.push_back(e.name == RuntimeBuiltins::kExit);
  }
}

Builtins::~Builtins() = default;

} // namespace fathom::explore
