// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analyses know of a program: numbered values, objects, functions, blocks and statements
// as plain data, without LLVM. The statements are those of Table I of [satracer] and few more; all
// that is left out computes with numbers only, and is an Arithmetic.
//
// Values of a function are consecutive, and so are its blocks and the statements of a block.
#ifndef FATHOM_STATICS_FRONT_FACTS_H
#define FATHOM_STATICS_FRONT_FACTS_H

#include "statics/front/Layout.h"
#include "statics/front/LibraryFunctions.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fathom::statics {

using ValueId = uint32_t;
using ObjectId = uint32_t;
using FunctionId = uint32_t;
using BlockId = uint32_t;
using StatementId = uint32_t;
using PlaceId = uint32_t;
inline constexpr uint32_t kNone = ~uint32_t(0);

/// The first values of every program.
inline constexpr ValueId kNullValue = 0;      ///< the null pointer
inline constexpr ValueId kConstantValue = 1;  ///< a constant of which nothing is known
inline constexpr ValueId kUndefinedValue = 2; ///< a variable that was not written
inline constexpr ValueId kZeroValue = 3;      ///< the integer 0, of any width

enum class ObjectKind : uint8_t {
  Global,
  Stack,
  Heap,        ///< all that one call of an allocator makes
  Function,    ///< its code, so that pointers to functions are pointers
  Variadic,    ///< arguments beyond the named ones, of all calls of a function
  Environment, ///< what the program is started with: arguments and variables
  Unknown,     ///< memory that only code without a body and without a summary knows
};

struct Object {
  ObjectKind kind = ObjectKind::Unknown;
  LayoutId layout = 0;
  FunctionId function = kNone; ///< whose frame, allocation, code or arguments it is
  StatementId site = kNone;    ///< Stack, Heap: the statement that makes it
  PlaceId place = 0;
  uint64_t bytes = 0;              ///< 0: not known
  bool isConstant = false;         ///< it is never written
  bool isByValueParameter = false; ///< Stack: the copy of a structure that the caller passes
  /// Globals: what Facts::initial and initialNumbers do not tell of it is zero when main begins.
  /// False where code of a library may have written it.
  bool isInitialKnown = false;
  std::string name{};
  /// All that it ever holds, ascending (StoredNumbers.h); empty: not known.
  std::vector<int64_t> numbers{};
  /// It begins with this or more, and only counts up from there (StoredNumbers.h).
  std::optional<int64_t> least{};
};

/// A pointer that is a constant of the program: object and offset, in bytes.
struct ConstantAddress {
  ObjectId object;
  int64_t offset;
};

struct Value {
  FunctionId function = kNone;    ///< kNone: a constant
  StatementId definition = kNone; ///< kNone: constants, parameters, what a function returns
  uint32_t address = kNone;       ///< constants: index into Facts::addresses
  bool mayPoint = false;          ///< wide enough for a pointer
  bool isPointer = false;         ///< of a pointer's type
  uint8_t bits = 0;               ///< of an integer or pointer of at most 64 bits; 0: others
};

/// How Compare compares. Other: floating point, and what else is no order of integers.
enum class Predicate : uint8_t { Equal, Unequal, Less, LessEqual, Greater, GreaterEqual, Other };

enum class StatementKind : uint8_t {
  Address,    ///< x := &object (`extra`: the object)
  Copy,       ///< x := one of the operands: casts, phis, selections, parts of aggregates (`extra`,
              ///< of a phi: where in Facts::incoming its operands' blocks begin; `bytes`: kPart)
  Load,       ///< x := *operand 0, `bytes` of it
  Store,      ///< *operand 0 := operand 1
  Gep,        ///< x := operand 0 moved by `extra` (Facts::moves)
  Call,       ///< x := f(operands) (`extra`: Facts::calls)
  Return,     ///< operand 0, if any (`extra`: kJoined, or kNone)
  Arithmetic, ///< x := op(operands): may keep the object of a pointer, but not its offset
              ///< (`bytes`: equal for equal operations, kWidens for integers that become wider,
              ///< kLowBit)
  Compare,    ///< x := operand 0 ? operand 1 (`extra`: Predicate; `bytes`: 1 if signed)
  Branch,     ///< on operand 0, if any; true leads to Block::next[0] (`extra`: Facts::switches)
};

/// What an Arithmetic computes, where it is one of these, on integers of at most 64 bits.
enum class Operation : uint8_t {
  Other,
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  ZExt,
  SExt,
  Trunc
};

struct Statement {
  StatementKind kind = StatementKind::Branch;
  bool isUnwind = false;     ///< Branch: true exactly if the call before it throws
  bool keepsPointer = false; ///< Arithmetic: the result can be a pointer made from the operands
  Operation operation = Operation::Other;
  uint32_t bytes = 0; ///< Load, Store: width of the access
  ValueId result = kNone;
  uint32_t firstOperand = 0, numOperands = 0;
  uint32_t extra = kNone;
  BlockId block = 0;
  PlaceId place = 0;
};

/// A phi is a copy whose operands come from different blocks.
inline bool isPhi(const Statement &s) { return s.kind == StatementKind::Copy && s.extra != kNone; }

/// Statement::bytes of Copy: x holds a part of the operand, or the operands are parts of x, so that
/// what is known of one as a number is not true of the other.
inline constexpr uint32_t kPart = 1;

inline constexpr uint32_t kWidens = 1; ///< Statement::bytes of Arithmetic
inline constexpr uint32_t kLowBit = 2; ///< the same: an integer that becomes a truth value
/// Statement::extra of Return: it is what is left of several return statements.
inline constexpr uint32_t kJoined = 1;

/// Where a switch leads.
struct Switch {
  struct Case {
    int64_t number;
    BlockId to;
  };
  std::vector<Case> cases;
  BlockId otherwise = 0;
};

/// How far a pointer is moved: by `constant` bytes and any multiples of each stride.
struct Move {
  int64_t constant = 0;
  std::vector<uint64_t> strides{};
};

struct CallSite {
  StatementId statement = kNone;
  FunctionId callee = kNone;              ///< kNone: through a pointer
  ValueId target = kNone;                 ///< the pointer
  const LibraryFunction *known = nullptr; ///< the callee's row
  const Summary *summary = nullptr;       ///< what happens instead of the callee's code
  ObjectId allocated = kNone;             ///< what the summary allocates
  uint64_t copiedBytes = 0;               ///< how much the summary copies; 0: not known
  LayoutId resultLayout = 0;              ///< as what the result is used (TypeLayouts.h)
};

struct Block {
  FunctionId function = 0;
  StatementId firstStatement = 0, numStatements = 0;
  std::vector<BlockId> next{}; ///< each once
  StatementId end() const { return firstStatement + numStatements; }
  /// kNone: the block has no statements.
  StatementId last() const { return numStatements ? end() - 1 : kNone; }
};

struct Function {
  std::string name;        ///< as it is linked
  std::string shownName;   ///< readableName
  ObjectId object = kNone; ///< its code
  ObjectId variadic = kNone;
  ObjectId allocated = kNone; ///< what its summary allocates when it is called through a pointer
  bool isOwn = false;         ///< neither libc's nor the environment model's
  bool isThinWrapper = false; ///< program::isThinWrapper
  bool hasBody = false;
  /// A getopt, libc's or the program's own (often gnulib's copy): which options have an argument,
  /// and so whether optarg is null, stands in a text that no analysis here reads.
  bool parsesOptions = false;
  const LibraryFunction *known = nullptr; ///< its row; of own functions nothing is known
  const Summary *summary = nullptr;       ///< of its row; its code is not looked at: calls do this
  ValueId firstValue = 0, numValues = 0;
  std::vector<ValueId> parameters;
  ValueId returned = kNone; ///< what all its return statements return
  BlockId firstBlock = 0, numBlocks = 0;
  PlaceId place = 0;
};

struct Place {
  uint32_t file = 0; ///< Facts::files; 0: not known
  uint32_t line = 0, column = 0;
};

/// Where a variable was set to the null pointer that is a phi's operand.
struct Assigned {
  PlaceId place = 0;      ///< 0: not known, or the operand is something else
  bool isInBlock = false; ///< in the block from which control comes to the phi
};

/// A pointer in the initial contents of an object.
struct InitialPointer {
  ObjectId object;
  int64_t offset;
  ValueId value;
};

/// A number other than 0 in the initial contents of an object.
struct InitialNumber {
  uint32_t bytes = 0;
  int64_t value = 0;
};

/// What makes results incomplete, with its place: told to users.
enum class Assumption : uint8_t {
  ExternalCall,   ///< code without a body or summary: may do anything with what it can reach
  InlineAssembly, ///< the same
};
struct Assumed {
  Assumption what;
  PlaceId place;
  FunctionId function;
  std::string name; ///< what was called
};

struct Facts {
  Layouts layouts;
  std::vector<Value> values;
  std::vector<ConstantAddress> addresses;
  std::vector<Object> objects;
  std::vector<Function> functions;
  std::vector<Block> blocks;
  std::vector<Statement> statements;
  std::vector<ValueId> operands; ///< of all statements
  std::vector<Move> moves;
  std::vector<BlockId> incoming;  ///< by operand of each phi: from where control comes
  std::vector<Assigned> assigned; ///< likewise
  std::vector<Switch> switches;
  /// Of the copies, those that select: the condition. Operand 0 is the result where it holds, the
  /// last operand where it does not.
  std::unordered_map<StatementId, ValueId> selectedBy;
  std::unordered_map<ValueId, int64_t> numbers; ///< of constants; kNullValue is not among them
  std::vector<CallSite> calls;
  std::vector<InitialPointer> initial;
  std::map<std::pair<ObjectId, int64_t>, InitialNumber> initialNumbers; ///< of smaller objects
  std::vector<Place> places;                                            ///< place 0 is not known
  std::vector<std::string> files;
  std::vector<Assumed> assumed;
  std::vector<FunctionId> entries; ///< where execution begins
  /// For a library, which has no entries: the functions and variables that code outside knows.
  std::vector<ObjectId> exported;
  ObjectId environment = kNone, unknown = kNone;

  std::span<const ValueId> operandsOf(const Statement &s) const {
    return {operands.data() + s.firstOperand, s.numOperands};
  }
  FunctionId functionOf(const Statement &s) const { return blocks[s.block].function; }
  /// The function's statements: the first, and the one after the last. REQUIRES: it has blocks.
  std::pair<StatementId, StatementId> statementsOf(const Function &f) const {
    return {blocks[f.firstBlock].firstStatement, blocks[f.firstBlock + f.numBlocks - 1].end()};
  }
  /// kNone where there is none.
  FunctionId findFunction(const std::string &name) const;
  /// "cut.c:12", "" when it is not known.
  std::string text(PlaceId place) const;
  /// The same, "?" when it is not known.
  std::string placeText(PlaceId place) const {
    const std::string known = text(place);
    return known.empty() ? "?" : known;
  }
};

/// Calls `visit` with each statement of the function, block by block.
template <class Visit> void forEachStatement(const Facts &facts, FunctionId id, Visit &&visit) {
  const Function &f = facts.functions[id];
  for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; b++)
    for (StatementId s = 0; s < facts.blocks[b].numStatements; s++)
      visit(facts.statements[facts.blocks[b].firstStatement + s]);
}

} // namespace fathom::statics
#endif
