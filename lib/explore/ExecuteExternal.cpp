// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// External operations: functions of shared libraries that the program calls without having their
// code. They run natively, in a child process.
//
// The policy is `concretize`: arguments are given their values under the witness, the result is
// concrete, and the arguments stay symbolic afterwards. That loses the paths that other values
// would open and can diverge on replay: every call is in the ledger.
#include "explore/Executor.h"

#include "fmt/format.h"

namespace fathom::explore {

using namespace program;
using native::ExternalArgument;
using native::ExternalResult;
using native::ExternalType;

namespace {
/// Largest object that is handed to a foreign function.
constexpr uint64_t kMaxBuffer = 1 << 20;
} // namespace

bool Executor::externalCall(State &s, const External &callee, const uint32_t *args,
                            uint32_t numArgs) {
  stats_.externalCalls++;
  auto giveUp = [&](const std::string &why) {
    ledger_.add("external-call", where(s),
                fmt::format("call of {}: {}: the path ends", callee.name, why));
    endPath(s, EndKind::Partial, 0, fmt::format("partial: call of {}: {}", callee.name, why));
    return false;
  };
  if (options_.libraries.empty())
    return giveUp("it has no code, and no library was named (--load)");
  if (options_.nativeHelper.empty()) return giveUp("fathom-native-helper is not there to run it");
  if (callee.varArg) return giveUp("variable arguments cannot be passed to a foreign function");

  struct Buffer {
    uint64_t address;
    std::vector<uint8_t> before;
  };
  std::vector<ExternalArgument> arguments;
  std::vector<Buffer> buffers;
  bool symbolic = false;
  for (size_t i = 0; i < callee.params.size(); i++) {
    if (callee.params[i] == ForeignType::Other || i >= numArgs)
      return giveUp("a parameter of a type that cannot be passed");
    ExprPtr e = machine.registerTerm(*s.top, args[i], 64);
    symbolic |= !e->isConst();
    uint64_t value = e->isConst() ? e->word(0) : witnessValue(s, e);
    switch (callee.params[i]) {
    case ForeignType::Float: {
      float f;
      memcpy(&f, &value, sizeof f);
      arguments.push_back(ExternalArgument::single(f));
      break;
    }
    case ForeignType::Double: {
      double d;
      memcpy(&d, &value, sizeof d);
      arguments.push_back(ExternalArgument::real(d));
      break;
    }
    case ForeignType::Pointer:
      if (const ObjectState *o = s.memory.resolve(value, 0)) {
        uint64_t size = o->base() + o->size() - value;
        if (size > kMaxBuffer)
          return giveUp("a pointer to an object that is too large to be copied");
        std::vector<uint8_t> bytes(size);
        for (uint64_t j = 0; j < size; j++) {
          ByteValue b = s.memory.read(*o, value - o->base() + j);
          symbolic |= b.sym != nullptr;
          bytes[j] = b.sym ? static_cast<uint8_t>(witnessValue(s, b.sym)) : b.value;
        }
        buffers.push_back({value, bytes});
        arguments.push_back(ExternalArgument::bytes(std::move(bytes)));
        break;
      }
      [[fallthrough]];
    default: arguments.push_back(ExternalArgument::integer(value));
    }
  }
  ExternalType type = callee.result == ForeignType::Float    ? ExternalType::Float
                      : callee.result == ForeignType::Double ? ExternalType::Double
                                                             : ExternalType::Integer;
  if (!foreign_)
    foreign_ = std::make_unique<native::ExternalRunner>(native::ExternalRunnerOptions{
        .helper = options_.nativeHelper, .libraries = options_.libraries});
  ExternalResult r = foreign_->call(callee.name, arguments, type, options_.externalTimeout);
  switch (r.kind) {
  case ExternalResult::Kind::Done: break;
  case ExternalResult::Kind::Crash:
    report(s, BugKind::ExternalCrash,
           fmt::format("{} crashed with signal {}", callee.name, r.status), s.witness);
    return false;
  case ExternalResult::Kind::Exited:
    return giveUp(fmt::format("it ended the process with status {}", r.status));
  case ExternalResult::Kind::Timeout:
    return giveUp(fmt::format("no answer within {} ms", options_.externalTimeout.count()));
  case ExternalResult::Kind::NotFound: return giveUp("no library that was named has it");
  case ExternalResult::Kind::Failed: return giveUp(r.error);
  }
  s.usesExternal = true;
  ledger_.add("external-call", where(s),
              fmt::format("{} was run natively{}", callee.name,
                          symbolic ? " on one of the values that its arguments can have" : ""));
  for (size_t i = 0; i < buffers.size() && i < r.buffers.size(); i++) {
    const std::vector<uint8_t> &after = r.buffers[i];
    for (size_t j = 0; j < after.size() && j < buffers[i].before.size(); j++)
      if (after[j] != buffers[i].before[j])
        s.memory.writeConcrete(buffers[i].address + j, &after[j], 1);
  }
  if (callee.retSlots) {
    uint64_t bits = r.integer;
    if (type == ExternalType::Double)
      memcpy(&bits, &r.real, 8);
    else if (type == ExternalType::Float) {
      auto f = static_cast<float>(r.real);
      bits = 0;
      memcpy(&bits, &f, 4);
    } else if (callee.result == ForeignType::Pointer && bits)
      return giveUp("it returned a pointer into its own memory");
    if (callee.result == ForeignType::Other)
      return giveUp("a result of a type that cannot be passed");
    machine.setResult(*s.top, s.ip, callee, ctx_.constant(bits, 64));
  }
  s.ip++;
  machine.state = &s;
  machine.coverAfterCall(s.ip);
  return true;
}

} // namespace fathom::explore
