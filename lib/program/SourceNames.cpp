// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads names and formulas of the source off unoptimised code (SourceNames.h): NameReader follows a
// value through loads, address computations and debug information.
#include "program/SourceNames.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <fmt/format.h>

using namespace llvm;

namespace fathom::program {

namespace {

constexpr int kDeepest = 24;

/// Without typedefs and qualifiers.
const DIType *plain(const DIType *type) {
  while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_member: type = derived->getBaseType(); continue;
    default: return type;
    }
  }
  return type;
}

const DIType *pointee(const DIType *type) {
  const auto *derived = dyn_cast_or_null<DIDerivedType>(plain(type));
  return derived && derived->getTag() == dwarf::DW_TAG_pointer_type ? derived->getBaseType()
                                                                    : nullptr;
}

std::optional<bool> signOf(const DIType *type) {
  type = plain(type);
  if (const auto *composite = dyn_cast_or_null<DICompositeType>(type);
      composite && composite->getTag() == dwarf::DW_TAG_enumeration_type)
    return composite->getBaseType() ? signOf(composite->getBaseType()) : false;
  const auto *basic = dyn_cast_or_null<DIBasicType>(type);
  if (!basic || basic->getSizeInBits() > 64) return std::nullopt;
  switch (basic->getEncoding()) {
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_signed_char: return true;
  case dwarf::DW_ATE_unsigned:
  case dwarf::DW_ATE_unsigned_char:
  case dwarf::DW_ATE_UTF:
  case dwarf::DW_ATE_boolean: return false;
  default: return std::nullopt;
  }
}

/// A place in memory: its name, and what lies there if debug information says it.
struct Place {
  std::string name;
  const DIType *type = nullptr;
  bool isPointee = false; ///< the name is that of a pointer; the place is what it points to
  /// As an operand of `.` and `[]`.
  std::string object() const { return isPointee ? "(*" + name + ")" : name; }
  std::string text() const { return isPointee ? "*" + name : name; }
};

class NameReader {
public:
  std::vector<SourceLeaf> leaves;

  std::optional<Place> place(const Value &address, int depth) {
    if (depth > kDeepest) return std::nullopt;
    if (const auto *alloca = dyn_cast<AllocaInst>(&address)) {
      const DILocalVariable *variable = localVariable(const_cast<AllocaInst &>(*alloca));
      if (!variable || variable->getName().empty()) return std::nullopt;
      return Place{variable->getName().str(), variable->getType()};
    }
    if (const auto *global = dyn_cast<GlobalVariable>(&address)) {
      SmallVector<DIGlobalVariableExpression *, 1> named;
      global->getDebugInfo(named);
      if (named.empty()) return std::nullopt;
      return Place{named[0]->getVariable()->getName().str(), named[0]->getVariable()->getType()};
    }
    if (const auto *load = dyn_cast<LoadInst>(&address)) { // a pointer: what it points to
      std::optional<Place> holder = place(*load->getPointerOperand(), depth + 1);
      if (!holder) return std::nullopt;
      return Place{holder->text(), pointee(holder->type), /*isPointee=*/true};
    }
    if (const auto *gep = dyn_cast<GEPOperator>(&address)) return element(*gep, depth);
    return std::nullopt;
  }

  std::optional<std::string> formula(Value &value, int depth) {
    if (depth > kDeepest || !value.getType()->isIntegerTy() ||
        value.getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    if (const auto *constant = dyn_cast<ConstantInt>(&value))
      return value.getType()->isIntegerTy(1) ? std::to_string(constant->getZExtValue())
                                             : std::to_string(constant->getSExtValue());
    if (auto *cast = dyn_cast<CastInst>(&value)) return castFormula(*cast, depth);
    if (auto *load = dyn_cast<LoadInst>(&value)) {
      const std::optional<Place> from = place(*load->getPointerOperand(), depth + 1);
      if (!from) return std::nullopt;
      const std::optional<bool> sign = signOf(from->type);
      return leaf(from->text(), value, sign.value_or(true));
    }
    if (auto *call = dyn_cast<CallInst>(&value)) {
      const Function *callee = call->getCalledFunction();
      if (!callee || callee->isIntrinsic()) return std::nullopt;
      const DISubprogram *program = callee->getSubprogram();
      const DITypeRefArray types =
          program && program->getType() ? program->getType()->getTypeArray() : DITypeRefArray();
      const std::optional<bool> sign = types && types.size() ? signOf(types[0]) : std::nullopt;
      return leaf(callee->getName().str() + "(...)", value, sign.value_or(true));
    }
    if (auto *compare = dyn_cast<ICmpInst>(&value)) return comparison(*compare, depth);
    if (auto *operation = dyn_cast<BinaryOperator>(&value)) return binary(*operation, depth);
    return std::nullopt;
  }

private:
  std::string leaf(const std::string &name, Value &value, bool isSigned) {
    for (const SourceLeaf &known : leaves)
      if (known.name == name) return name;
    leaves.push_back({name, &value, isSigned});
    return name;
  }

  std::string index(const Value &value, int depth) {
    // An index is part of a name: what is in it is no leaf of its own.
    std::vector<SourceLeaf> before = leaves;
    std::optional<std::string> text = formula(const_cast<Value &>(value), depth + 1);
    leaves = std::move(before);
    return text.value_or("");
  }

  std::optional<Place> element(const GEPOperator &gep, int depth) {
    std::optional<Place> at = place(*gep.getPointerOperand(), depth + 1);
    if (!at) return std::nullopt;
    auto type = gep_type_begin(gep);
    for (unsigned i = 0; i < gep.getNumIndices(); ++i, ++type) {
      const Value &which = *gep.getOperand(i + 1);
      if (StructType *structure = type.getStructTypeOrNull()) {
        if (!member(*at, gep, *structure, which)) return std::nullopt;
        continue;
      }
      const auto *number = dyn_cast<ConstantInt>(&which);
      if (i == 0 && number && number->isZero() && gep.getNumIndices() > 1) continue;
      const std::string text = index(which, depth);
      if (text.empty()) return std::nullopt;
      if (i == 0) {
        if (!at->isPointee) return std::nullopt; // beside a variable
        at->isPointee = false;
        at->name += "[" + text + "]";
        continue;
      }
      const auto *array = dyn_cast_or_null<DICompositeType>(plain(at->type));
      // Debug information has the dimensions of an array in one type; then only the last index
      // leads to its elements.
      const bool isLast = !type.getIndexedType()->isArrayTy();
      *at = {at->object() + "[" + text + "]", array && isLast ? array->getBaseType() : at->type};
    }
    return at;
  }

  bool member(Place &at, const GEPOperator &gep, StructType &structure, const Value &which) {
    const auto *type = dyn_cast_or_null<DICompositeType>(plain(at.type));
    const auto *field = dyn_cast<ConstantInt>(&which);
    const auto *instruction = dyn_cast<Instruction>(&gep);
    if (!type || !field || !instruction) return false;
    const DataLayout &layout = instruction->getModule()->getDataLayout();
    const uint64_t offset =
        layout.getStructLayout(&structure)->getElementOffsetInBits(unsigned(field->getZExtValue()));
    for (const DINode *element : type->getElements()) {
      const auto *m = dyn_cast<DIDerivedType>(element);
      if (!m || m->getTag() != dwarf::DW_TAG_member || m->isBitField() || m->getName().empty() ||
          m->getOffsetInBits() != offset)
        continue;
      at = {at.name + (at.isPointee ? "->" : ".") + m->getName().str(), m->getBaseType()};
      return true;
    }
    return false;
  }

  std::optional<std::string> castFormula(CastInst &cast, int depth) {
    if (cast.getOpcode() != Instruction::SExt && cast.getOpcode() != Instruction::ZExt &&
        cast.getOpcode() != Instruction::Trunc)
      return std::nullopt;
    std::optional<std::string> text = formula(*cast.getOperand(0), depth + 1);
    if (!text) return std::nullopt;
    // What a bool is stored as keeps its number; other truncations need not.
    if (cast.getOpcode() == Instruction::Trunc && !cast.getType()->isIntegerTy(1))
      return std::nullopt;
    // A negative number becomes a large one.
    if (cast.getOpcode() == Instruction::ZExt && mayBeNegative(*cast.getOperand(0)))
      return std::nullopt;
    return text;
  }

  /// A negative number, or a formula with a signed leaf.
  static bool mayBeNegative(Value &value) {
    if (value.getType()->isIntegerTy(1)) return false;
    if (const auto *constant = dyn_cast<ConstantInt>(&value)) return constant->isNegative();
    NameReader reader;
    (void)reader.formula(value, 0);
    return any_of(reader.leaves, [](const SourceLeaf &leaf) { return leaf.isSigned; });
  }

  /// A number that is compared with what cannot be negative is not negative either, whatever its
  /// highest bit is.
  static std::optional<std::string> unsignedNumber(Value &value, Value &other) {
    const auto *constant = dyn_cast<ConstantInt>(&value);
    if (!constant || !constant->isNegative() || isa<ConstantInt>(other) || mayBeNegative(other))
      return std::nullopt;
    return std::to_string(constant->getZExtValue());
  }

  /// Both operands; absent too if one may be negative where it must not.
  std::optional<std::pair<std::string, std::string>> operands(Value &a, Value &b, bool isUnsigned,
                                                              bool areCompared, int depth) {
    std::optional<std::string> left = formula(a, depth + 1), right = formula(b, depth + 1);
    if (!left || !right) return std::nullopt;
    bool isPositiveA = false, isPositiveB = false;
    if (areCompared) {
      if (std::optional<std::string> number = unsignedNumber(a, b))
        left = number, isPositiveA = true;
      if (std::optional<std::string> number = unsignedNumber(b, a))
        right = number, isPositiveB = true;
    }
    if (isUnsigned && ((!isPositiveA && mayBeNegative(a)) || (!isPositiveB && mayBeNegative(b))))
      return std::nullopt;
    auto inner = [](const Value &value, const std::string &text) {
      const Value *bare = &value;
      while (const auto *cast = dyn_cast<CastInst>(bare)) bare = cast->getOperand(0);
      const bool isSimple = isa<LoadInst>(bare) || isa<CallInst>(bare) || isa<ConstantInt>(bare);
      return isSimple && text[0] != '-' && text[0] != '*' ? text : "(" + text + ")";
    };
    return std::pair(inner(a, *left), inner(b, *right));
  }

  std::optional<std::string> comparison(ICmpInst &compare, int depth) {
    const char *sign = nullptr;
    switch (compare.getPredicate()) {
    case CmpInst::ICMP_EQ: sign = "=="; break;
    case CmpInst::ICMP_NE: sign = "!="; break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT: sign = ">"; break;
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE: sign = ">="; break;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT: sign = "<"; break;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE: sign = "<="; break;
    default: return std::nullopt;
    }
    auto both = operands(*compare.getOperand(0), *compare.getOperand(1), compare.isUnsigned(),
                         /*areCompared=*/true, depth);
    if (!both) return std::nullopt;
    return fmt::format("{} {} {}", both->first, sign, both->second);
  }

  std::optional<std::string> binary(BinaryOperator &operation, int depth) {
    const char *sign = nullptr;
    bool isUnsigned = false;
    switch (operation.getOpcode()) {
    case Instruction::Add: sign = "+"; break;
    case Instruction::Sub: sign = "-"; break;
    case Instruction::Mul: sign = "*"; break;
    case Instruction::SDiv: sign = "/"; break;
    case Instruction::SRem: sign = "%"; break;
    case Instruction::UDiv: sign = "/", isUnsigned = true; break;
    case Instruction::URem: sign = "%", isUnsigned = true; break;
    case Instruction::LShr: sign = ">>", isUnsigned = true; break;
    case Instruction::AShr: sign = ">>"; break;
    case Instruction::Shl: sign = "<<"; break;
    case Instruction::And: sign = "&"; break;
    case Instruction::Or: sign = "|"; break;
    case Instruction::Xor: sign = "^"; break;
    default: return std::nullopt;
    }
    auto both = operands(*operation.getOperand(0), *operation.getOperand(1), isUnsigned,
                         /*areCompared=*/false, depth);
    if (!both) return std::nullopt;
    // The compiler's `not` of a truth value.
    if (operation.getOpcode() == Instruction::Xor && operation.getType()->isIntegerTy(1))
      sign = "!=";
    return fmt::format("{} {} {}", both->first, sign, both->second);
  }
};

} // namespace

std::optional<SourceFormula> sourceFormula(Value &value) {
  NameReader reader;
  std::optional<std::string> text = reader.formula(value, 0);
  if (!text) return std::nullopt;
  return SourceFormula{std::move(*text), std::move(reader.leaves)};
}

std::string sourcePlaceName(const Value &address) {
  const std::optional<Place> place = NameReader().place(address, 0);
  return place ? place->text() : "";
}

bool isPlaceName(std::string_view name) {
  return name.find_first_of("[.>*(") != std::string_view::npos;
}

const DILocalVariable *localVariable(AllocaInst &alloca) {
  for (DbgVariableRecord *record : findDVRDeclares(&alloca))
    return record->getDebugLoc()->getInlinedAt() ? nullptr : record->getVariable();
  for (DbgDeclareInst *declare : findDbgDeclares(&alloca))
    return declare->getDebugLoc()->getInlinedAt() ? nullptr : declare->getVariable();
  return nullptr;
}

std::optional<bool> integerSign(const DIVariable &variable) { return signOf(variable.getType()); }

} // namespace fathom::program
