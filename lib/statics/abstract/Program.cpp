// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Program.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fathom::statics::abstract {

namespace {

constexpr const char *kBinary[] = {"+",  "-",   "*",   "/u", "/s", "%u", "%s",
                                   "<<", ">>u", ">>s", "&",  "|",  "^"};
constexpr const char *kCast[] = {"zext", "sext", "trunc"};
constexpr const char *kPredicate[] = {"==",  "!=", "<u",  "<=u", ">u",
                                      ">=u", "<s", "<=s", ">s",  ">=s"};
constexpr const char *kCheck[] = {"assertion", "bounds", "division", "shift", "overflow"};

std::string nameOf(const AbstractProgram &program, VarId var) {
  return fmt::format("{}.{}", program.variables[var].name, var);
}

std::string textOf(const AbstractProgram &program, const Operand &operand) {
  if (!operand.isConstant()) return nameOf(program, operand.var);
  const int64_t value = int64_t(operand.constant << (64 - operand.width)) >> (64 - operand.width);
  return fmt::format("{}", operand.width == 1 ? int64_t(operand.constant) : value);
}

std::string callText(const AbstractProgram &program, const Statement &s) {
  std::string out = s.dst == kNoId ? "" : nameOf(program, s.dst) + " = ";
  out += s.isIndirect        ? "call *" + textOf(program, s.a)
         : s.callee == kNoId ? "call outside"
                             : "call " + program.functions[s.callee].name;
  out += "(";
  for (size_t i = 0; i < s.arguments.size(); ++i)
    out += (i ? ", " : "") + textOf(program, s.arguments[i]);
  return out + ")";
}

} // namespace

const char *textOf(Binary op) { return kBinary[size_t(op)]; }
const char *textOf(Cast op) { return kCast[size_t(op)]; }
const char *textOf(Predicate predicate) { return kPredicate[size_t(predicate)]; }
const char *textOf(CheckKind kind) { return kCheck[size_t(kind)]; }

Predicate negated(Predicate p) {
  constexpr Predicate kNot[] = {Predicate::Ne,  Predicate::Eq,  Predicate::Uge, Predicate::Ugt,
                                Predicate::Ule, Predicate::Ult, Predicate::Sge, Predicate::Sgt,
                                Predicate::Sle, Predicate::Slt};
  return kNot[size_t(p)];
}

Predicate swapped(Predicate p) {
  constexpr Predicate kSwap[] = {Predicate::Eq,  Predicate::Ne,  Predicate::Ugt, Predicate::Uge,
                                 Predicate::Ult, Predicate::Ule, Predicate::Sgt, Predicate::Sge,
                                 Predicate::Slt, Predicate::Sle};
  return kSwap[size_t(p)];
}

Condition Condition::compare(Predicate predicate, Operand a, Operand b, bool ofAddresses) {
  Condition out;
  out.kind = Kind::Compare;
  out.predicate = predicate;
  out.a = a;
  out.b = b;
  out.ofAddresses = ofAddresses;
  return out;
}

Condition Condition::both(Condition a, Condition b) {
  if (a.kind == Kind::True) return b;
  if (b.kind == Kind::True) return a;
  Condition out;
  out.kind = Kind::And;
  out.parts = {std::move(a), std::move(b)};
  return out;
}

Condition Condition::either(Condition a, Condition b) {
  if (a.kind == Kind::True || b.kind == Kind::True) return {};
  Condition out;
  out.kind = Kind::Or;
  out.parts = {std::move(a), std::move(b)};
  return out;
}

Condition Condition::unknown() {
  Condition out;
  out.kind = Kind::Unknown;
  return out;
}

Condition Condition::negation() const {
  switch (kind) {
  case Kind::True: // never: a comparison that never holds
    return compare(Predicate::Ne, Operand::number(1, 0), Operand::number(1, 0));
  case Kind::Unknown: return *this;
  case Kind::Compare: {
    Condition out = *this;
    out.predicate = negated(predicate);
    return out;
  }
  case Kind::And:
  case Kind::Or: {
    Condition out = *this;
    out.kind = kind == Kind::And ? Kind::Or : Kind::And;
    for (Condition &part : out.parts) part = part.negation();
    return out;
  }
  }
  return unknown();
}

VarId AbstractProgram::newVariable(std::string name, unsigned width, bool isAddress) {
  variables.push_back({std::move(name), uint8_t(width), isAddress});
  return VarId(variables.size() - 1);
}

std::string textOf(const AbstractProgram &program, const Condition &condition) {
  switch (condition.kind) {
  case Condition::Kind::True: return "true";
  case Condition::Kind::Unknown: return "unknown";
  case Condition::Kind::Compare:
    return fmt::format("{} {} {}", textOf(program, condition.a), textOf(condition.predicate),
                       textOf(program, condition.b));
  case Condition::Kind::And:
  case Condition::Kind::Or: break;
  }
  return fmt::format("({}) {} ({})", textOf(program, condition.parts[0]),
                     condition.kind == Condition::Kind::And ? "and" : "or",
                     textOf(program, condition.parts[1]));
}

std::string textOf(const AbstractProgram &program, const Statement &s) {
  auto dst = [&] { return nameOf(program, s.dst); };
  auto a = [&] { return textOf(program, s.a); };
  auto b = [&] { return textOf(program, s.b); };
  auto c = [&] { return textOf(program, s.c); };
  switch (s.kind) {
  case StatementKind::Assign: return fmt::format("{} = {}", dst(), a());
  case StatementKind::Operate:
    return fmt::format("{} = {} {} {}", dst(), a(), textOf(s.binary), b());
  case StatementKind::Convert: return fmt::format("{} = {} {}", dst(), textOf(s.cast), a());
  case StatementKind::Test: return fmt::format("{} = {}", dst(), textOf(program, s.condition));
  case StatementKind::Select:
    return fmt::format("{} = {} ? {} : {}", dst(), textOf(program, s.condition), a(), b());
  case StatementKind::Forget: return fmt::format("{} = anything", dst());
  case StatementKind::AddressOf:
    return fmt::format("{} = &{}", dst(), program.objects[s.object].name);
  case StatementKind::Shift: return fmt::format("{} = {} + {} bytes", dst(), a(), b());
  case StatementKind::ToInteger: return fmt::format("{} = number of {}", dst(), a());
  case StatementKind::ToAddress: return fmt::format("{} = address {}", dst(), a());
  case StatementKind::Load: return fmt::format("{} = load {} at {}", dst(), s.sizeBytes, a());
  case StatementKind::Store: return fmt::format("store {} at {}: {}", s.sizeBytes, a(), b());
  case StatementKind::Fill: return fmt::format("fill {} bytes at {}: {}", c(), a(), b());
  case StatementKind::Transfer:
    return fmt::format("transfer {} bytes to {} from {}", c(), a(), b());
  case StatementKind::Scramble: return fmt::format("scramble {} bytes at {}", c(), a());
  case StatementKind::Enter: return fmt::format("enter {}", program.objects[s.object].name);
  case StatementKind::Allocate:
    return fmt::format("{} = allocate {} of {} bytes", dst(), program.objects[s.object].name, a());
  case StatementKind::Assume: return "assume " + textOf(program, s.condition);
  case StatementKind::Verify:
    return fmt::format("verify {}: {}", textOf(program.checks[s.check].kind),
                       textOf(program, s.condition));
  case StatementKind::Call: return callText(program, s);
  case StatementKind::End: return "end";
  }
  return "";
}

std::string textOf(const AbstractProgram &program, const Function &function) {
  std::string out = fmt::format("function {}\n", function.name);
  for (size_t i = 0; i < function.blocks.size(); ++i) {
    const Block &block = function.blocks[i];
    out += fmt::format("block {}:\n", i);
    for (const Statement &s : block.statements) out += "  " + textOf(program, s) + "\n";
    if (block.returns)
      out += block.returned ? fmt::format("  return {}\n", textOf(program, *block.returned))
                            : std::string("  return\n");
    for (const Edge &edge : block.successors) {
      out += fmt::format("  to {} if {}", edge.target, textOf(program, edge.condition));
      for (const EdgeAssignment &x : edge.assignments)
        out += fmt::format(", {} = {}", nameOf(program, x.dst),
                           x.isUnknown ? "anything" : textOf(program, x.value));
      out += "\n";
    }
  }
  return out;
}

namespace {

void collect(const Operand &operand, std::vector<int64_t> &out) {
  if (!operand.isConstant() || operand.width < 2) return;
  const int64_t value = int64_t(operand.constant << (64 - operand.width)) >> (64 - operand.width);
  out.push_back(value);
  if (value > std::numeric_limits<int64_t>::min()) out.push_back(value - 1);
  if (value < std::numeric_limits<int64_t>::max()) out.push_back(value + 1);
}

void collect(const Condition &condition, std::vector<int64_t> &out) {
  collect(condition.a, out);
  collect(condition.b, out);
  for (const Condition &part : condition.parts) collect(part, out);
}

void collect(const Function &function, std::vector<int64_t> &out) {
  for (const Block &block : function.blocks) {
    for (const Statement &s : block.statements) {
      if (s.kind == StatementKind::Assign) collect(s.a, out);
      collect(s.condition, out);
    }
    for (const Edge &edge : block.successors) {
      collect(edge.condition, out);
      for (const EdgeAssignment &x : edge.assignments) collect(x.value, out);
    }
  }
}

void sortOnce(std::vector<int64_t> &out) {
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

} // namespace

std::vector<int64_t> boundsOfTypes() {
  std::vector<int64_t> out = {-1, 0, 1};
  for (const unsigned width : {8, 16, 32})
    for (const int64_t value :
         {-(int64_t(1) << (width - 1)), (int64_t(1) << (width - 1)) - 1, (int64_t(1) << width) - 1})
      out.push_back(value);
  sortOnce(out);
  return out;
}

std::vector<int64_t> thresholdsOf(const Function &function) {
  std::vector<int64_t> out = boundsOfTypes();
  collect(function, out);
  sortOnce(out);
  return out;
}

void collectThresholds(AbstractProgram &program) {
  program.thresholds = boundsOfTypes();
  for (const Function &function : program.functions) collect(function, program.thresholds);
  for (const Object &object : program.objects)
    if (object.sizeBytes) program.thresholds.push_back(int64_t(*object.sizeBytes));
  sortOnce(program.thresholds);
}

} // namespace fathom::statics::abstract
