// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program as the abstract interpreter sees it: plain data with ids, nothing of LLVM.
//
// Every function has blocks of statements on variables. A variable holds an integer of a fixed
// width, or an address; the ids of variables are unique in the whole program. Memory consists of
// objects; an address is an object and an offset in bytes. Edges carry the condition under which
// control takes them, and the variables that are assigned in parallel there.
//
// What the front cannot express (floating point, vectors, wide integers) it leaves unknown; then
// nothing is known about the result, and the rest stays true.
#ifndef FATHOM_STATICS_ABSTRACT_PROGRAM_H
#define FATHOM_STATICS_ABSTRACT_PROGRAM_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom::statics::abstract {

using VarId = uint32_t;
using ObjectId = uint32_t;
using FunctionId = uint32_t;
using BlockId = uint32_t; ///< in its function
using CheckId = uint32_t;
inline constexpr uint32_t kNoId = ~uint32_t(0);

enum class Binary : uint8_t {
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
  Xor
};
enum class Cast : uint8_t { ZExt, SExt, Trunc };
enum class Predicate : uint8_t { Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge };
Predicate negated(Predicate predicate);
Predicate swapped(Predicate predicate); ///< of `b P a`
const char *textOf(Binary op);
const char *textOf(Cast op);
const char *textOf(Predicate predicate);

/// A variable or a constant.
struct Operand {
  VarId var = kNoId;
  uint64_t constant = 0; ///< if there is no variable; below 2^width
  uint8_t width = 1;
  static Operand of(VarId var, unsigned width) { return {var, 0, uint8_t(width)}; }
  static Operand number(unsigned width, uint64_t constant) {
    return {kNoId, constant, uint8_t(width)};
  }
  bool isConstant() const { return var == kNoId; }
};

/// A formula over comparisons, as a tree.
struct Condition {
  enum class Kind : uint8_t { True, Compare, And, Or, Unknown } kind = Kind::True;
  Predicate predicate = Predicate::Eq;
  Operand a, b;
  bool ofAddresses = false; ///< a and b are addresses
  std::vector<Condition> parts;
  static Condition compare(Predicate predicate, Operand a, Operand b, bool ofAddresses = false);
  static Condition both(Condition a, Condition b);
  static Condition either(Condition a, Condition b);
  static Condition unknown();
  Condition negation() const;
};

enum class CheckKind : uint8_t { Assertion, Bounds, Division, Shift, Overflow };
const char *textOf(CheckKind kind);

/// Something that must hold whenever control gets there.
struct Check {
  CheckKind kind = CheckKind::Assertion;
  FunctionId function = kNoId;
  std::string file;
  uint32_t line = 0, column = 0; ///< 0: unknown
  std::string what;              ///< the access, the assertion's text, the operation
  /// Checks of one group are parts of one assertion; kNoId: alone.
  uint32_t group = kNoId;
  /// If this part fails, the whole assertion fails, whatever the others say.
  bool decidesGroup = true;
  /// The block of `function` where control continues if a part of a group holds; for `a || b`,
  /// control that skipped b gets there, too.
  BlockId after = kNoId;
};

enum class StatementKind : uint8_t {
  Assign,    ///< dst = a
  Operate,   ///< dst = a BINARY b
  Convert,   ///< dst = CAST a
  Test,      ///< dst = condition ? 1 : 0
  Select,    ///< dst = condition ? a : b
  Forget,    ///< dst = anything
  AddressOf, ///< dst = start of object
  Shift,     ///< dst = address a + b bytes
  ToInteger, ///< dst = the number of address a
  ToAddress, ///< dst = the address with number a
  Load,      ///< dst = size bytes at address a
  Store,     ///< size bytes at address a = b
  Fill,      ///< size operand c bytes at address a = byte b
  Transfer,  ///< size operand c bytes at address a = those at address b
  Scramble,  ///< size operand c bytes at address a = anything
  Enter,     ///< a stack object begins its life (undefined content); its size is a if given
  Allocate,  ///< dst = address of a new heap object of a bytes, or null if mayFail
  Assume,    ///< ends the path unless the condition holds
  Verify,    ///< a check: the condition holds
  Call,      ///< dst = callee(arguments)
  End,       ///< control never gets past this
};

struct Statement {
  StatementKind kind = StatementKind::End;
  VarId dst = kNoId;
  uint8_t width = 0;      ///< of dst in bits
  bool isAddress = false; ///< of what is assigned, loaded or stored
  Operand a, b, c;
  Binary binary = Binary::Add;
  Cast cast = Cast::ZExt;
  ObjectId object = kNoId;
  uint32_t sizeBytes = 0;
  bool zeroed = false, mayFail = false;
  bool isWhole = false;  ///< Scramble: the whole objects, wherever in them the address is
  CheckId check = kNoId; ///< of Verify, and of accesses: their bounds
  Condition condition;
  // Calls: a function, or an address to call; neither: a function without a body.
  FunctionId callee = kNoId;
  bool isIndirect = false;   ///< through address a
  bool touchesMemory = true; ///< of a function without a body
  std::vector<Operand> arguments;
  std::vector<uint8_t> argumentIsAddress;
};

/// dst = value, at the same time as the other assignments of an edge.
struct EdgeAssignment {
  VarId dst = kNoId;
  Operand value;
  bool isAddress = false, isUnknown = false;
};

struct Edge {
  BlockId target = 0;
  Condition condition;
  std::vector<EdgeAssignment> assignments;
};

struct Block {
  std::vector<Statement> statements;
  std::vector<Edge> successors;
  /// Nothing reads these from here on, and some predecessor may have had them (Liveness.h).
  std::vector<VarId> dead;
  std::optional<Operand> returned;
  bool returns = false, returnsAddress = false;
  uint32_t line = 0; ///< of the first statement that has one
};

struct Variable {
  std::string name; ///< of the source, or of the IR
  uint8_t width = 64;
  bool isAddress = false;
};

struct Function {
  std::string name;
  std::vector<Block> blocks; ///< entry: 0; none: no body
  std::vector<VarId> parameters;
  std::vector<VarId> variables; ///< all of this function
  VarId result = kNoId;         ///< holds what it returns; of no function; kNoId: nothing
  std::string file;
  uint32_t line = 0;
  bool addressTaken = false; ///< code outside may call it
  /// The function whose code, variables and checks these are, for one call of it, with objects of
  /// its own; kNoId: none. Copies come after all other functions.
  FunctionId copyOf = kNoId;
};

struct Initial {
  uint64_t offset = 0;
  uint32_t sizeBytes = 0;
  uint64_t number = 0;         ///< an integer, unless
  ObjectId object = kNoId;     ///< the address of an object
  FunctionId function = kNoId; ///< ... or of a function
  uint64_t objectOffset = 0;
};

struct Object {
  enum class Kind : uint8_t { Global, Stack, Heap, Function } kind = Kind::Global;
  std::string name;
  std::optional<uint64_t> sizeBytes;
  VarId sizeVar = kNoId;       ///< holds the size where that is not a constant
  FunctionId function = kNoId; ///< Function: which; Stack, Heap: whose
  bool isSummary = false;      ///< may stand for several objects at a time
  bool escapes = false;        ///< its address is used in other ways than to access it
  bool isConstant = false;
  bool isKnown = true;       ///< globals: the initial content below is complete (rest: zero)
  uint32_t elementBytes = 0; ///< arrays of one kind of scalar: their size; 0: others
  std::vector<Initial> initial;
  /// Offset and size of the scalars in it, or in one element of an array; at most some hundred.
  std::vector<std::pair<uint64_t, uint32_t>> leaves;
};

/// May code outside write it?
inline bool mayEscape(const Object &object) {
  return object.escapes && !object.isConstant && object.kind != Object::Kind::Function;
}

struct AbstractProgram {
  std::vector<Variable> variables;
  std::vector<Object> objects;
  std::vector<Function> functions;
  std::vector<Check> checks;
  std::vector<FunctionId> entries; ///< where executions begin
  bool beginsFresh = true;         ///< at the entries, globals have their initial content
  std::vector<int64_t> thresholds; ///< constants of the program, ascending (for widening)
  uint32_t groups = 0;
  /// Constructs that the front did not express, with their numbers: "floating-point operation" ...
  std::vector<std::pair<std::string, uint64_t>> unexpressed;

  VarId newVariable(std::string name, unsigned width, bool isAddress);
  /// The function, or what it is a copy of.
  FunctionId originalOf(FunctionId function) const {
    const FunctionId original = functions[function].copyOf;
    return original == kNoId ? function : original;
  }
};

/// The text of the program, one statement a line.
std::string textOf(const AbstractProgram &program, const Statement &statement);
std::string textOf(const AbstractProgram &program, const Condition &condition);
std::string textOf(const AbstractProgram &program, const Function &function);

/// The least and greatest numbers of types, -1, 0 and 1.
std::vector<int64_t> boundsOfTypes();
/// ... and c - 1, c and c + 1 of all constants in comparisons and assignments.
std::vector<int64_t> thresholdsOf(const Function &function);
/// ... of all functions, and the sizes of objects.
void collectThresholds(AbstractProgram &program);

} // namespace fathom::statics::abstract
#endif
