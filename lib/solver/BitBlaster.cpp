// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/BitBlaster.h"

#include "solver/Translate.h"

namespace fathom::solver {

using expr::ExprPtr;
using expr::Kind;

void BitBlaster::clear() {
  circuit_.clear();
  words_.clear();
  canEncode_.clear();
  bytes_.clear();
}

// --- what there is a circuit for
// ------------------------------------------------------------------

static bool isSupported(ExprPtr e) {
  if (e->kind() > Kind::Store) return false; // floating point, external operations
  if (e->kind() == Kind::Read && e->op(0)->array().operation) return false;
  if (e->kind() != Kind::Read || e->op(1)->isConst()) return true;
  const Reach reach = reachOf(e->op(1), e->op(0)->array().sizeBytes);
  return reach.isEmpty() || reach.isWithin(kMaxMultiplexer);
}

bool BitBlaster::canEncode(ExprPtr root) {
  if (auto it = canEncode_.find(root); it != canEncode_.end()) return it->second;
  bool fine = true;
  std::vector<ExprPtr> stack{root}, seen;
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    // Marked as supported while the search goes on; taken back below if it was too early.
    if (!e->isArray() && !e->isConst()) {
      auto [it, isNew] = canEncode_.try_emplace(e, true);
      if (!isNew) {
        if (it->second) continue;
        fine = false;
        break;
      }
      seen.push_back(e);
    }
    if (!isSupported(e)) {
      fine = false;
      break;
    }
    for (unsigned i = 0; i < e->numOps(); ++i) stack.push_back(e->op(i));
  }
  if (!fine) {
    for (ExprPtr e : seen) canEncode_.erase(e);
    canEncode_[root] = false;
  }
  return fine;
}

// --- leaves
// ---------------------------------------------------------------------------------------

Word BitBlaster::byteVariable(Cell cell) {
  auto [it, isNew] = bytes_.try_emplace(cell.key);
  if (isNew)
    for (int i = 0; i < 8; ++i) it->second.push_back(circuit_.input());
  return it->second;
}

const Wire *BitBlaster::byteOf(Cell cell) const {
  auto it = bytes_.find(cell.key);
  return it == bytes_.end() ? nullptr : it->second.data();
}

const Wire *BitBlaster::find(ExprPtr e) const {
  auto it = words_.find(e);
  return it == words_.end() ? nullptr : it->second.data();
}

static Word constant(uint64_t value, unsigned width) {
  Word out(width);
  for (unsigned i = 0; i < width; ++i) out[i] = i < 64 && value >> i & 1 ? kTrue : kFalse;
  return out;
}

Word BitBlaster::get(ExprPtr e) const {
  if (!e->isConst()) return words_.find(e)->second;
  Word out(e->width());
  for (unsigned i = 0; i < e->width(); ++i) out[i] = e->word(i / 64) >> i % 64 & 1 ? kTrue : kFalse;
  return out;
}

// --- inner nodes
// ----------------------------------------------------------------------------------

const Wire *BitBlaster::wireOf(ExprPtr root, size_t maxGates) {
  const bool made = makeBottomUp(
      root, [this](ExprPtr e) { return words_.contains(e); },
      [&](ExprPtr e) {
        Word word = translate(e);
        words_[e] = std::move(word);
        return circuit_.size() <= maxGates;
      });
  return made ? find(root) : nullptr;
}

Word BitBlaster::translate(ExprPtr e) {
  Circuit &c = circuit_;
  if (e->isConst()) return get(e);
  if (e->kind() == Kind::Read) return translateRead(e);
  const Word a = get(e->op(0));
  const unsigned width = e->width();
  switch (e->kind()) {
  case Kind::Extract: return {a.begin() + e->offset(), a.begin() + e->offset() + width};
  case Kind::ZExt:
  case Kind::SExt: {
    Word out = a;
    out.resize(width, e->kind() == Kind::ZExt ? kFalse : a.back());
    return out;
  }
  case Kind::Not: {
    Word out = a;
    for (Wire &w : out) w ^= 1;
    return out;
  }
  case Kind::Ite: return c.mux(a[0], get(e->op(1)), get(e->op(2)));
  default: break;
  }
  const Word b = get(e->op(1));
  auto bitwise = [&](Wire (Circuit::*gate)(Wire, Wire)) {
    Word out(width);
    for (unsigned i = 0; i < width; ++i) out[i] = (c.*gate)(a[i], b[i]);
    return out;
  };
  switch (e->kind()) {
  case Kind::Concat: { // high, low
    Word out = b;
    out.insert(out.end(), a.begin(), a.end());
    return out;
  }
  case Kind::And: return bitwise(&Circuit::land);
  case Kind::Or: return bitwise(&Circuit::lor);
  case Kind::Xor: return bitwise(&Circuit::lxor);
  case Kind::Add: {
    Wire carry = kFalse;
    return c.add(a, b, carry);
  }
  case Kind::Sub: return c.subtract(a, b);
  case Kind::Mul: return c.multiply(a, b);
  case Kind::UDiv:
  case Kind::SDiv:
  case Kind::URem:
  case Kind::SRem: return quotientOrRemainder(e);
  case Kind::Shl: return c.shiftLeft(a, b);
  case Kind::LShr: return c.shiftRight(a, b, kFalse);
  case Kind::AShr: return c.shiftRight(a, b, a.back());
  case Kind::Eq: return {c.equal(a, b)};
  case Kind::Ult: return {c.less(a, b)};
  case Kind::Ule: return {c.less(b, a) ^ 1};
  case Kind::Slt: return {c.lessSigned(a, b)};
  default: return {c.lessSigned(b, a) ^ 1}; // Kind::Sle: the others are not supported
  }
}

Word BitBlaster::quotientOrRemainder(ExprPtr e) {
  const bool isSigned = e->kind() == Kind::SDiv || e->kind() == Kind::SRem;
  Word quotient, remainder;
  if (isSigned)
    circuit_.divideSigned(get(e->op(0)), get(e->op(1)), quotient, remainder);
  else
    circuit_.divide(get(e->op(0)), get(e->op(1)), quotient, remainder);
  return e->kind() == Kind::UDiv || e->kind() == Kind::SDiv ? quotient : remainder;
}

// --- reads
// ----------------------------------------------------------------------------------------

Word BitBlaster::translateRead(ExprPtr e) {
  const ExprPtr index = e->op(1);
  ExprPtr base = e->op(0);
  std::vector<ExprPtr> stores; // newest first
  for (; base->kind() == Kind::Store; base = base->op(0)) stores.push_back(base);
  Word value = readBase(base, index);
  const Word at = get(index);
  for (size_t i = stores.size(); i-- > 0;)
    value = circuit_.mux(circuit_.equal(at, get(stores[i]->op(1))), get(stores[i]->op(2)), value);
  return value;
}

Word BitBlaster::readBase(ExprPtr array, ExprPtr index) {
  const expr::ArrayInfo &info = array->array();
  auto leaf = [&](uint64_t i) {
    return array->kind() == Kind::ConstArray ? constant(info.contents[i], 8)
                                             : byteVariable(Cell::of(info.index, i));
  };
  if (index->isConst())
    return index->value() < info.sizeBytes ? leaf(index->value()) : constant(0, 8);
  const Reach reach = reachOf(index, info.sizeBytes);
  if (reach.isEmpty()) return constant(0, 8);
  std::vector<Word> leaves;
  for (uint64_t i = reach.first; i <= reach.last; ++i) leaves.push_back(leaf(i));
  const Word at = get(index);
  Word value =
      multiplexer(reach.first, leaves, [&](unsigned bit, const Word &one, const Word &zero) {
        return circuit_.mux(at[bit], one, zero);
      });
  if (!reach.pastEnd) return value;
  // Past the end it is 0, as everywhere else (see ExprContext::read).
  return circuit_.mux(circuit_.less(at, constant(info.sizeBytes, 64)), value, constant(0, 8));
}

} // namespace fathom::solver
