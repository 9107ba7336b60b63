// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call of an external function can see: its arguments, and the memory that they reach, as
// far as its description says or, without one, through all pointers.
#include "explore/external/CallCapture.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Addresses.h"
#include "explore/decide/Places.h"
#include "explore/decide/Sizes.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"
#include "explore/external/ForeignCode.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;
using native::ExternalType;

namespace {

constexpr uint64_t kMaxBytes = 1 << 20; // of memory, in one call

constexpr uint64_t kMaxSymbolicBytes = 1 << 14; // of them that are terms

constexpr size_t kMaxBlocks = 64;

constexpr uint32_t kMaxCalls = 256; // stateful ones, of a path

/// Parts of objects, merged where they are of one object.
class Reach {
public:
  struct Part {
    uint64_t from, to; // addresses
    bool written;
  };
  void add(uint64_t object, uint64_t from, uint64_t to, bool written) {
    auto [it, isNew] = parts_.try_emplace(object, Part{from, to, written});
    Part &p = it->second;
    p.from = std::min(p.from, from);
    p.to = std::max(p.to, to);
    p.written |= written;
  }
  bool has(uint64_t object) const { return parts_.count(object) > 0; }
  const std::map<uint64_t, Part> &parts() const { return parts_; }

private:
  std::map<uint64_t, Part> parts_; // by the object's address
};

struct Parameter {
  ForeignType type = ForeignType::Integer;
  uint32_t slot = 0;
  uint32_t signWidth = 0;
  bool readOnly = false;
  bool isVariable = false; ///< one of the variable arguments
};

} // namespace

static constexpr const char *kGivenAway =
    "the size of an object that an external function is given";

/// From this offset up to a byte that has this value for sure, included; up to the object's end
/// where there is none.
static uint64_t bytesUntil(const Memory &memory, const ObjectState &o, uint64_t offset,
                           uint8_t last) {
  uint64_t i = offset;
  for (; i < o.known; i++) {
    ByteValue b = memory.read(o, i);
    if (!b.sym && !b.uninit && b.value == last) return i + 1 - offset;
  }
  return i - offset;
}

/// Pointers are to memory that the statement has as an operand, or may be followed one step.
static FunctionEffects effectsOfAssembly(const External &callee) {
  FunctionEffects fx;
  for (size_t i = 0; i < callee.params.size(); i++) {
    ParameterEffect p;
    if (callee.params[i] == ForeignType::Pointer) {
      p.kind = ParameterEffect::Memory;
      p.written = !callee.readOnly[i];
      p.byteCount = callee.bytes[i];
    } else {
      p.mayPoint = callee.assemblyMemory;
    }
    fx.parameters.push_back(p);
  }
  return fx;
}

Capture CallCapture::captureCall(State &s, const External &callee, const uint32_t *args,
                                 uint32_t numArgs, ExternalCall &call, std::string &why) {
  const bool hasBody = callee.body != kNoIndex;
  call.effects = foreign_.policy.effects.find(callee.name);
  if (!callee.assembly.empty()) {
    call.ofAssembly = effectsOfAssembly(callee);
    call.effects = &call.ofAssembly;
  }
  const FunctionEffects *fx = call.effects;
  if (fx && fx->isInline) {
    why = "what it does cannot be told from outside";
    return Capture::Refused;
  }
  // --- parameters
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < callee.params.size(); i++) {
    if (callee.params[i] == ForeignType::Other || i >= numArgs) {
      why = "a parameter of a type that cannot be passed";
      return Capture::Refused;
    }
    parameters.push_back(
        {callee.params[i], args[i], callee.signWidth[i], callee.readOnly[i], false});
  }
  if (callee.varArg && s.ip->d != kNoIndex)
    for (const VarArg &v : program_.functions[s.top->function].varArgs[s.ip->d]) {
      if (v.byval || v.passed == ArgClass::Memory) {
        why = "a variable argument of a type that cannot be passed";
        return Capture::Refused;
      }
      parameters.push_back({v.passed == ArgClass::Sse ? ForeignType::Double : ForeignType::Integer,
                            v.slot, 0, false, true});
    }
  if (callee.retSlots && callee.result == ForeignType::Other) {
    why = "a result of a type that cannot be passed";
    return Capture::Refused;
  }

  // --- memory
  Reach reach;
  std::deque<uint64_t> pending; // objects whose pointers are to be followed
  std::vector<uint64_t> pointsTo(parameters.size(), 0);
  std::vector<std::pair<uint64_t, uint64_t>> strings(parameters.size()); // object's place, bytes
  auto effectOf = [&](size_t i) -> const ParameterEffect * {
    return fx && i < fx->parameters.size() ? &fx->parameters[i] : nullptr;
  };
  for (size_t i = 0; i < parameters.size(); i++) {
    const Parameter &p = parameters[i];
    ExprPtr e = interpreter_.registers.registerTerm(*s.top, p.slot, 64);
    if (e->has(expr::kHasUninit)) {
      e = uninitUses_.settleUninit(s, e, "an argument");
      interpreter_.registers.setRegister(*s.top, p.slot, e);
    }
    call.arguments.push_back(e);
    const ParameterEffect *effect = effectOf(i);
    const bool isMemory =
        effect ? effect->kind != ParameterEffect::Value : p.type == ForeignType::Pointer;
    const bool mayPoint = effect ? effect->mayPoint : p.isVariable;
    if (e->width() != 64 || (!isMemory && !mayPoint)) continue;
    if (e->isConst()) {
      const uint64_t v = e->value();
      if (classOf(v) == kFunctionClass) {
        why = "it is given a function of the program to call";
        return Capture::Refused;
      }
      if (!isDataAddress(v) || !s.memory.resolve(v, 0, Memory::Extent::Capacity)) {
        if (v == 0 || !isMemory) continue;
        // The function would access it, or not: the interpreter knows.
        why = "a pointer to no object";
        if (hasBody) return Capture::Refused;
        continue;
      }
    } else if (!isMemory) {
      continue;
    }
    const bool mayWrite = effect ? effect->written || effect->mayPoint : !p.readOnly;
    Resolved r = addresses_.resolve(s, e, 0, /*write=*/false);
    if (r.again) return Capture::Again;
    if (!r.object) return Capture::Ended;
    // Resolving may have decided what the pointer is.
    const uint64_t base = r.object->base();
    uint64_t from = 0, to = sizes_.settle(s, *r.object, kGivenAway);
    const ObjectState &o = *s.memory.find(base);
    if (r.offset->isConst()) {
      from = r.offset->value();
      if (effect && effect->kind == ParameterEffect::String) {
        to = from + bytesUntil(s.memory, o, from, 0);
        strings[i] = {base + from, to - from};
      } else if (effect && effect->byteCount) {
        to = std::min(to, from + effect->byteCount);
      } else if (effect && effect->until >= 0) {
        ExprPtr last = interpreter_.registers.registerTerm(
            *s.top, parameters[static_cast<size_t>(effect->until)].slot, 64);
        if (last->isConst())
          to = from + bytesUntil(s.memory, o, from, static_cast<uint8_t>(last->value()));
      } else if (effect && effect->sizeFrom >= 0) {
        ExprPtr size = interpreter_.registers.registerTerm(
            *s.top, parameters[static_cast<size_t>(effect->sizeFrom)].slot, 64);
        if (size->isConst() && size->value() <= to - from)
          to = from + size->value();
        else if (size->isConst() && hasBody) {
          why = "more bytes than the object has";
          return Capture::Refused;
        }
      }
    }
    pointsTo[i] = base;
    reach.add(base, base + from, base + to, mayWrite && o.info->kind != ObjectKind::Constant);
    if (!fx) pending.push_back(base);
  }
  // What a string is copied to.
  for (size_t i = 0; i < parameters.size(); i++) {
    const ParameterEffect *effect = effectOf(i);
    if (!effect || effect->sizeAs < 0 || !pointsTo[i] || !call.arguments[i]->isConst()) continue;
    const auto &[at, bytes] = strings[static_cast<size_t>(effect->sizeAs)];
    const Reach::Part &part = reach.parts().at(pointsTo[i]);
    const uint64_t from = call.arguments[i]->value();
    if (!at || part.from != from || bytes >= part.to - from) continue;
    Reach shorter;
    for (auto &[object, p] : reach.parts())
      shorter.add(object, p.from, object == pointsTo[i] ? from + bytes : p.to, p.written);
    reach = shorter;
  }
  // Pointers in it.
  for (; !pending.empty(); pending.pop_front()) {
    const Reach::Part part = reach.parts().at(pending.front());
    const ObjectState &o = *s.memory.find(pending.front());
    for (uint64_t at = (part.from + 7) & ~uint64_t(7); at + 8 <= part.to; at += 8) {
      uint64_t word = 0;
      bool plain = true;
      for (unsigned i = 0; i < 8 && plain; i++) {
        ByteValue b = s.memory.read(o, at - o.base() + i);
        plain = !b.sym && !b.uninit;
        word |= uint64_t(b.value) << (8 * i);
      }
      if (!plain || !isDataAddress(word)) continue;
      const ObjectState *target = s.memory.resolve(word, 0, Memory::Extent::Capacity);
      if (!target || reach.has(target->base())) continue;
      const uint64_t bytes = sizes_.settle(s, *target, kGivenAway);
      target = s.memory.find(word);
      reach.add(target->base(), target->base(), target->base() + bytes,
                target->info->kind != ObjectKind::Constant);
      pending.push_back(target->base());
      if (reach.parts().size() > kMaxBlocks) {
        why = "its arguments reach too many objects";
        return Capture::Refused;
      }
    }
  }

  call.signature.function = callee.name;
  call.signature.ofProgram = hasBody || !callee.assembly.empty();
  call.signature.apart = !fx;
  call.signature.isPure =
      callee.assembly.empty() && (fx ? !fx->isStateful : hasBody && callee.isPure);
  call.signature.stateful = fx ? fx->isStateful : !hasBody;
  // Otherwise it is among what the arguments reach, where nothing can be told apart.
  const uint64_t errnoAddress = s.threadPointer + kErrnoAt;
  const ObjectState *thread =
      !fx || fx->setsErrno ? s.memory.resolve(errnoAddress, kErrnoBytes) : nullptr;
  if (thread && reach.has(thread->base())) thread = nullptr;
  if (thread) reach.add(thread->base(), errnoAddress, errnoAddress + kErrnoBytes, /*written=*/true);

  const auto earlier = earlierCalls(s, call);
  // What a library was given it may have kept: it is there as long as the program has it.
  for (auto &before : earlier)
    for (size_t b = 0; b < before->addresses.size(); b++) {
      const uint64_t from = before->addresses[b];
      const auto &block = before->signature.blocks[b];
      const ObjectState *o = s.memory.resolve(from, block.size);
      if (o && reach.parts().size() < kMaxBlocks)
        reach.add(o->base(), from, from + block.size, block.written);
    }

  // --- as bytes
  uint64_t total = 0;
  std::map<uint64_t, int> blocks; // object -> block
  for (auto &[object, part] : reach.parts()) {
    blocks[object] = static_cast<int>(call.signature.blocks.size());
    if (thread && object == thread->base() && part.from == errnoAddress)
      call.signature.errnoBlock = blocks[object];
    call.signature.blocks.push_back({part.to - part.from, part.written});
    call.addresses.push_back(part.from);
    total += part.to - part.from;
  }
  if (total > kMaxBytes) {
    why = "its arguments reach too much memory";
    return Capture::Refused;
  }
  for (const Parameter &p : parameters)
    call.signature.arguments.push_back(p.type == ForeignType::Double  ? ExternalType::Double
                                       : p.type == ForeignType::Float ? ExternalType::Float
                                                                      : ExternalType::Integer);
  for (size_t i = 0; fx && i < std::min<size_t>(fx->parameters.size(), 64); i++)
    if (fx->parameters[i].kind == ParameterEffect::String) call.signature.strings |= 1ull << i;
  call.signature.returnsPointer = callee.result == ForeignType::Pointer;
  call.signature.result = callee.result == ForeignType::Void || !callee.retSlots
                              ? ExternalType::Void
                          : callee.result == ForeignType::Double ? ExternalType::Double
                          : callee.result == ForeignType::Float  ? ExternalType::Float
                                                                 : ExternalType::Integer;
  call.bytes.assign(call.signature.inputBytes(), 0);
  for (size_t i = 0; i < parameters.size(); i++) {
    ExprPtr e = call.arguments[i];
    call.blockOf.push_back(pointsTo[i] ? blocks.at(pointsTo[i]) : -1);
    if (e->width() > 64) {
      why = "an argument of more than 64 bits";
      return Capture::Refused;
    }
    if (uint32_t width = parameters[i].signWidth; width && width < 64)
      e = ctx_.sext(e->width() > width ? ctx_.trunc(e, width) : e, 64);
    putWord(call, 8 * i, ctx_.zext(e, 64));
  }
  for (size_t b = 0; b < call.addresses.size(); b++) {
    memcpy(&call.bytes[call.signature.addressAt(b)], &call.addresses[b], 8);
    const ObjectState &o = *s.memory.find(call.addresses[b]);
    for (uint64_t i = 0; i < call.signature.blocks[b].size; i++) {
      const uint64_t place = call.signature.contentsAt(b) + i;
      ByteValue v = s.memory.read(o, call.addresses[b] - o.base() + i);
      call.bytes[place] = v.uninit ? 0 : v.value;
      if (v.sym && v.sym->has(expr::kHasUninit))
        call.bytes[place] = static_cast<uint8_t>(witnesses_.witnessValue(s, v.sym));
      else if (v.sym)
        call.symbolic.emplace_back(place, v.sym);
    }
  }
  call.signature.searchedApart =
      call.signature.stateful &&
      (!earlier.empty() || call.signature.returnsPointer || (fx && fx->isStateful));
  for (auto &before : earlier) {
    const uint64_t at = call.bytes.size();
    call.bytes.insert(call.bytes.end(), before->bytes.begin(), before->bytes.end());
    for (auto &[place, term] : before->symbolic) call.symbolic.emplace_back(at + place, term);
    call.signature.before.emplace_back(before, &before->signature);
  }
  if (call.symbolic.size() > kMaxSymbolicBytes) {
    why = "too many symbolic bytes";
    return Capture::Refused;
  }
  return Capture::Done;
}

/// Calls on the path that a stateful one sees the traces of, oldest first.
std::vector<std::shared_ptr<const ExternalCall>>
CallCapture::earlierCalls(State &s, const ExternalCall &call) {
  std::vector<std::shared_ptr<const ExternalCall>> earlier;
  if (!call.signature.stateful) return earlier;
  uint64_t bytes = 0;
  for (auto *before : s.statefulCalls.items())
    if ((*before)->signature.ofProgram == call.signature.ofProgram) {
      earlier.push_back(*before);
      bytes += (*before)->bytes.size();
    }
  if (earlier.size() < kMaxCalls && bytes <= kMaxBytes) return earlier;
  ledger_.add(LedgerCategory::ExternalState, places_.where(s),
              fmt::format("{} was run without the calls before it: there are more than {}",
                          call.signature.function, kMaxCalls));
  return {};
}

/// The call, for those that come after it on the path.
void CallCapture::noteStatefulCall(State &s, const ExternalCall &call, bool deferred,
                                   const std::vector<uint8_t> &in) {
  if (!call.signature.stateful || s.statefulCalls.size() > kMaxCalls) return;
  auto kept = std::make_shared<ExternalCall>();
  kept->signature = call.signature;
  kept->signature.before.clear();
  kept->addresses = call.addresses;
  const uint64_t own = call.signature.ownBytes();
  auto &from = deferred ? call.bytes : in;
  kept->bytes.assign(from.begin(), from.begin() + static_cast<ptrdiff_t>(own));
  for (auto &[place, term] : call.symbolic)
    if (deferred && place < own) kept->symbolic.emplace_back(place, term);
  s.statefulCalls.push(std::move(kept));
}

void CallCapture::putWord(ExternalCall &call, uint64_t place, ExprPtr word) {
  for (unsigned i = 0; i < 8; i++) {
    ExprPtr byte = ctx_.extract(word, 8 * i, 8);
    if (byte->isConst())
      call.bytes[place + i] = static_cast<uint8_t>(byte->value());
    else
      call.symbolic.emplace_back(place + i, byte);
  }
}

} // namespace fathom::explore
