// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the instructions of an inline assembly statement work on, as LLVM IR: registers, operands,
// memory, flags. Everything is built in front of the call that the statement is, without branches:
// what a jump skips is computed, too, and at its label a select chooses between the two.
//
// A register is a word of 64 bits of which so many low bits are known. Flags are built when an
// instruction asks for them: most of them are never read. Where something that is not known is
// read, the translation has failed (failed()), and the caller takes back what was built.
//
// Operands are told apart as the compiler does it, but for one thing: an output never shares a
// register with an input that it is not tied to. A statement that works only where they do, or only
// where they do not, depends on the compiler's choice.
#ifndef FATHOM_PROGRAM_ASSEMBLYMACHINE_H
#define FATHOM_PROGRAM_ASSEMBLYMACHINE_H

#include "program/AssemblyCode.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IRBuilder.h"

#include <array>
#include <functional>

namespace fathom::program {

/// Each gives an i1; empty: it is undefined.
struct AsmFlags {
  using Maker = std::function<llvm::Value *()>;
  Maker carry, zero, sign, overflow, parity;
  /// After a comparison, what was compared: conditions are built from these, not from flags.
  llvm::Value *left = nullptr, *right = nullptr;
};

class AssemblyMachine {
public:
  /// failed() where an operand is neither an integer or pointer of up to 64 bits nor memory.
  explicit AssemblyMachine(llvm::CallInst &call);

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

  /// The width that an operand says an instruction has; 0: none.
  unsigned widthOf(const AsmOperand &operand) const;
  bool isMemory(const AsmOperand &operand) const;
  /// Do the two mean one register, as a whole?
  bool isSame(const AsmOperand &a, const AsmOperand &b) const;

  llvm::Value *read(const AsmOperand &operand, unsigned bits);
  void write(const AsmOperand &operand, llvm::Value *value);
  /// Where `when` does not hold, the operand stays `old`, and so does a register's upper half.
  void writeIf(llvm::Value *when, const AsmOperand &operand, llvm::Value *value, llvm::Value *old);
  llvm::Value *load(llvm::Type *type, llvm::Value *address);
  /// The old value, where it is known: an output that is not written before has none.
  llvm::Value *readIfKnown(const AsmOperand &operand, unsigned bits);
  /// The address of an operand in memory.
  llvm::Value *address(const AsmOperand &operand);
  llvm::Value *readRegister(unsigned number, unsigned bits);
  void writeRegister(unsigned number, llvm::Value *value);
  /// The number that an operand is known to be.
  std::optional<uint64_t> constantOf(const AsmOperand &operand) const;

  llvm::Value *condition(AsmCondition which);
  /// A flag that must be known.
  llvm::Value *flag(const AsmFlags::Maker &maker);

  /// A jump: what is in registers and flags now is there again at the label, if it is taken.
  /// \param when  null: always
  void jumpTo(size_t label, llvm::Value *when);
  void arriveAt(size_t label);
  /// Is there a jump over what comes now? Then it may only compute.
  bool isSkippable() const { return !jumps_.empty(); }
  llvm::Instruction *lastBuilt() const { return call_.getPrevNode(); }
  bool onlyComputesSince(const llvm::Instruction *before) const;

  /// The statement's results, as the call gives them. Null: failed, or there are none.
  llvm::Value *results();

  llvm::IRBuilder<> b;
  AsmFlags flags;

private:
  struct Cell {
    llvm::Value *value = nullptr; ///< a pointer, or an integer that zeros extend to 64 bits
    unsigned known = 0;           ///< so many low bits
  };
  struct Operand {
    enum class Kind : uint8_t { Cell, Memory, Immediate } kind = Kind::Cell;
    unsigned cell = 0, bits = 0;  ///< Cell
    llvm::Value *value = nullptr; ///< Memory: the pointer; Immediate: a constant
  };
  struct Result {
    bool isCondition = false;
    unsigned cell = 0;
    AsmCondition condition{};
    llvm::Type *type = nullptr;
  };

  /// One that has been taken, or may have been.
  struct Jump {
    size_t label = 0;
    llvm::Value *when = nullptr; ///< that control comes to its label from here
    std::vector<Cell> cells;
    AsmFlags flags;
  };

  Cell choose(llvm::Value *when, const Cell &taken, const Cell &other);
  AsmFlags choose(llvm::Value *when, const AsmFlags &taken, const AsmFlags &other);
  unsigned newCell(llvm::StringRef code);
  void addOperand(const llvm::InlineAsm::ConstraintInfo &info, unsigned &argument,
                  unsigned &result);
  void addOutput(const llvm::InlineAsm::ConstraintInfo &info, llvm::Type *type);
  void addInput(const llvm::InlineAsm::ConstraintInfo &info, llvm::Value *value);
  /// Null: it is none, or there is no such operand.
  const Operand *operandOf(const AsmOperand &operand) const;
  std::optional<unsigned> cellOf(const AsmPlace &place);
  llvm::Value *readCell(unsigned cell, unsigned bits, bool isHigh);
  void writeCell(unsigned cell, llvm::Value *value, bool isHigh);
  llvm::Value *readPlace(const AsmPlace &place);
  unsigned bitsOf(llvm::Type *type) const;
  llvm::Value *word(llvm::Value *value);

  llvm::CallInst &call_;
  std::vector<Cell> cells_;
  std::vector<Operand> operands_;
  std::vector<Result> results_;
  std::array<int, 16> registers_;
  std::vector<Jump> jumps_;     ///< whose labels are still to come
  llvm::Value *here_ = nullptr; ///< that control comes here; null: always
  bool isDead_ = false;         ///< never: the statement before jumps away
  bool failed_ = false;
};

} // namespace fathom::program
#endif
