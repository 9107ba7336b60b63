// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Objects.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::bmc {

namespace {

/// Above all addresses of the program (Address.h), with room for each object.
constexpr uint64_t kFirstAddress = uint64_t(1) << 62, kRoom = uint64_t(1) << 32;
constexpr int64_t kWordBytes = 8;
/// Choices of choices; what is deeper is any value.
constexpr uint32_t kMaxChoices = 12;

int64_t wordNumber(int64_t offset) {
  return offset >= 0 ? offset / kWordBytes : -((-offset + kWordBytes - 1) / kWordBytes);
}

} // namespace

bool isWord(ExprPtr e) {
  return e->kind() == expr::Kind::Concat && e->op(0)->kind() == expr::Kind::Read;
}

Objects::Objects(expr::ExprContext &context, const program::Program &program, bool knowsVariables)
    : context_(context), program_(program), knowsVariables_(knowsVariables) {
  for (uint32_t i = 0; i < program.globals.size(); ++i)
    variables_.emplace(program.globals[i].address, i);
  Base zero;
  zero.kind = Base::Kind::Zero;
  zero_ = std::make_shared<const Base>(std::move(zero));
}

ObjectId Objects::add(Object object) {
  objects_.push_back(object);
  return static_cast<ObjectId>(objects_.size() - 1);
}

ObjectId Objects::addPlaced(Object object) {
  object.base = kFirstAddress + objects_.size() * kRoom + kRoom / 2;
  return add(object);
}

ObjectId Objects::addLocal(uint32_t function, uint64_t size) {
  return addPlaced({.kind = ObjectKind::Local, .size = size, .owner = function});
}

ObjectId Objects::addHeap() { return addPlaced({.kind = ObjectKind::Heap}); }

ObjectId Objects::variable(uint32_t index) {
  ObjectId &id = ofVariable_.try_emplace(index, kNoObject).first->second;
  if (id != kNoObject) return id;
  const program::Global &g = program_.globals[index];
  return id = add({ObjectKind::Variable, g.address, g.sizeBytes, nullptr, index, false});
}

ObjectId Objects::variableAt(uint64_t address) {
  auto after = variables_.upper_bound(address);
  if (after == variables_.begin()) return kNoObject;
  --after;
  const program::Global &g = program_.globals[after->second];
  // One past the end is a pointer to it, too.
  return address - g.address <= g.sizeBytes ? variable(after->second) : kNoObject;
}

ObjectId Objects::objectAt(uint64_t address) {
  if (address < kFirstAddress) return variableAt(address);
  const uint64_t id = (address - kFirstAddress) / kRoom;
  return id < objects_.size() && objects_[id].base ? static_cast<ObjectId>(id) : kNoObject;
}

ObjectId Objects::unknownAt(ExprPtr root) {
  ObjectId &id = ofRoot_.try_emplace(root, kNoObject).first->second;
  if (id != kNoObject) return id;
  return id = add({ObjectKind::Unknown, 0, 0, root, 0, isOfCallers(root)});
}

void Objects::setAccessed(ObjectId id, const ObjectSet &givenAway) {
  Object &object = objects_[id];
  if (object.kind == ObjectKind::Unknown && !object.knownAddresses && isWord(object.root))
    object.knownAddresses = givenAway;
}

BasePtr Objects::initial(ObjectId id) {
  const Object &object = objects_[id];
  Base base;
  base.id = ++numBases_;
  if (object.kind == ObjectKind::Variable) {
    const program::Global &g = program_.globals[object.owner];
    // What libc's hold is set before main.
    if (g.constant || (knowsVariables_ && g.own)) {
      base.kind = Base::Kind::Bytes;
      base.bytes = &g.init;
    } else {
      base.variable = object.owner;
    }
  }
  // What was read through a pointer of theirs is theirs, too.
  base.isOfCallers = object.kind == ObjectKind::Variable || object.isOfCallers;
  return std::make_shared<const Base>(std::move(base));
}

BasePtr Objects::baseAt(ObjectId id, const EpochPtr &epoch) {
  // What changed it last; other states came through there, too.
  const Epoch *at = epoch.get();
  while (at && !isChanged(id, at->changes)) at = at->before.get();
  BasePtr &known = bases_[uint64_t(id) << 32 | (at ? at->id : 0)];
  if (known) return known;
  if (!at) return known = initial(id);
  const Object &object = objects_[id];
  return known = freshBase(object.kind == ObjectKind::Variable ? object.owner : program::kNoIndex);
}

EpochPtr Objects::addEpoch(EpochPtr before, Changes changes) {
  const uint32_t depth = before ? before->depth + 1 : 1;
  return std::make_shared<const Epoch>(
      Epoch{std::move(before), std::move(changes), ++epochs_, depth});
}

EpochPtr Objects::joined(EpochPtr a, EpochPtr b) {
  Changes changes;
  while (a != b) {
    const bool isFirst = !b || (a && a->depth >= b->depth);
    EpochPtr &deeper = isFirst ? a : b;
    changes.add(deeper->changes);
    deeper = deeper->before;
  }
  return addEpoch(std::move(a), std::move(changes));
}

bool Objects::isChanged(ObjectId id, const Changes &changes) const {
  const Object &object = objects_[id];
  if (object.kind == ObjectKind::Variable && program_.globals[object.owner].constant) return false;
  if (changes.everything) return true;
  switch (object.kind) {
  case ObjectKind::Variable: return std::ranges::binary_search(changes.variables, object.owner);
  case ObjectKind::Local: return std::ranges::binary_search(changes.frames, object.owner);
  case ObjectKind::Heap: return changes.blocks;
  // It may be anything.
  case ObjectKind::Unknown:
    return changes.blocks || !changes.variables.empty() || !changes.frames.empty();
  }
  return true;
}

BasePtr Objects::choice(ExprPtr condition, const BasePtr &yes, const BasePtr &no) {
  if (yes == no) return yes;
  const uint32_t depth = std::max(yes->depth, no->depth) + 1;
  if (depth > kMaxChoices) return freshBase();
  Base out;
  out.kind = Base::Kind::Choice;
  out.condition = condition;
  out.yes = yes;
  out.no = no;
  out.depth = depth;
  return std::make_shared<const Base>(std::move(out));
}

BasePtr Objects::freshBase(uint32_t variable) {
  Base base;
  base.id = ++numBases_;
  base.variable = variable;
  return std::make_shared<const Base>(std::move(base));
}

ExprPtr Objects::fresh(unsigned width) {
  const unsigned bytes = (width + 7) / 8;
  const ExprPtr symbol = context_.symbol(fmt::format("u{}", ++symbols_), bytes);
  return context_.trunc(expr::readWord(context_, symbol, uint64_t(0), bytes), width);
}

ExprPtr Objects::wordOf(const Base &base, int64_t word) {
  ExprPtr &symbol = words_[{base.id, word}];
  if (!symbol) {
    symbol = context_.symbol(fmt::format("m{}", ++symbols_), kWordBytes);
    if (base.isOfCallers) ofCallers_[symbol] = true;
    addRanges(base, word, symbol);
  }
  return symbol;
}

void Objects::addRanges(const Base &base, int64_t word, ExprPtr symbol) {
  if (base.variable == program::kNoIndex) return;
  for (const program::NumberRange &range : program_.globals[base.variable].ranges) {
    const auto first = static_cast<int64_t>(range.offset);
    // One that lies across two words says nothing here.
    if (range.bytes > 8 || first / kWordBytes != word ||
        (first + range.bytes - 1) / kWordBytes != word)
      continue;
    const ExprPtr value =
        expr::readWord(context_, symbol, static_cast<uint64_t>(first % kWordBytes), range.bytes);
    const unsigned width = range.bytes * 8;
    const auto number = [&](int64_t n) {
      return context_.constant(static_cast<uint64_t>(n), width);
    };
    facts_.push_back(context_.sle(number(range.least), value));
    facts_.push_back(context_.sle(value, number(range.greatest)));
  }
}

ExprPtr Objects::byteOf(const Base &base, int64_t offset) {
  switch (base.kind) {
  case Base::Kind::Zero: return context_.constant(0, 8);
  case Base::Kind::Bytes: {
    const auto at = static_cast<uint64_t>(offset);
    return context_.constant(at < base.bytes->size() ? (*base.bytes)[at] : 0, 8);
  }
  case Base::Kind::Choice:
    return context_.ite(base.condition, byteOf(*base.yes, offset), byteOf(*base.no, offset));
  case Base::Kind::Unknown: break;
  }
  const int64_t word = wordNumber(offset);
  return context_.read(wordOf(base, word), static_cast<uint64_t>(offset - word * kWordBytes));
}

ExprPtr Objects::freshOfCallers(unsigned width) {
  const ExprPtr value = fresh(width);
  ofCallers_[context_.symbols().back()] = true;
  return value;
}

bool Objects::isOfCallers(ExprPtr root) const {
  // A whole word is its bytes.
  if (root->kind() == expr::Kind::Concat)
    return isOfCallers(root->op(0)) && isOfCallers(root->op(1));
  if (root->kind() == expr::Kind::Extract) return isOfCallers(root->op(0));
  return root->kind() == expr::Kind::Read && ofCallers_.lookup(root->op(0));
}

} // namespace fathom::bmc
