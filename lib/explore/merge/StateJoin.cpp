// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/StateJoin.h"

#include <algorithm>
#include <cstring>

namespace fathom::explore {

namespace {

/// Live objects, in the order of their addresses. What was freed says nothing but that it is gone.
std::vector<const ObjectState *> objectsOf(const State &s) {
  std::vector<const ObjectState *> objects;
  s.memory.forEachObject([&](const ObjectState &o) {
    if (!o.freed || o.outOfScope) objects.push_back(&o);
  });
  return objects;
}

template <class T> bool isSameList(const PersistentList<T> &a, const PersistentList<T> &b) {
  return a.last == b.last;
}

} // namespace

const char *StateJoin::whyApart(const State &a, const State &b) {
  const Frame &x = *a.top, &y = *b.top;
  // Where a function goes on after its last call (resume) says nothing of one that is running.
  if (a.ip != b.ip || x.function != y.function || x.serial != y.serial || x.parent != y.parent)
    return "they are at different places";
  if (x.allocas != y.allocas || x.saveArea != y.saveArea || x.varArea != y.varArea)
    return "their local variables are different objects";
  if (a.pending || b.pending) return "a question is open";
  if (a.threads || b.threads) return "there are threads";
  if (a.hasExact || b.hasExact || a.results.size() || b.results.size() || a.statefulCalls.size() ||
      b.statefulCalls.size() || a.usesExternal || b.usesExternal)
    return "external functions were called";
  if (a.seeds || b.seeds) return "they follow seeds";
  if (!isSameList(a.output, b.output)) return "their output differs";
  if (!isSameList(a.symbols, b.symbols) || !isSameList(a.inputs, b.inputs))
    return "their inputs differ";
  if (!isSameList(a.lengths, b.lengths)) return "they have different blocks of symbolic size";
  if (!isSameList(a.unknownPointers, b.unknownPointers))
    return "pointers that callers gave lead to different objects";
  if (!isSameList(a.preferred, b.preferred)) return "the wishes for their inputs differ";
  if (a.unwritten.size() != b.unwritten.size()) return "unwritten memory was read";
  if (!isSameList(a.failedAllocations, b.failedAllocations)) return "allocations failed";
  if (a.allocations != b.allocations) return "they allocated different numbers of blocks";
  if (a.threadPointer != b.threadPointer) return "there are threads";
  return nullptr;
}

const StateJoin::Flow &StateJoin::flowOf(uint32_t function) {
  std::unique_ptr<Flow> &flow = flows_[function];
  const program::FunctionCode &f = program_.functions[function];
  if (!flow)
    flow = std::make_unique<Flow>(
        Flow{program::SlotLiveness(program_, f, f.slots), program::SlotWidths(program_, f)});
  return *flow;
}

ExprPtr StateJoin::merged(std::span<const ExprPtr> terms, const Values &values) {
  if (std::ranges::all_of(terms, [&](ExprPtr e) { return e == terms[0]; })) return terms[0];
  ExprPtr e = values.synthesised(terms);
  if (!e) e = values.chosen(terms);
  if (values.noted) values.noted(terms, e);
  return e;
}

// --- registers

bool StateJoin::joinFrame(State &into, std::span<const State *const> states, const Values &values) {
  const uint32_t function = into.top->function;
  const program::FunctionCode &f = program_.functions[function];
  const auto at = static_cast<uint32_t>(into.ip - interpreter_.code.codeOf(function));
  const Flow &flow = flowOf(function);
  const llvm::BitVector live = flow.liveness.liveAt(at);
  std::vector<unsigned> widths;
  std::vector<ExprPtr> terms(states.size());
  for (uint32_t slot = 0; slot < f.slots; slot++) {
    if (!live.test(slot)) continue;
    auto symOf = [&](const State *s) { return s->top->syms ? s->top->syms[slot] : nullptr; };
    auto differs = [&](const State *s) {
      return symOf(s) != symOf(states[0]) || s->top->bits()[slot] != states[0]->top->bits()[slot];
    };
    if (std::ranges::none_of(states, differs)) continue;
    unsigned width = 0;
    for (const State *s : states)
      if (ExprPtr e = symOf(s)) width = e->width();
    if (!width) {
      if (widths.empty()) widths = flow.widths.widthsAt(at);
      width = widths[slot];
    }
    if (width == program::SlotWidths::kUnknown || width > 64) return false;
    for (size_t i = 0; i < states.size(); i++) {
      terms[i] = interpreter_.registers.registerTerm(*states[i]->top, slot, width);
      if (terms[i]->width() != width) return false;
    }
    interpreter_.registers.setRegister(*into.top, slot, merged(terms, values));
  }
  return true;
}

// --- memory

ExprPtr StateJoin::wordOf(const ObjectState &object, uint64_t offset, unsigned bytes) {
  ExprPtr word = nullptr;
  for (unsigned i = 0; i < bytes; i++) {
    const Page *page = object.pages[(offset + i) >> kPageShift];
    const auto at = static_cast<unsigned>((offset + i) & (kPageSize - 1));
    ExprPtr sym = page ? page->sym(at) : nullptr;
    ExprPtr byte = sym ? sym : ctx_.constant(page ? page->data[at] : 0, 8);
    word = word ? ctx_.concat(byte, word) : byte;
  }
  return word;
}

/// Bytes [from, to), all of which were written.
void StateJoin::joinBytes(State &into, std::span<const ObjectState *const> objects, uint64_t from,
                          uint64_t to, const Values &values) {
  const uint64_t base = objects[0]->base();
  std::vector<ExprPtr> terms(objects.size());
  for (uint64_t at = from; at < to;) {
    // A number that the program counts with is a word: its bytes do not make a progression each.
    ExprPtr word = nullptr;
    unsigned bytes = 8;
    for (; bytes > 1; bytes /= 2) {
      if (at % bytes || at + bytes > to) continue;
      for (size_t i = 0; i < objects.size(); i++) terms[i] = wordOf(*objects[i], at, bytes);
      if ((word = values.synthesised(terms))) break;
    }
    if (word && values.noted) values.noted(terms, word);
    if (!word) {
      bytes = 1;
      for (size_t i = 0; i < objects.size(); i++) terms[i] = wordOf(*objects[i], at, 1);
      word = merged(terms, values);
    }
    for (unsigned i = 0; i < bytes; i++)
      into.memory.writeSym(base + at + i, ctx_.extract(word, 8 * i, 8));
    at += bytes;
  }
}

bool StateJoin::joinPage(State &into, std::span<const ObjectState *const> objects, uint32_t page,
                         const Values &values) {
  const uint64_t start = uint64_t(page) << kPageShift;
  const unsigned size = objects[0]->pageSize(page);
  auto isUnwritten = [&](const ObjectState *o, unsigned i) {
    return o->pages[page] ? o->pages[page]->isUninit(i) : !o->info->zeroed;
  };
  auto valueOf = [&](const ObjectState *o, unsigned i) {
    const Page *p = o->pages[page];
    return p ? std::pair(p->sym(i), p->data[i]) : std::pair(ExprPtr(nullptr), uint8_t(0));
  };
  for (unsigned word = 0; word < size; word += 8) {
    const unsigned end = std::min(word + 8, size);
    bool differs = false, isWritten = true;
    for (unsigned i = word; i < end; i++)
      for (const ObjectState *o : objects) {
        if (isUnwritten(o, i) != isUnwritten(objects[0], i)) return false;
        isWritten &= !isUnwritten(o, i);
        differs |= !isUnwritten(o, i) && valueOf(o, i) != valueOf(objects[0], i);
      }
    if (!differs) continue;
    if (isWritten) {
      joinBytes(into, objects, start + word, start + end, values);
      continue;
    }
    for (unsigned i = word; i < end; i++)
      if (!isUnwritten(objects[0], i)) joinBytes(into, objects, start + i, start + i + 1, values);
  }
  return true;
}

namespace {

/// allowed: so many bytes may differ, if one of the two is a term.
bool isSamePage(const ObjectState &a, const ObjectState &b, uint32_t number, unsigned &allowed) {
  const Page *x = a.pages[number], *y = b.pages[number];
  if (x == y) return true;
  auto at = [](const ObjectState &o, const Page *p, unsigned i) {
    if (!p) return std::tuple(ExprPtr(nullptr), uint8_t(0), !o.info->zeroed);
    const bool isUnwritten = p->isUninit(i);
    return std::tuple(p->sym(i), p->sym(i) || isUnwritten ? uint8_t(0) : p->data[i], isUnwritten);
  };
  for (unsigned i = 0; i < a.pageSize(number); i++) {
    const auto [symA, valueA, isUnwrittenA] = at(a, x, i);
    const auto [symB, valueB, isUnwrittenB] = at(b, y, i);
    if (isUnwrittenA != isUnwrittenB) return false;
    if (symA == symB && valueA == valueB) continue;
    // Two numbers that differ can be what the loop counts with, or a pointer.
    if (!allowed || (!symA && !symB)) return false;
    allowed--;
  }
  return true;
}

bool isSameObject(const ObjectState &a, const ObjectState &b, unsigned &allowed) {
  if (&a == &b) return true;
  if (a.info->base != b.info->base || a.info->size != b.info->size ||
      a.info->kind != b.info->kind || a.outOfScope != b.outOfScope || a.length != b.length ||
      a.known != b.known)
    return false;
  for (uint32_t p = 0; !a.outOfScope && p < a.numPages; p++)
    if (!isSamePage(a, b, p, allowed)) return false;
  return true;
}

} // namespace

llvm::BitVector StateJoin::liveAt(const State &s) {
  const uint32_t function = s.top->function;
  const auto at = static_cast<uint32_t>(s.ip - interpreter_.code.codeOf(function));
  // Of all slots: the way out of a loop can end in code that has still to copy a block's own
  // values.
  return flowOf(function).liveness.liveAt(at);
}

bool StateJoin::isSameFrame(const State &a, const State &b, const llvm::BitVector *steering) {
  const llvm::BitVector live = liveAt(a);
  auto symOf = [](const State &s, uint32_t slot) {
    return s.top->syms ? s.top->syms[slot] : nullptr;
  };
  for (uint32_t slot = 0; slot < live.size(); slot++) {
    if (!live.test(slot) || (steering && !steering->test(slot))) continue;
    ExprPtr x = symOf(a, slot), y = symOf(b, slot);
    if (x != y || (!x && a.top->bits()[slot] != b.top->bits()[slot])) return false;
  }
  return true;
}

uint64_t StateJoin::signature(const State &s, const llvm::BitVector *steering) {
  const llvm::BitVector live = liveAt(s);
  uint64_t hash = State::after(s.output.size(), s.allocations);
  for (uint32_t slot = 0; slot < live.size(); slot++) {
    if (!live.test(slot) || (steering && !steering->test(slot))) continue;
    ExprPtr e = s.top->syms ? s.top->syms[slot] : nullptr;
    hash = State::after(hash, e ? e->hash() : s.top->bits()[slot]);
  }
  return hash;
}

bool StateJoin::isSame(const State &a, const State &b, const llvm::BitVector *steering) {
  constexpr unsigned kMaxSteeredBytes = 64;
  if (whyApart(a, b) || !isSameFrame(a, b, steering)) return false;
  const auto x = objectsOf(a), y = objectsOf(b);
  unsigned allowed = steering ? kMaxSteeredBytes : 0;
  return std::ranges::equal(x, y, [&](auto *o, auto *p) { return isSameObject(*o, *p, allowed); });
}

bool StateJoin::joinObject(State &into, std::span<const ObjectState *const> objects,
                           const Values &values) {
  for (uint32_t page = 0; page < objects[0]->numPages; page++) {
    auto isSame = [&](const ObjectState *o) { return o->pages[page] == objects[0]->pages[page]; };
    if (!std::ranges::all_of(objects, isSame) && !joinPage(into, objects, page, values))
      return false;
  }
  return true;
}

/// What each of them has for certain, all have.
void StateJoin::joinLengths(State &into, std::span<const ObjectState *const> objects,
                            const Values &values) {
  uint64_t known = objects[0]->known;
  bool differ = false;
  std::vector<ExprPtr> lengths;
  for (const ObjectState *o : objects) {
    differ |= o->length != objects[0]->length || o->known != known;
    known = std::min(known, o->known);
    lengths.push_back(o->length ? o->length : ctx_.constant(o->size(), 64));
  }
  if (differ) into.memory.setLength(objects[0]->base(), merged(lengths, values), known);
}

bool StateJoin::joinMemory(State &into, std::span<const State *const> states,
                           const Values &values) {
  std::vector<std::vector<const ObjectState *>> all;
  for (const State *s : states) all.push_back(objectsOf(*s));
  for (const auto &objects : all)
    if (objects.size() != all[0].size()) return false;
  std::vector<const ObjectState *> same(states.size());
  for (size_t n = 0; n < all[0].size(); n++) {
    bool differ = false;
    for (size_t i = 0; i < states.size(); i++) {
      same[i] = all[i][n];
      const ObjectInfo &a = *same[0]->info, &b = *same[i]->info;
      if (a.base != b.base || a.size != b.size || a.kind != b.kind ||
          same[0]->outOfScope != same[i]->outOfScope)
        return false;
      differ |= same[i] != same[0];
    }
    if (!differ || same[0]->outOfScope) continue;
    joinLengths(into, same, values);
    if (!joinObject(into, same, values)) return false;
  }
  return true;
}

ExprPtr StateJoin::equalTerms(std::span<const ExprPtr> terms) {
  return std::ranges::all_of(terms, [&](ExprPtr e) { return e == terms[0]; }) ? terms[0] : nullptr;
}

bool StateJoin::join(State &into, std::span<const State *const> states, const Values &values) {
  return joinFrame(into, states, values) && joinMemory(into, states, values);
}

} // namespace fathom::explore
