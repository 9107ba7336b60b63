// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/state/State.h"

#include "explore/external/ExternalCall.h"
#include "expr/UnsimplifiedTerm.h"

#include <cstring>
#include <new>

namespace fathom::explore {

namespace {

/// Frames that were released, by size: calls come and go too fast for malloc. Single-threaded, like
/// all that has to do with states.
class FramePool {
public:
  void *take(uint32_t slots) {
    const uint32_t k = sizeClass(slots);
    if (k >= kClasses) return malloc(sizeof(Frame) + slots * sizeof(uint64_t));
    if (void *f = free_[k]) {
      free_[k] = *static_cast<void **>(f);
      return f;
    }
    return malloc(sizeof(Frame) + (size_t(k) + 1) * kStep * sizeof(uint64_t));
  }
  void giveBack(void *frame, uint32_t slots) {
    const uint32_t k = sizeClass(slots);
    if (k >= kClasses) return ::free(frame);
    *static_cast<void **>(frame) = free_[k];
    free_[k] = frame;
  }

private:
  static constexpr uint32_t kStep = 8, kClasses = 16;
  static uint32_t sizeClass(uint32_t slots) { return slots ? (slots - 1) / kStep : 0; }
  void *free_[kClasses] = {};
};
FramePool gFrames;

} // namespace

Frame *Frame::create(uint32_t function, uint32_t slots) {
  auto *f = new (gFrames.take(slots)) Frame;
  f->function = function;
  f->slots = slots;
  return f;
}

Frame *Frame::copy(const Frame &other) {
  Frame *f = create(other.function, other.slots);
  f->depth = other.depth;
  f->serial = other.serial;
  f->parent = other.parent;
  if (f->parent) f->parent->refs++;
  f->resume = other.resume;
  f->varArea = other.varArea;
  f->saveArea = other.saveArea;
  f->allocas = other.allocas;
  memcpy(f->bits(), other.bits(), other.slots * sizeof(uint64_t));
  if (other.syms) {
    f->syms = static_cast<ExprPtr *>(malloc(other.slots * sizeof(ExprPtr)));
    memcpy(f->syms, other.syms, other.slots * sizeof(ExprPtr));
  }
  return f;
}

void Frame::release(Frame *frame) {
  while (frame && --frame->refs == 0) {
    Frame *parent = frame->parent;
    ::free(frame->syms);
    const uint32_t slots = frame->slots;
    frame->~Frame();
    gFrames.giveBack(frame, slots);
    frame = parent;
  }
}

void Frame::makeSymbolic() {
  if (!syms) syms = static_cast<ExprPtr *>(calloc(slots ? slots : 1, sizeof(ExprPtr)));
}

uint64_t nextModelVersion() {
  static uint64_t versions = 0;
  return ++versions;
}

void StateData::setWitness(std::shared_ptr<const expr::Model> model) {
  witness = std::move(model);
  witnessVersion = nextModelVersion();
}

void StateData::visitTerms(const std::function<void(ExprPtr)> &visit, Visited &seen) const {
  forEachThread([&](const Frame *last, const program::Inst *) {
    for (const Frame *f = last; f && seen.insert(f).second; f = f->parent)
      if (f->syms)
        for (uint32_t i = 0; i < f->slots; i++)
          if (f->syms[i]) visit(f->syms[i]);
  });
  memory.visitTerms(visit, seen);
  if (pending) visit(pending->condition);
  for (auto *n = path.last(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->constraint);
  for (auto *n = exact.last(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->constraint);
  for (auto *n = results.last.get(); n && seen.insert(n).second; n = n->previous.get()) {
    visit(n->value.symbol);
    visit(n->value.apply); // null: nothing to visit
  }
  for (auto *n = statefulCalls.last.get(); n && seen.insert(n).second; n = n->previous.get())
    for (auto &[place, term] : n->value->symbolic) visit(term);
  for (auto *n = symbols.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->value);
  for (auto *n = guessed.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->value.condition);
  for (auto *n = counters.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->value);
  for (auto *n = merges.last.get(); n && seen.insert(n).second; n = n->previous.get()) {
    visit(n->value.counter); // null: nothing to visit
    if (n->value.members && seen.insert(n->value.members.get()).second)
      for (ExprPtr member : *n->value.members) visit(member);
  }
  for (auto *n = lengths.last.get(); n && seen.insert(n).second; n = n->previous.get()) {
    visit(n->value.symbol); // null: nothing to visit
    visit(n->value.length);
    visit(n->value.array); // likewise
  }
  for (auto *n = unknownPointers.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->value.pointer);
  for (auto *n = preferred.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visit(n->value);
  for (auto *n = decisions.last.get(); n && seen.insert(n).second; n = n->previous.get())
    if (n->value.condition) {
      visit(n->value.condition);
      expr::UnsimplifiedTerms::keep(n->value.asBuilt, visit);
    }
  auto visitAll = [&](const std::vector<ExprPtr> &terms) {
    for (ExprPtr e : terms)
      if (e) visit(e);
  };
  for (auto *n = inputs.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visitAll(n->value.terms);
  for (auto *n = output.last.get(); n && seen.insert(n).second; n = n->previous.get())
    visitAll(n->value.terms);
}

} // namespace fathom::explore
