// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/AssumedMemory.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/Places.h"
#include "explore/decide/Symbols.h"
#include "explore/LedgerText.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace fathom::explore {

using evidence::LedgerCategory;

using expr::Kind;

namespace {

constexpr unsigned kPointerBytes = 8;

std::string beyondText(const ObjectState &object) {
  return fmt::format(
      "an access outside of the {} bytes that are looked at of {}, which callers made",
      object.size(), object.info->name);
}

constexpr std::string_view kPartName = " at ";

/// The bytes of a concatenation, the lowest first. False: it is made of something else, too.
bool bytesOf(ExprPtr e, std::vector<ExprPtr> &out) {
  if (out.size() > kPointerBytes) return false;
  if (e->kind() == Kind::Concat) return bytesOf(e->op(1), out) && bytesOf(e->op(0), out);
  if (e->kind() != Kind::Read) return false;
  out.push_back(e);
  return true;
}

} // namespace

UnknownPart unknownPart(std::string_view array) {
  const size_t at = array.rfind(kPartName);
  if (at == array.npos) return {array, 0};
  const std::string_view number = array.substr(at + kPartName.size());
  uint64_t first = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), first);
  if (error != std::errc() || end != number.data() + number.size()) return {array, 0};
  return {array.substr(0, at), first};
}

ExprPtr AssumedMemory::unknownBytes(State &s, const std::string &name, uint64_t size) {
  ExprPtr bytes = symbols_.symbolFor(s, name, size);
  unknown_.insert(bytes);
  symbols_.addSymbol(s, bytes, name);
  return bytes;
}

void AssumedMemory::forgetGlobals(State &s, const program::FunctionCode &entry) {
  const auto isHidden = [&](const std::string &name) {
    return std::ranges::any_of(entry.params,
                               [&](const program::Param &p) { return p.name == name; });
  };
  uint64_t large = 0;
  for (const program::Global &g : program_.globals) {
    if (g.constant || !g.own || !g.sizeBytes) continue;
    const std::vector<bool> fixed = fixedBytes(g);
    if (std::ranges::count(fixed, true) == static_cast<ptrdiff_t>(g.sizeBytes)) continue;
    if (g.sizeBytes > kSmallGlobal && g.sizeBytes <= kMaxGlobalBytes) large += g.sizeBytes;
    if (g.sizeBytes > kMaxGlobalBytes || (g.sizeBytes > kSmallGlobal && large > kMaxLargeBytes)) {
      keep(*s.memory.find(g.address),
           withHint(
               fmt::format("variable {} of {} bytes keeps its initial value", g.name, g.sizeBytes),
               fmt::format("entry-memory makes those of up to {} bytes unknown", kMaxGlobalBytes)));
      continue;
    }
    // A parameter may have the same name, and readers of the function mean the parameter by it.
    ExprPtr bytes = unknownBytes(s, isHidden(g.name) ? "global " + g.name : g.name, g.sizeBytes);
    for (uint64_t i = 0; i < g.sizeBytes; i++)
      if (!fixed[i]) s.memory.writeSym(g.address + i, ctx_.read(bytes, i));
    assumeRanges(s, g, bytes);
  }
  for (const program::Global &g : program_.globals)
    if (!g.constant && g.own && g.addressTaken && g.sizeBytes)
      watchWrites(*s.memory.find(g.address));
}

void AssumedMemory::watchWrites(const ObjectState &object) {
  object.info->isWritten = &isWritten_;
  interpreter_.memory.forgetObject(object);
}

void AssumedMemory::keep(const ObjectState &object, std::string note) {
  if (object.info->isRead) return; // it has one
  kept_.push_back({std::move(note)});
  object.info->isRead = &kept_.back().isRead;
  interpreter_.memory.flushTlb();
}

void AssumedMemory::noteAccesses() {
  for (Kept &kept : kept_)
    if (kept.isRead && !kept.isNoted) {
      kept.isNoted = true;
      ledger_.add(LedgerCategory::BoundSize, "", kept.note); // the path may have gone on since
    }
  if (isWritten_ && hasPointers_) noteOutside();
}

void AssumedMemory::noteOutside() {
  if (notedOutside_) return;
  notedOutside_ = true;
  ledger_.add(LedgerCategory::AssumedOutside, "",
              fmt::format("pointers of the callers lead to the beginning of objects, and to none "
                          "but the {} that were met last",
                          kMaxAliases));
}

std::vector<bool> AssumedMemory::fixedBytes(const program::Global &variable) {
  std::vector<bool> out(variable.sizeBytes);
  for (const program::NumberRange &range : variable.ranges)
    if (range.least == range.greatest)
      std::fill_n(out.begin() + static_cast<ptrdiff_t>(range.offset), range.bytes, true);
  return out;
}

void AssumedMemory::assumeRanges(State &s, const program::Global &variable, ExprPtr bytes) {
  for (const program::NumberRange &range : variable.ranges) {
    if (range.least == range.greatest) continue;
    ExprPtr number = ctx_.read(bytes, range.offset);
    for (uint32_t i = 1; i < range.bytes; i++)
      number = ctx_.concat(ctx_.read(bytes, range.offset + i), number);
    const unsigned width = 8 * range.bytes;
    const auto constant = [&](int64_t value) {
      return ctx_.constant(static_cast<uint64_t>(value), width);
    };
    // least <= number <= greatest, with signs, as one comparison without.
    ExprPtr isWithin = ctx_.ule(ctx_.sub(number, constant(range.least)),
                                ctx_.sub(constant(range.greatest), constant(range.least)));
    std::shared_ptr<const expr::Model> model;
    if (feasibility_.feasible(s, isWithin, model) == Feasible::Yes)
      feasibility_.assume(s, isWithin, model);
  }
}

ExprPtr AssumedMemory::pointerIn(ExprPtr address) const {
  if (!isOn()) return nullptr;
  if (address->kind() == Kind::Add) {
    if (ExprPtr p = pointerIn(address->op(0))) return p;
    return pointerIn(address->op(1));
  }
  if (address->kind() != Kind::Concat || address->width() != 8 * kPointerBytes) return nullptr;
  std::vector<ExprPtr> bytes;
  if (!bytesOf(address, bytes) || bytes.size() != kPointerBytes) return nullptr;
  ExprPtr array = bytes[0]->op(0);
  if (!unknown_.contains(array) || !bytes[0]->op(1)->isConst()) return nullptr;
  for (unsigned i = 1; i < kPointerBytes; i++)
    if (bytes[i]->op(0) != array || !bytes[i]->op(1)->isConst(bytes[0]->op(1)->value() + i))
      return nullptr;
  return address;
}

const State::UnknownPointer *AssumedMemory::find(const State &s, ExprPtr pointer) {
  for (auto *n = s.unknownPointers.last.get(); n; n = n->previous.get())
    if (n->value.pointer == pointer) return &n->value;
  return nullptr;
}

Feasible AssumedMemory::makeObject(State &s, ExprPtr pointer) {
  ExprPtr first = pointer;
  while (first->kind() == Kind::Concat) first = first->op(1);
  const UnknownPart part = unknownPart(symbols_.nameOf(first->op(0)));
  const uint64_t offset = part.first + first->op(1)->value();
  std::string name = fmt::format("*{}", part.object);
  if (offset) name += fmt::format("+{}", offset);
  const ObjectState *o = s.memory.allocate(
      kBytes, ObjectKind::Heap, /*zeroed=*/true,
      {s.top->function, static_cast<uint32_t>(s.ip - interpreter_.code.codeOf(s.top->function))},
      name,
      /*align=*/16);
  if (!o) {
    ends_.abandon(s, LedgerCategory::BoundSize, "no room for an object that a caller made");
    return Feasible::Unknown;
  }
  o->info->assumed = true;
  const uint64_t base = o->base();
  ExprPtr any = ctx_.eq(pointer, ctx_.constant(base, 64)), fresh = any;
  unsigned aliases = options_.entryMemory == EntryMemory::LazyAliased ? kMaxAliases : 0;
  for (auto *n = s.unknownPointers.last.get(); n && aliases; n = n->previous.get())
    if (!n->value.isSettled) {
      any = ctx_.bvOr(any, ctx_.eq(pointer, ctx_.constant(n->value.base, 64)));
      --aliases;
    }
  if (options_.entryMemory == EntryMemory::LazyAliased && !aliases) noteOutside();
  s.unknownPointers.push({pointer, base, /*isSettled=*/false});
  ExprPtr bytes = unknownBytes(s, name, kBytes);
  for (uint64_t i = 0; i < kBytes; i++) s.memory.writeSym(base + i, ctx_.read(bytes, i));
  hasPointers_ = true;
  watchWrites(*s.memory.find(base));
  ledger_.add(LedgerCategory::AssumedMemory, places_.where(s),
              "a pointer of the callers is assumed to be valid and to overlap no others");
  // The new object first; the witness decides which one the path takes.
  std::shared_ptr<const expr::Model> model;
  Feasible answer = feasibility_.feasible(s, fresh, model);
  if (answer == Feasible::No && any != fresh) answer = feasibility_.feasible(s, any, model);
  if (answer == Feasible::Yes) feasibility_.assume(s, any, model);
  return answer;
}

ExprPtr AssumedMemory::settle(State &s, ExprPtr address) {
  while (ExprPtr pointer = pointerIn(address)) {
    solver::Clock::spend(StepKind::Symbol, s.unknownPointers.size());
    const State::UnknownPointer *known = find(s, pointer);
    if (!known) {
      const Feasible made = makeObject(s, pointer);
      if (made == Feasible::No) return address; // the path says that it is null, say
      if (made != Feasible::Yes) return nullptr;
    }
    uint64_t base = known ? known->base : 0;
    if (!known || !known->isSettled) {
      base = feasibility_.splitOnValue(s, pointer);
      s.unknownPointers.push({pointer, base, /*isSettled=*/true});
    }
    ExprPtr offset = ctx_.sub(address, pointer);
    const ObjectState *object = s.memory.find(base);
    if (object && object->info->assumed && offset->isConst() &&
        static_cast<int64_t>(offset->value()) < 0) {
      endBeyond(s, *object);
      return nullptr;
    }
    address = ctx_.add(ctx_.constant(base, 64), offset);
    if (object) interpreter_.registers.origins.note(address, base);
  }
  return address;
}

bool AssumedMemory::grow(State &s, const ObjectState &object, uint64_t bytes) {
  const uint64_t base = object.base(), before = object.size();
  const std::string name = object.info->name;
  if (bytes > kMaxObjectBytes || !s.memory.grow(base, std::bit_ceil(bytes))) return false;
  interpreter_.memory.flushTlb();
  const uint64_t more = std::bit_ceil(bytes) - before;
  ExprPtr fresh = unknownBytes(s, fmt::format("{}{}{}", name, kPartName, before), more);
  const bool isWritten = isWritten_; // this is no write of the path
  for (uint64_t i = 0; i < more; i++) s.memory.writeSym(base + before + i, ctx_.read(fresh, i));
  isWritten_ = isWritten;
  return true;
}

void AssumedMemory::noteBeyond(State &s, const ObjectState &object, ExprPtr isBeyond) {
  if (notedBeyond_ || isBeyond->isFalse()) return;
  std::shared_ptr<const expr::Model> model;
  if (feasibility_.probe(s, isBeyond, model, LossIfUnknown::Nothing) == Feasible::No) return;
  notedBeyond_ = true;
  ledger_.add(LedgerCategory::BoundSize, places_.where(s), beyondText(object));
}

void AssumedMemory::endBeyond(State &s, const ObjectState &object) {
  ends_.abandon(s, LedgerCategory::BoundSize, beyondText(object));
}

} // namespace fathom::explore
