// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setjmp and longjmp. The jump buffer gets a token: the serial number of the activation, and the
// call's position in it. longjmp leaves activations until that one is on top.
#include "explore/builtin/JumpBuiltins.h"

#include "evidence/BugKind.h"
#include "explore/decide/BugReports.h"

namespace fathom::explore {

using namespace program;

namespace {
constexpr uint64_t kMagic = 0x6674686d6a6d7031; // says that this buffer was filled by setjmp
}

BuiltinOutcome JumpBuiltins::setjmpCall(State &s, const Call &c) {
  uint64_t buffer = concreteArgument(s, c, 0, "buffer");
  if (!bounds(s, buffer, 24, /*write=*/true)) return Outcome::Ended;
  interpreter_.memory.store(s, buffer, 8, kMagic, 0);
  interpreter_.memory.store(s, buffer + 8, 8, s.top->serial, 0);
  interpreter_.memory.store(s, buffer + 16, 8,
                            static_cast<uint64_t>(c.ip - interpreter_.code.codeOf(s.top->function)),
                            0);
  returns(s, c, 0);
  return Outcome::Next;
}

BuiltinOutcome JumpBuiltins::longjmpCall(State &s, const Call &c) {
  uint64_t buffer = concreteArgument(s, c, 0, "buffer");
  if (!bounds(s, buffer, 24, /*write=*/false)) return Outcome::Ended;
  ExprPtr value = term(s, c, 1, 32);
  value = ctx_.ite(ctx_.eq(value, ctx_.constant(0, 32)), ctx_.constant(1, 32), value);
  uint64_t magic = interpreter_.memory.load(s, buffer, 8).lo,
           serial = interpreter_.memory.load(s, buffer + 8, 8).lo;
  auto at = static_cast<uint32_t>(interpreter_.memory.load(s, buffer + 16, 8).lo);
  const Frame *target = s.top;
  while (target && target->serial != serial) target = target->parent;
  if (magic != kMagic || !target) {
    bugs_.report(s, evidence::BugKind::BadCall,
                 magic != kMagic ? "longjmp with a buffer that setjmp did not fill"
                                 : "longjmp into a function that has returned",
                 s.witness);
    return Outcome::Ended;
  }
  while (s.top->serial != serial) interpreter_.calls.leave(s);
  const Inst *call = interpreter_.code.codeOf(s.top->function) + at;
  interpreter_.registers.setRegister(*s.top, call->dst, value);
  s.ip = call + 1;
  return Outcome::Jumped;
}

void JumpBuiltins::add(BuiltinNames &to) {
  for (const char *n :
       {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__setjmp", "__fathom_setjmp"})
    to[n] = bind(this, &JumpBuiltins::setjmpCall);
  for (const char *n : {"longjmp", "_longjmp", "siglongjmp", "__fathom_longjmp"})
    to[n] = bind(this, &JumpBuiltins::longjmpCall);
}

} // namespace fathom::explore
