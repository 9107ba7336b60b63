// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an inline assembly statement as a list of x86 instructions: AT&T syntax, the general
// registers and the operands of the statement, and jumps forward within it. What needs more (loops,
// symbols, the stack, segments, vector registers) has no such list.
//
//   "lock; xaddq %0, %1\n\tsetc %b2"  ->  lock Xadd 64 [operand 0, operand 1], Set Below [operand
//   2:b]
#ifndef FATHOM_PROGRAM_ASSEMBLYCODE_H
#define FATHOM_PROGRAM_ASSEMBLYCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fathom::program {

enum class AsmOp : uint8_t {
  Nothing, ///< hints
  Fence,
  Mov,
  MovZero,
  MovSign,
  Lea,
  Xchg,
  Add,
  Adc,
  Sub,
  Sbb,
  Cmp,
  And,
  Or,
  Xor,
  Test,
  Not,
  Neg,
  Inc,
  Dec,
  Shl,
  Shr,
  Sar,
  Rol,
  Ror,
  Rcl,
  Rcr,
  Shld,
  Shrd,
  Bt,
  Bts,
  Btr,
  Btc,
  Bsf,
  Bsr,
  Tzcnt,
  Lzcnt,
  Popcnt,
  Bswap,
  Mul,
  Imul,
  Div,
  Idiv,
  Mulx,
  Adcx,
  Adox,
  Rorx,
  Sarx,
  Shlx,
  Shrx,
  Andn,
  Xadd,
  Cmpxchg,
  Set,
  Cmov,
  ClearCarry,
  SetCarry,
  FlipCarry,
  ExtendAccumulator, ///< cbtw, cwtl, cltq: to `bits`
  SignToHigh,        ///< cwtd, cltd, cqto: the accumulator's sign fills the data register
  Movs,              ///< movs, with rep: see isRepeated
  Stos,              ///< stos
  Jump,              ///< to `label`, always or on `condition`
  Label
};

/// As the processor numbers them: an odd one is the opposite of the one before.
enum class AsmCondition : uint8_t {
  Overflow,
  NoOverflow,
  Below,
  AboveOrEqual,
  Equal,
  NotEqual,
  BelowOrEqual,
  Above,
  Sign,
  NoSign,
  Parity,
  NoParity,
  Less,
  GreaterOrEqual,
  LessOrEqual,
  Greater
};

/// A general register, or an operand of the statement.
struct AsmPlace {
  bool isOperand = false;
  unsigned number = 0; ///< of the register as instructions encode it (0: %rax), or of the operand
  unsigned bits = 0;   ///< that its name says; 0: an operand without a modifier
  bool isHigh = false; ///< bits 8 to 15: %ah
};

struct AsmOperand {
  enum class Kind : uint8_t { Immediate, Place, Memory } kind = Kind::Immediate;
  int64_t value = 0;                   ///< Immediate; Memory: the displacement
  AsmPlace place;                      ///< Place
  std::optional<AsmPlace> base, index; ///< Memory
  unsigned scale = 1;
};

struct AsmInstruction {
  AsmOp op = AsmOp::Nothing;
  bool isLocked = false;
  bool isRepeated = false;    ///< Movs, Stos: as often as the count register says
  bool isConditional = false; ///< Jump
  size_t label = 0;           ///< Jump: the Label's place in the list, after it
  unsigned bits = 0;          ///< that the suffix says; 0: the operands say it
  unsigned fromBits = 0;      ///< MovZero, MovSign: of the source
  AsmCondition condition = AsmCondition::Overflow;
  llvm::SmallVector<AsmOperand, 4> operands; ///< in AT&T's order: the destination is the last
};

/// \param text  an InlineAsm's
/// \returns     nothing where some part of it is not understood
std::optional<std::vector<AsmInstruction>> parseAssembly(llvm::StringRef text);
/// "c", "nae", "z" ...
std::optional<AsmCondition> assemblyCondition(llvm::StringRef name);
/// The number of a general register by the name of any of its parts, without %. The stack pointer
/// has none.
std::optional<AsmPlace> assemblyRegister(llvm::StringRef name);

} // namespace fathom::program
#endif
