// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Operations.h"

#include <optional>

namespace fathom::bmc {

using expr::ExprContext;
using expr::Kind;
using program::Inst;
using program::Op;

namespace {

struct Binary {
  Kind kind;
  bool isImmediate = false;
};

std::optional<Binary> binaryOf(Op op) {
  switch (op) {
  case Op::Add32:
  case Op::Add64:
  case Op::AddN: return Binary{Kind::Add};
  case Op::Add32I:
  case Op::Add64I:
  case Op::AddNI: return Binary{Kind::Add, true};
  case Op::Sub32:
  case Op::Sub64:
  case Op::SubN: return Binary{Kind::Sub};
  case Op::SubNI: return Binary{Kind::Sub, true};
  case Op::Mul32:
  case Op::Mul64:
  case Op::MulN: return Binary{Kind::Mul};
  case Op::Mul32I:
  case Op::Mul64I:
  case Op::MulNI: return Binary{Kind::Mul, true};
  case Op::UDiv: return Binary{Kind::UDiv};
  case Op::URem: return Binary{Kind::URem};
  case Op::SDiv: return Binary{Kind::SDiv};
  case Op::SRem: return Binary{Kind::SRem};
  case Op::And: return Binary{Kind::And};
  case Op::Or: return Binary{Kind::Or};
  case Op::Xor: return Binary{Kind::Xor};
  case Op::AndI: return Binary{Kind::And, true};
  case Op::OrI: return Binary{Kind::Or, true};
  case Op::XorI: return Binary{Kind::Xor, true};
  case Op::Shl: return Binary{Kind::Shl};
  case Op::LShr: return Binary{Kind::LShr};
  case Op::AShr: return Binary{Kind::AShr};
  case Op::ShlI: return Binary{Kind::Shl, true};
  case Op::LShrI: return Binary{Kind::LShr, true};
  case Op::AShrI: return Binary{Kind::AShr, true};
  default: return std::nullopt;
  }
}

ExprPtr comparison(ExprContext &context, const Inst &i, const Operand &operand) {
  const auto a = [&] { return operand(i.a, i.w); };
  const auto b = [&] { return operand(i.b, i.w); };
  const auto number = [&] { return context.constant(i.imm, i.w); };
  switch (i.op) {
  case Op::Eq: return context.eq(a(), b());
  case Op::Ne: return context.ne(a(), b());
  case Op::Ult: return context.ult(a(), b());
  case Op::Ule: return context.ule(a(), b());
  case Op::Slt: return context.slt(a(), b());
  case Op::Sle: return context.sle(a(), b());
  case Op::EqI: return context.eq(a(), number());
  case Op::NeI: return context.ne(a(), number());
  case Op::UltI: return context.ult(a(), number());
  case Op::UleI: return context.ule(a(), number());
  case Op::UgtI: return context.ult(number(), a());
  case Op::UgeI: return context.ule(number(), a());
  case Op::SltI: return context.slt(a(), number());
  case Op::SleI: return context.sle(a(), number());
  case Op::SgtI: return context.slt(number(), a());
  case Op::SgeI: return context.sle(number(), a());
  default: return nullptr;
  }
}

ExprPtr scaled(ExprContext &context, ExprPtr base, uint32_t displacement, ExprPtr index,
               uint64_t scale) {
  const auto number =
      static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(displacement)));
  return context.add(context.add(base, context.constant(number, 64)),
                     context.mul(index, context.constant(scale, 64)));
}

} // namespace

ExprPtr termOf(ExprContext &context, const Inst &i, const Operand &operand) {
  if (i.w > 64) return nullptr;
  if (const std::optional<Binary> binary = binaryOf(i.op))
    return context.binary(binary->kind, operand(i.a, i.w),
                          binary->isImmediate ? context.constant(i.imm, i.w) : operand(i.b, i.w));
  if (ExprPtr compared = comparison(context, i, operand)) return compared;
  switch (i.op) {
  case Op::Const: return context.constant(i.imm, i.w ? i.w : 64);
  case Op::Mov: return operand(i.a, 64);
  case Op::TruncN: return operand(i.a, i.w);
  case Op::SextN: return context.sext(operand(i.a, i.c), i.w);
  case Op::ZextSym: return context.zext(operand(i.a, i.c), i.w);
  case Op::Select: return context.ite(operand(i.a, 1), operand(i.b, i.w), operand(i.c, i.w));
  case Op::UMin:
  case Op::UMax: {
    const ExprPtr a = operand(i.a, i.w), b = operand(i.b, i.w);
    const bool isLess = i.op == Op::UMin;
    return context.ite(context.ult(a, b), isLess ? a : b, isLess ? b : a);
  }
  case Op::SMin:
  case Op::SMax: {
    const ExprPtr a = operand(i.a, i.w), b = operand(i.b, i.w);
    const bool isLess = i.op == Op::SMin;
    return context.ite(context.slt(a, b), isLess ? a : b, isLess ? b : a);
  }
  case Op::AbsN: {
    const ExprPtr a = operand(i.a, i.w);
    return context.ite(context.slt(a, context.constant(0, i.w)), context.neg(a), a);
  }
  case Op::Gep: return scaled(context, operand(i.a, 64), i.c, operand(i.b, 64), i.imm);
  case Op::GepS32:
    return scaled(context, operand(i.a, 64), i.c, context.sext(operand(i.b, 32), 64), i.imm);
  case Op::GepI: return context.add(operand(i.a, 64), context.constant(i.imm, 64));
  default: return nullptr;
  }
}

} // namespace fathom::bmc
