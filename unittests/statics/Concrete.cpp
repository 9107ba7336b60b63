// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Concrete.h"

namespace fathom::statics::abstract {

Concrete ConcreteRun::value(const Operand &operand, const Frame &frame) {
  if (operand.isConstant()) return {operand.constant, std::nullopt, false};
  auto at = frame.find(operand.var);
  if (at != frame.end()) return at->second;
  isBroken_ = true;
  return {};
}

bool ConcreteRun::holds(const Condition &c, const Frame &frame) {
  if (c.kind == Condition::Kind::And) return holds(c.parts[0], frame) && holds(c.parts[1], frame);
  if (c.kind == Condition::Kind::Or) return holds(c.parts[0], frame) || holds(c.parts[1], frame);
  if (c.kind != Condition::Kind::Compare) return true;
  const Concrete a = value(c.a, frame), b = value(c.b, frame);
  if (c.ofAddresses) {
    const bool same = a.object == b.object && a.number == b.number;
    if (c.predicate == Predicate::Eq) return same;
    if (c.predicate == Predicate::Ne) return !same;
    if (a.object != b.object) isBroken_ = true; // no order between objects
  }
  const unsigned width = c.a.width;
  const int64_t x = sign(width, a.number), y = sign(width, b.number);
  const uint64_t u = a.number, v = b.number;
  switch (c.predicate) {
  case Predicate::Eq: return u == v;
  case Predicate::Ne: return u != v;
  case Predicate::Ult: return c.ofAddresses ? x < y : u < v;
  case Predicate::Ule: return c.ofAddresses ? x <= y : u <= v;
  case Predicate::Ugt: return c.ofAddresses ? x > y : u > v;
  case Predicate::Uge: return c.ofAddresses ? x >= y : u >= v;
  case Predicate::Slt: return x < y;
  case Predicate::Sle: return x <= y;
  case Predicate::Sgt: return x > y;
  case Predicate::Sge: return x >= y;
  }
  return false;
}

bool ConcreteRun::execute(FunctionId id, Frame &frame) {
  const Function &function = program_.functions[id];
  if (++depth_ > 20) return false;
  BlockId block = 0;
  while (true) {
    if (++steps_ > 400) return false;
    if (atBlock) atBlock(id, block, frame, memory_);
    const Block &b = function.blocks[block];
    for (const Statement &s : b.statements)
      if (!statement(s, frame) || isBroken_) return false;
    if (b.returns) {
      returned_.reset();
      if (b.returned) returned_ = value(*b.returned, frame);
      --depth_;
      for (ObjectId o = 0; o < program_.objects.size(); ++o)
        if (program_.objects[o].kind == Object::Kind::Stack && program_.objects[o].function == id)
          for (uint64_t i = 0; i < *program_.objects[o].sizeBytes; ++i) memory_.erase({o, i});
      return !isBroken_;
    }
    const Edge *taken = nullptr;
    for (const Edge &edge : b.successors)
      if (holds(edge.condition, frame)) {
        taken = &edge;
        break;
      }
    if (!taken || isBroken_) return false;
    Frame next = frame;
    for (const EdgeAssignment &x : taken->assignments) {
      next[x.dst] = value(x.value, frame);
      next[x.dst].isAddress = x.isAddress;
    }
    if (isBroken_) return false;
    frame = std::move(next);
    block = taken->target;
  }
}

bool ConcreteRun::statement(const Statement &s, Frame &frame) {
  const uint64_t bits = s.width ? mask(s.width) : 0;
  auto set = [&](uint64_t number) {
    frame[s.dst] = {number & bits, std::nullopt, false};
    return true;
  };
  switch (s.kind) {
  case StatementKind::Assign: {
    Concrete v = value(s.a, frame);
    v.isAddress = s.isAddress;
    frame[s.dst] = v;
    return true;
  }
  case StatementKind::Operate: {
    const uint64_t a = value(s.a, frame).number, b = value(s.b, frame).number;
    const int64_t x = sign(s.width, a), y = sign(s.width, b);
    switch (s.binary) {
    case Binary::Add: return set(a + b);
    case Binary::Sub: return set(a - b);
    case Binary::Mul: return set(a * b);
    case Binary::UDiv: return b && set(a / b);
    case Binary::URem: return b && set(a % b);
    case Binary::SDiv: return b && set(uint64_t(x / y));
    case Binary::SRem: return b && set(uint64_t(x % y));
    case Binary::Shl: return b < s.width && set(a << b);
    case Binary::LShr: return b < s.width && set(a >> b);
    case Binary::AShr: return b < s.width && set(uint64_t(x >> b));
    case Binary::And: return set(a & b);
    case Binary::Or: return set(a | b);
    case Binary::Xor: return set(a ^ b);
    }
    return false;
  }
  case StatementKind::Convert: {
    const uint64_t a = value(s.a, frame).number;
    return set(s.cast == Cast::SExt ? uint64_t(sign(s.a.width, a)) : a);
  }
  case StatementKind::Test: return set(holds(s.condition, frame));
  case StatementKind::Select: {
    Concrete v = value(holds(s.condition, frame) ? s.a : s.b, frame);
    v.isAddress = s.isAddress;
    frame[s.dst] = v;
    return true;
  }
  case StatementKind::Forget: // object: which input
    frame[s.dst] = {inputs_[s.sizeBytes] & bits, std::nullopt, false};
    return true;
  case StatementKind::AddressOf: frame[s.dst] = {0, s.object, true}; return true;
  case StatementKind::Shift: {
    Concrete v = value(s.a, frame);
    v.number += value(s.b, frame).number;
    v.isAddress = true;
    if (!v.object && v.number) return false; // null plus something
    frame[s.dst] = v;
    return true;
  }
  case StatementKind::Enter:
    for (uint64_t i = 0; i < *program_.objects[s.object].sizeBytes; ++i)
      memory_.erase({s.object, i});
    return true;
  case StatementKind::Verify: {
    const bool isTrue = holds(s.condition, frame);
    if (!isBroken_ && atCheck) atCheck(s.check, isTrue);
    // An assertion's own branch ends the path, where there is one.
    return (isTrue || program_.checks[s.check].kind == CheckKind::Assertion) && !isBroken_;
  }
  case StatementKind::Assume: return holds(s.condition, frame);
  case StatementKind::Call: return call(s, frame);
  case StatementKind::End: return false;
  default: return access(s, frame);
  }
}

bool ConcreteRun::access(const Statement &s, Frame &frame) {
  const Concrete at = value(s.a, frame);
  if (isBroken_) return false;
  const uint64_t size = s.kind == StatementKind::Load || s.kind == StatementKind::Store
                            ? s.sizeBytes
                            : value(s.c, frame).number;
  const auto offset = int64_t(at.number);
  const bool isInside =
      size == 0 || (at.object && offset >= 0 &&
                    uint64_t(offset) + size <= *program_.objects[*at.object].sizeBytes);
  if (atCheck) atCheck(s.check, isInside);
  if (!isInside) return false;
  switch (s.kind) {
  case StatementKind::Load: {
    Concrete out;
    for (uint64_t i = 0; i < (s.isAddress ? 1 : size); ++i) {
      auto byte = memory_.find({*at.object, at.number + i});
      if (byte == memory_.end()) return false;
      if (s.isAddress) {
        out = byte->second;
        out.isAddress = true;
        if (!out.object && out.number) return false;
      } else {
        if (byte->second.isAddress) return false;
        out.number |= byte->second.number << (8 * i);
      }
    }
    frame[s.dst] = out;
    return true;
  }
  case StatementKind::Store: {
    Concrete v = value(s.b, frame);
    for (uint64_t i = 0; i < size; ++i) {
      Concrete byte{v.number >> (8 * i) & 255, std::nullopt, false};
      if (s.isAddress) {
        byte = v;
        byte.isAddress = true;
      }
      memory_[{*at.object, at.number + i}] = byte;
    }
    return true;
  }
  case StatementKind::Fill:
    for (uint64_t i = 0; i < size; ++i)
      memory_[{*at.object, at.number + i}] = {value(s.b, frame).number & 255, std::nullopt, false};
    return true;
  default: return false;
  }
}

bool ConcreteRun::call(const Statement &s, Frame &frame) {
  FunctionId callee = s.callee;
  if (s.isIndirect) {
    const Concrete target = value(s.a, frame);
    if (!target.object || program_.objects[*target.object].kind != Object::Kind::Function)
      return false;
    callee = program_.objects[*target.object].function;
  }
  const Function &function = program_.functions[callee];
  Frame inner;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    inner[function.parameters[i]] = value(s.arguments[i], frame);
    inner[function.parameters[i]].isAddress = s.argumentIsAddress[i];
  }
  if (isBroken_ || !execute(callee, inner)) return false;
  if (s.dst != kNoId) {
    if (!returned_) return false;
    frame[s.dst] = *returned_;
  }
  return true;
}

} // namespace fathom::statics::abstract
