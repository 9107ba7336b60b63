// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole program as compact register code: what the interpreter runs. Decoded once from LLVM IR
// (Decode.h); no LLVM type appears here. Opcodes.def says what each operation does and which fields
// it uses.
#ifndef FATHOM_PROGRAM_CODE_H
#define FATHOM_PROGRAM_CODE_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace fathom::program {

enum class Op : uint16_t {
#define FATHOM_OP(name) name,
#include "program/Opcodes.def"
  Count
};

/// Which of the conditions of a sanitizer's check failed, where the check number says no more.
enum class TrapCause : uint8_t { Unknown, Zero, Null, Misaligned, Read, Write, Unsigned };

/// Does control never fall through to the next instruction?
constexpr bool isTerminator(Op op) {
  switch (op) {
  case Op::Jmp:
  case Op::CondJmp:
  case Op::Switch:
  case Op::IndirectBr:
  case Op::Ret:
  case Op::RetVoid:
  case Op::Unreachable:
  case Op::Trap:
  case Op::Unsupported: return true;
  default: return false;
  }
}

constexpr bool isCall(Op op) {
  return op == Op::Call || op == Op::CallIndirect || op == Op::CallExternal;
}

/// Does the instruction after it in the code run only when something jumps, returns or falls there?
constexpr bool isTransfer(Op op) { return isTerminator(op) || isCall(op); }

enum InstFlag : uint8_t {
  kNsw = 1,      ///< signed overflow is a bug
  kOwn = 2,      ///< a branch of the program's own code (not libc, not the runtime)
  kSigned = 4,   ///< WideOverflow
  kSaturate = 8, ///< FToUI, FToSI
  kPointer =
      16, ///< the value is a pointer (Select, Load64, comparisons): a hint for pointer policies
};

struct Inst {
  Op op;
  uint8_t w = 0;     ///< width in bits, or FpType
  uint8_t flags = 0; ///< InstFlag
  uint32_t dst = 0;
  uint32_t a = 0, b = 0, c = 0, d = 0;
  uint64_t imm = 0;
};
static_assert(sizeof(Inst) == 32);

inline constexpr uint32_t kNoIndex = ~0u;

enum class WideOp : uint8_t {
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  UMin,
  UMax,
  SMin,
  SMax
};
enum class Predicate : uint8_t { Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge };
enum class FpType : uint8_t { Half, Float, Double, X87 };
enum class FpMath : uint8_t {
  Fabs,
  Sqrt,
  Floor,
  Ceil,
  Trunc,
  Rint,
  Nearbyint,
  Round,
  RoundEven,
  Canonicalize,
  CopySign,
  MinNum,
  MaxNum,
  Minimum,
  Maximum,
  Lrint,
  Lround,
};

/// A source position; index 0 is "unknown".
struct Location {
  uint32_t file = 0; ///< index into Program::files
  uint32_t line = 0, column = 0;
};

struct SwitchTable {
  uint32_t branchId = kNoIndex;
  bool own = false;
  std::vector<uint64_t> values;  ///< ascending, zero-extended; all in one word (wider switches are
                                 ///< decoded to comparisons)
  std::vector<uint32_t> targets; ///< instruction index per value
  std::vector<uint32_t> sides;   ///< per value: the side reported to the trace: switchSides() in
                                 ///< Load.h; 0 where a case goes where the default goes
  uint32_t defaultTarget = 0;    ///< side 0
};

/// How x86-64 passes an argument: the first six of Integer and eight of Sse in registers,
/// everything else in memory.
enum class ArgClass : uint8_t { Integer, Sse, Memory };

/// What a scalar parameter or result of a foreign function is, for the calling convention.
enum class ForeignType : uint8_t { Void, Integer, Pointer, Float, Double, Other };

struct Param {
  uint32_t slot = 0, slots = 1;
  uint32_t widthBits = 64; ///< of a scalar parameter; 0 for aggregates
  uint64_t byvalBytes =
      0; ///< non-zero: the pointer passed is to be copied, with this size and alignment
  uint32_t byvalAlign = 0;
  /// For a pointer: so many bytes are there by its declaration; 0: the declaration does not say.
  uint64_t pointeeBytes = 0;
  bool isResult = false; ///< pointer: to where a result goes that is returned in memory
  bool pointer = false;
  ForeignType foreign = ForeignType::Other; ///< as an external call passes it
  bool signExtended = false; ///< a narrow integer that the caller passes with its sign
  bool readOnly = false; ///< pointer: nothing is written through it (an attribute of the function)
  std::string name;      ///< from debug information, may be empty (used by --entry)
};

struct VarArg {
  uint32_t slot = 0;
  uint32_t sizeBytes = 8; ///< as it lies in memory
  uint32_t align = 8;     ///< 8 or 16
  ArgClass passed = ArgClass::Integer;
  bool byval = false; ///< the slot holds an address; sizeBytes bytes there are the argument
};

struct AllocaInfo {
  std::string name; ///< source variable, or the IR name
  uint64_t sizeBytes = 0;
};

/// The scalars of a parameter list or a result, by slot: the width in bits, plus kShapeSse when
/// x86-64 passes it in an SSE register; 0 for the second slot of a pair. Two lists have the same
/// number in Program::shapes exactly when they are the same.
using Shape = std::vector<uint16_t>;
inline constexpr uint16_t kShapeSse = 256;
constexpr unsigned shapeBits(uint16_t scalar) { return scalar & (kShapeSse - 1); }
/// Can a value of one scalar stand for the other, truncated or zero-extended, as a register can?
constexpr bool convertible(uint16_t from, uint16_t to) {
  const bool integers = !((from | to) & kShapeSse);
  return from == to || (integers && from && to && (from > 64) == (to > 64));
}

/// What an indirect call expects of its callee.
struct CallSig {
  uint32_t argSlots = 0, retSlots = 0;
  uint32_t argShape = 0, retShape = 0; ///< indices into Program::shapes
  bool varArg = false;
};

struct FunctionCode {
  std::string name;      ///< as it is linked
  std::string shownName; ///< as its source has it (readableName)
  uint32_t id = 0;       ///< index in Program::functions
  uint32_t slots = 0;    ///< size of a frame's register file, constants included
  uint32_t argSlots = 0; ///< parameters take slots 0 .. argSlots
  uint32_t retSlots = 0;
  uint32_t argShape = 0, retShape = 0; ///< indices into Program::shapes
  ForeignType foreignResult = ForeignType::Other;
  uint32_t retWidthBits = 0; ///< of a scalar result; 0 otherwise
  bool varArg = false;
  bool byvalParams = false; ///< some parameter is a structure by value
  uint32_t namedInteger = 0,
           namedSse = 0; ///< registers that the named parameters take (varArg; at most 6 and 8)
  bool isModel = false;  ///< the function belongs to the environment model
  bool own = true;       ///< false: libc, runtime
  bool isThinWrapper = false; ///< isThinWrapper
  bool addressTaken = false;  ///< something in the program is a pointer to it
  bool isPure = false; ///< known to depend on arguments and their memory alone (PureFunctions.h)
  std::vector<Param> params;
  std::vector<Inst> code;     ///< entry is code[0]
  std::vector<uint32_t> locs; ///< per instruction: index into Program::locations
  /// (instruction index, index into Program::locations), ascending by instruction, of own functions
  /// only: a line of the source begins there, whether or not it has instructions (SourceLines.h).
  std::vector<std::pair<uint32_t, uint32_t>> lineStarts;
  std::vector<uint32_t> pool; ///< argument slot lists
  std::vector<SwitchTable> switches;
  std::vector<std::vector<VarArg>> varArgs;
  std::vector<CallSig> callSigs;
  std::vector<AllocaInfo> allocas;
  std::vector<std::vector<std::pair<uint64_t, uint32_t>>>
      blockTargets; ///< (block address, instruction index)
  std::vector<uint32_t>
      blockStarts; ///< instruction index of each basic block's first instruction, ascending
  uint32_t localBase =
      0; ///< slots from here on never carry a value from one basic block to the next
  uint32_t coverBase =
      0; ///< first entry of this function in a per-instruction coverage map of the program
  uint32_t declLine = 0;
  uint32_t file = 0;
};

/// Numbers that a part of a variable holds, in every state that the program can come to.
struct NumberRange {
  uint64_t offset = 0;
  uint32_t bytes = 0; ///< at most 8, or any number of bytes that never change (least == greatest)
  int64_t least = 0, greatest = 0; ///< as a number with a sign, of so many bytes
};

struct Global {
  std::string name;
  uint64_t address = 0; ///< Address.h's scheme; final
  uint64_t sizeBytes = 0;
  std::vector<uint8_t> init; ///< sizeBytes bytes, relocations applied; empty: all zero
  bool constant = false;
  bool own = true;
  bool threadLocal = false;
  /// Something may point to it or into it: code uses its address for more than loads, stores and
  /// comparisons.
  bool addressTaken = true;
  /// What is known of its numbers (GlobalRanges.h), parts that do not overlap; empty: nothing.
  std::vector<NumberRange> ranges;
};

/// A function without a body in the program: an engine intrinsic, the allocator, or a real external
/// operation.
struct External {
  std::string name;
  uint64_t address = 0; ///< a function address (Address.h): functions first, externals after them
  uint32_t argSlots = 0, retSlots = 0;
  uint32_t argShape = 0, retShape = 0; ///< indices into Program::shapes
  uint32_t retWidthBits = 0;
  bool varArg = false;
  bool addressTaken = false; ///< as FunctionCode's
  std::vector<ForeignType>
      params; ///< one per parameter in the declaration; each takes one slot unless it is Other
  ForeignType result = ForeignType::Void;
  std::vector<bool> readOnly;      ///< like params: nothing is written through this pointer
  std::vector<uint32_t> signWidth; ///< like params: of a narrow integer with a sign; 0: another
  /// Inline assembly or an intrinsic that was made a function (OutlineAssembly.cpp), as a message
  /// shows it. Empty: none. It has code in the functions' variant of the program.
  std::string assembly;
  std::vector<uint64_t> bytes; ///< assembly, like params: of a pointer that is to so many bytes
  bool assemblyMemory = false; ///< it reads and writes memory that its operands point to
  bool isPure = false;         ///< as FunctionCode's, of the body
  /// The function that it is, if it has a body all the same (makeExternal).
  uint32_t body = kNoIndex;
};

/// A conditional branch or switch. Numbered densely, the program's own ones first (0 ..
/// Program::ownBranches): their numbers do not depend on the runtime that is linked in, and native
/// variants made from the same bitcode have the same.
struct Branch {
  uint32_t function = 0;
  uint32_t location = 0;
  uint32_t ordinal = 0; ///< n-th branch of its function
  uint32_t sides = 2; ///< CondJmp: 2 (side 0 = false, 1 = true); switch: one per distinct target (0
                      ///< = the default's)
  uint32_t sideBase = 0; ///< first entry in an array with one element per branch side
};

struct Program {
  std::string modulePath;
  std::vector<FunctionCode> functions;
  std::vector<External> externals;
  std::vector<Global> globals;
  std::vector<Branch> branches;
  uint32_t ownBranches = 0;
  uint32_t branchSides = 0; ///< total of Branch::sides
  uint32_t ownBranchSides = 0;
  uint32_t coverSize = 0; ///< total number of instructions
  std::vector<Location> locations;
  std::vector<std::string>
      files; ///< as in the debug information, made absolute with the compilation directory
  std::vector<std::string> messages;
  std::vector<Shape> shapes;
  std::vector<uint64_t>
      slotsUsed; ///< per size class: number of the next free slot after the globals
  /// By name, aliases' as well, and by shownName where that is not another one's.
  std::unordered_map<std::string, uint32_t> functionIndex;
  std::unordered_map<std::string, uint32_t> globalIndex;

  const FunctionCode *find(const std::string &name) const {
    auto it = functionIndex.find(name);
    return it == functionIndex.end() ? nullptr : &functions[it->second];
  }
  const Location &location(const FunctionCode &f, uint32_t inst) const {
    return locations[f.locs[inst]];
  }
};

/// Calls of these functions from the program's own code become external calls: CallExternal with an
/// External whose body is known. Names that the program does not have are left out; an alias's name
/// means the function that it stands for, which is then called by this name.
/// \returns how many functions that were.
size_t makeExternal(Program &program, const std::vector<std::string> &names);

/// Text form, for tests (`fathom explore --print=code`) and for people.
std::string printFunction(const Program &program, const FunctionCode &function);
const char *opName(Op op);

} // namespace fathom::program
#endif
