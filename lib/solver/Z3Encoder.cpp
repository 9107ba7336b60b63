// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/Z3Encoder.h"

#include "solver/Translate.h"

#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <cassert>

namespace fathom::solver {

using expr::Kind;

Z3_ast Z3Encoder::keep(Z3_ast a) {
  if (!a) return a; // an error of Z3's; the session asks for its error code
  Z3_inc_ref(z3_, a);
  kept_.push_back(a);
  return a;
}

void Z3Encoder::clear() {
  cache_.clear();
  floats_.clear();
  bytes_.clear();
  arrays_.clear();
  results_.clear();
  for (Z3_ast a : kept_) Z3_dec_ref(z3_, a);
  kept_.clear();
}

// --- leaves and sorts
// -------------------------------------------------------------------------------------------

bool Z3Encoder::isBool(Z3_ast a) const {
  return Z3_get_sort_kind(z3_, Z3_get_sort(z3_, a)) == Z3_BOOL_SORT;
}

Z3_ast Z3Encoder::number(uint64_t value, unsigned width) {
  return keep(Z3_mk_unsigned_int64(z3_, value, Z3_mk_bv_sort(z3_, width)));
}

Z3_ast Z3Encoder::asBool(Z3_ast a) {
  if (!a || isBool(a)) return a;
  return keep(Z3_mk_eq(z3_, a, number(1, 1)));
}

Z3_ast Z3Encoder::asVector(Z3_ast a) {
  if (!a || !isBool(a)) return a;
  return keep(Z3_mk_ite(z3_, a, number(1, 1), number(0, 1)));
}

Z3_ast Z3Encoder::constant(ExprPtr e, bool asBoolean) {
  if (asBoolean) return keep(e->value() ? Z3_mk_true(z3_) : Z3_mk_false(z3_));
  if (e->width() <= 64) return number(e->value(), e->width());
  llvm::SmallString<160> digits;
  expr::toAPInt(e).toString(digits, 10, /*Signed=*/false);
  return keep(Z3_mk_numeral(z3_, digits.c_str(), Z3_mk_bv_sort(z3_, e->width())));
}

Z3_ast Z3Encoder::byteVariable(Cell cell) {
  auto [it, isNew] = bytes_.try_emplace(cell.key, nullptr);
  if (isNew) {
    std::string name =
        context_.symbols()[cell.symbol()]->array().name + "@" + std::to_string(cell.index());
    it->second =
        keep(Z3_mk_const(z3_, Z3_mk_string_symbol(z3_, name.c_str()), Z3_mk_bv_sort(z3_, 8)));
  }
  return it->second;
}

Z3_ast Z3Encoder::resultVariable(ExprPtr apply, uint64_t index) {
  auto [it, isNew] = results_.try_emplace({apply, index}, nullptr);
  if (isNew) {
    const std::string name = apply->array().name + "!" + std::to_string(nextResult_++);
    it->second =
        keep(Z3_mk_const(z3_, Z3_mk_string_symbol(z3_, name.c_str()), Z3_mk_bv_sort(z3_, 8)));
  }
  return it->second;
}

Z3_ast Z3Encoder::arrayOf(uint32_t symbol) const {
  auto it = arrays_.find(symbol);
  return it == arrays_.end() ? nullptr : it->second;
}

std::vector<Z3_ast> Z3Encoder::sideConditions(const Support &support) {
  std::vector<Z3_ast> out;
  if (arrays_.empty()) return out;
  auto readWhole = [&](uint32_t symbol) {
    return std::binary_search(support.begin(), support.end(), Cell::whole(symbol));
  };
  for (Cell cell : support) {
    Z3_ast array = cell.isWhole() ? nullptr : arrayOf(cell.symbol());
    if (!array || !readWhole(cell.symbol())) continue;
    Z3_ast select = keep(Z3_mk_select(z3_, array, number(cell.index(), 64)));
    out.push_back(keep(Z3_mk_eq(z3_, select, byteVariable(cell))));
  }
  return out;
}

// --- inner nodes
// --------------------------------------------------------------------------------------------------

Z3_ast Z3Encoder::translate(ExprPtr root) {
  makeBottomUp(
      root, [this](ExprPtr e) { return cache_.contains(e); },
      [this](ExprPtr e) {
        Z3_ast made = translateNode(e);
        cache_[e] = made;
        return true;
      });
  return cache_[root];
}

/// An operand that is translated already, in the sort asked for.
Z3_ast Z3Encoder::get(ExprPtr e, bool wantBool) {
  if (e->isConst()) return constant(e, wantBool && e->isBool());
  Z3_ast a = cache_[e];
  if (!e->isBool()) return a;
  return wantBool ? asBool(a) : asVector(a);
}

Z3_ast Z3Encoder::translateNode(ExprPtr e) {
  const bool logic = e->isBool();
  if (isFloatKind(e->kind())) return translateFloat(e);
  switch (e->kind()) {
  case Kind::Const: return constant(e, logic);
  // A Forall is closed: whatever is bound in its body is bound by it, the innermost.
  case Kind::Bound: return keep(Z3_mk_bound(z3_, 0, Z3_mk_bv_sort(z3_, 64)));
  case Kind::Forall: return translateForall(e);
  case Kind::Read: return translateRead(e);
  case Kind::Extract:
    return keep(
        Z3_mk_extract(z3_, e->offset() + e->width() - 1, e->offset(), get(e->op(0), false)));
  case Kind::ZExt:
    return keep(Z3_mk_zero_ext(z3_, e->width() - e->op(0)->width(), get(e->op(0), false)));
  case Kind::SExt:
    return keep(Z3_mk_sign_ext(z3_, e->width() - e->op(0)->width(), get(e->op(0), false)));
  case Kind::Not:
    return keep(logic ? Z3_mk_not(z3_, get(e->op(0), true))
                      : Z3_mk_bvnot(z3_, get(e->op(0), false)));
  case Kind::Ite:
    return keep(Z3_mk_ite(z3_, get(e->op(0), true), get(e->op(1), logic), get(e->op(2), logic)));
  default: break;
  }
  const bool boolOps =
      logic && (e->kind() == Kind::And || e->kind() == Kind::Or || e->kind() == Kind::Xor);
  return keep(binary(e, get(e->op(0), boolOps), get(e->op(1), boolOps)));
}

Z3_ast Z3Encoder::translateForall(ExprPtr e) {
  Z3_sort sort = Z3_mk_bv_sort(z3_, 64);
  Z3_ast number = keep(Z3_mk_bound(z3_, 0, sort));
  Z3_ast parts[] = {keep(Z3_mk_eq(z3_, number, this->number(0, 64))),
                    keep(Z3_mk_bvult(z3_, this->number(e->range(), 64), number)),
                    keep(Z3_mk_bvult(z3_, get(e->op(0), false), number)), get(e->op(1), true)};
  Z3_ast body = keep(Z3_mk_or(z3_, 4, parts));
  Z3_symbol name = Z3_mk_string_symbol(z3_, "i");
  return keep(Z3_mk_forall(z3_, 0, 0, nullptr, 1, &sort, &name, body));
}

Z3_ast Z3Encoder::binary(ExprPtr e, Z3_ast a, Z3_ast b) {
  Z3_ast both[] = {a, b};
  const bool logic = e->isBool();
  switch (e->kind()) {
  case Kind::Concat: return Z3_mk_concat(z3_, a, b);
  case Kind::And: return logic ? Z3_mk_and(z3_, 2, both) : Z3_mk_bvand(z3_, a, b);
  case Kind::Or: return logic ? Z3_mk_or(z3_, 2, both) : Z3_mk_bvor(z3_, a, b);
  case Kind::Xor: return logic ? Z3_mk_xor(z3_, a, b) : Z3_mk_bvxor(z3_, a, b);
  case Kind::Add: return Z3_mk_bvadd(z3_, a, b);
  case Kind::Sub: return Z3_mk_bvsub(z3_, a, b);
  case Kind::Mul: return Z3_mk_bvmul(z3_, a, b);
  case Kind::UDiv: return Z3_mk_bvudiv(z3_, a, b);
  case Kind::SDiv: return Z3_mk_bvsdiv(z3_, a, b);
  case Kind::URem: return Z3_mk_bvurem(z3_, a, b);
  case Kind::SRem: return Z3_mk_bvsrem(z3_, a, b);
  case Kind::Shl: return Z3_mk_bvshl(z3_, a, b);
  case Kind::LShr: return Z3_mk_bvlshr(z3_, a, b);
  case Kind::AShr: return Z3_mk_bvashr(z3_, a, b);
  case Kind::Eq: return Z3_mk_eq(z3_, a, b);
  case Kind::Ult: return Z3_mk_bvult(z3_, a, b);
  case Kind::Ule: return Z3_mk_bvule(z3_, a, b);
  case Kind::Slt: return Z3_mk_bvslt(z3_, a, b);
  case Kind::Sle: return Z3_mk_bvsle(z3_, a, b);
  default: assert(false && "not a binary kind"); return nullptr;
  }
}

// --- reads
// --------------------------------------------------------------------------------------------------------

Z3_ast Z3Encoder::translateRead(ExprPtr e) {
  ExprPtr index = e->op(1), base = e->op(0);
  std::vector<ExprPtr> stores; // newest first
  for (; base->kind() == Kind::Store; base = base->op(0)) stores.push_back(base);
  Z3_ast z3Index = get(index, false);
  Z3_ast value = readBase(base, index, z3Index);
  for (size_t i = stores.size(); i-- > 0;) {
    Z3_ast here = keep(Z3_mk_eq(z3_, z3Index, get(stores[i]->op(1), false)));
    value = keep(Z3_mk_ite(z3_, here, get(stores[i]->op(2), false), value));
  }
  return value;
}

Z3_ast Z3Encoder::readBase(ExprPtr array, ExprPtr index, Z3_ast z3Index) {
  const expr::ArrayInfo &info = array->array();
  const bool isTable = array->kind() == Kind::ConstArray;
  auto leaf = [&](uint64_t i) {
    return isTable          ? number(info.contents[i], 8)
           : info.operation ? resultVariable(array, i)
                            : byteVariable(Cell::of(info.index, i));
  };
  if (index->isConst())
    return index->value() < info.sizeBytes ? leaf(index->value()) : number(0, 8);
  const Reach reach = reachOf(index, info.sizeBytes);
  if (reach.isEmpty()) return number(0, 8);
  Z3_ast value;
  if (isTable || info.operation || reach.isWithin(kMaxMultiplexer)) {
    std::vector<Z3_ast> leaves;
    for (uint64_t i = reach.first; i <= reach.last; ++i) leaves.push_back(leaf(i));
    value = multiplexer(reach.first, leaves, [&](unsigned bit, Z3_ast one, Z3_ast zero) {
      if (one == zero) return one; // equal subtrees are one Z3 term
      Z3_ast isOne = keep(Z3_mk_eq(z3_, keep(Z3_mk_extract(z3_, bit, bit, z3Index)), number(1, 1)));
      return keep(Z3_mk_ite(z3_, isOne, one, zero));
    });
  } else {
    auto [it, isNew] = arrays_.try_emplace(info.index, nullptr);
    if (isNew) {
      Z3_sort sort = Z3_mk_array_sort(z3_, Z3_mk_bv_sort(z3_, 64), Z3_mk_bv_sort(z3_, 8));
      it->second = keep(Z3_mk_const(z3_, Z3_mk_string_symbol(z3_, info.name.c_str()), sort));
    }
    value = keep(Z3_mk_select(z3_, it->second, z3Index));
  }
  if (!reach.pastEnd) return value;
  // Past the end it is 0, as everywhere else (see ExprContext::read).
  Z3_ast inside = keep(Z3_mk_bvult(z3_, z3Index, number(info.sizeBytes, 64)));
  return keep(Z3_mk_ite(z3_, inside, value, number(0, 8)));
}

} // namespace fathom::solver
