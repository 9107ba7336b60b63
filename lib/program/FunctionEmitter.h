// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the decoder: how values become slots, and the code of one function while it is made
// (FunctionEmitter.cpp).
//
// How values become slots. A frame is laid out as
//
//     parameters | values that live across blocks | constants | block-local values
//
// - A value used only in its own block gets a slot from a pool that is recycled at its last use:
//   frames stay small, and a merge of two states at a block's start need not look at slots from
//   FunctionCode::localBase on.
// - Instructions that only rename bits (bitcast, extractvalue, freeze, ...) are aliases of their
//   operand and emit nothing.
// - Constant-offset GEPs whose users are loads, stores and GEPs of the same block are folded into
//   those; sext i32 -> i64 that only feeds GEPs is folded into GepS32.
// - Of the others, constants included, those that are never live at the same time share a slot
//   (ShareSlots.h), in the end.
// - A value that flows into a phi is computed in the phi's slot if no other value needs the slot
//   then.
// - Constants without an immediate form are loaded once at function entry when a block on a cycle
//   uses them, and once per block otherwise.
//
// While code is emitted, constants and block-local values have provisional numbers (kConstBit,
// kTempBit); finish() renumbers. Jump targets are labels until then.
#ifndef FATHOM_PROGRAM_FUNCTIONEMITTER_H
#define FATHOM_PROGRAM_FUNCTIONEMITTER_H

#include "program/ModuleDecoder.h"

#include "llvm/ADT/SmallVector.h"

#include <map>
#include <unordered_map>

namespace fathom::program {

/// A scalar an instruction reads: a constant, or a slot (two when wide).
struct Operand {
  bool constant = false;
  bool undef = false; ///< constant, of no particular value
  uint32_t slot = 0;
  uint64_t lo = 0, hi = 0;

  static Operand ofSlot(uint32_t slot) { return {false, false, slot, 0, 0}; }
  static Operand ofConstant(uint64_t lo, uint64_t hi = 0) { return {true, false, 0, lo, hi}; }
};

enum class ValueMode : uint8_t {
  Own,        ///< has slots of its own
  Alias,      ///< its operand's slots
  FoldedGep,  ///< constant offset, added by its users
  FoldedSext, ///< read as 32 bits by GepS32
};
struct ValueState {
  ValueMode mode = ValueMode::Own;
  bool local = false; ///< slots from the recycled pool
  uint32_t slot = kNoIndex;
  uint32_t uses = 0; ///< left to decode
};

class FunctionEmitter {
public:
  FunctionEmitter(ModuleDecoder &module, FunctionCode &code) : shared(module), out(code) {}

  ModuleDecoder &shared;
  FunctionCode &out;
  bool asWritten = false; ///< not optimised: overflow and overshift are the programmer's
  bool shareSlots =
      true; ///< false where setjmp can return a second time: every value keeps its slot
  llvm::DenseMap<const llvm::Value *, ValueState> values;
  uint32_t crossSlots = 0; ///< parameters and values that live across blocks

  // --- blocks and labels
  void addBlock(const llvm::BasicBlock *reached) { blockLabels_[reached] = newLabel(); }
  void beginBlock(const llvm::BasicBlock &now, const llvm::BasicBlock *following, bool isOnCycle);
  const llvm::BasicBlock *block = nullptr;                          ///< the one being decoded
  const llvm::BasicBlock *next = nullptr;                           ///< that follows in the code
  std::vector<std::pair<const llvm::BasicBlock *, uint32_t>> stubs; ///< of edges from the block
  bool isAtBlockStart() const { return code_.size() <= labels_[labelOf(block)]; }
  uint32_t newLabel() {
    labels_.push_back(kNoIndex);
    return static_cast<uint32_t>(labels_.size() - 1);
  }
  uint32_t labelOf(const llvm::BasicBlock *of) const { return blockLabels_.lookup(of); }
  void placeLabel(uint32_t label) { labels_[label] = static_cast<uint32_t>(code_.size()); }
  /// Jumps to the stub can as well go to the block that it leads to.
  void noteEmptyStub(uint32_t stub, uint32_t to) { emptyStubs_.push_back({stub, to}); }

  // --- slots
  const Layout &layoutOf(const llvm::Value *v) const { return shared.layouts.of(v->getType()); }
  /// Scalar number `index` of a value.
  Operand use(const llvm::Value *v, unsigned index = 0);
  /// A slot (pair) that holds the operand.
  uint32_t reg(const Operand &operand, unsigned bits);
  uint32_t useReg(const llvm::Value *v, unsigned index = 0);
  /// First of the consecutive slots that hold the whole value.
  uint32_t useAll(const llvm::Value *v);
  /// First slot of an instruction's result.
  uint32_t define(const llvm::Instruction &inst);
  /// Slots that are free again after the instruction being decoded.
  uint32_t scratch(uint32_t slots = 1);
  void releaseScratch();
  void freeTemp(uint32_t slot, uint32_t slots);
  void forgetBlockConstants() {
    blockConstants_.clear();
    blockWideConstants_.clear();
  }
  /// For every scalar of the instruction's result: body(index, scalar, slot).
  template <class Body> void forEachScalar(const llvm::Instruction &inst, Body body) {
    const Layout &layout = layoutOf(&inst);
    uint32_t dst = define(inst);
    for (unsigned i = 0; i < layout.scalars.size(); ++i)
      body(i, layout.scalars[i], dst + layout.scalars[i].slot);
  }

  // --- code
  Inst &emit(Op op, unsigned w, uint32_t dst, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0,
             uint32_t d = 0, uint64_t imm = 0, uint8_t flags = 0);
  /// dst = operand, for a scalar of this width.
  void move(uint32_t dst, const Operand &operand, unsigned bits);
  /// dst = a value of this width that was never written. `variable`: index into allocas, for its
  /// name.
  void uninit(uint32_t dst, unsigned bits, uint32_t variable = kNoIndex);
  /// Sets the location of what is emitted from here on.
  void setLocation(uint32_t location) { location_ = location; }
  size_t size() const { return code_.size(); } ///< instructions so far
  void undoTo(size_t size);
  /// Renumbers, and moves everything into `out`.
  void finish();

  // --- what cannot be decoded
  /// The instruction being decoded becomes Op::Unsupported.
  void fail(const std::string &why) {
    if (failure.empty()) failure = why;
  }
  bool failed() const { return !failure.empty(); }
  std::string failure;

private:
  static constexpr uint32_t kConstBit = 1u << 30, kTempBit = 1u << 31;
  uint32_t allocTemp(uint32_t slots);

  uint32_t location_ = 0;
  std::vector<Inst> code_;
  std::vector<uint32_t> locs_;
  std::vector<uint32_t> labels_; ///< label -> instruction index
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockLabels_;
  std::vector<uint32_t> blockStartLabels_;
  std::vector<std::pair<uint32_t, uint32_t>>
      emptyStubs_; ///< (label, label of the block it leads to)

  // Block-local slots.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 8> scratch_;
  uint32_t tempNext_ = 0, tempMax_ = 0;
  std::map<uint32_t, std::vector<uint32_t>> tempFree_; ///< by number of slots

  // Constants loaded once per block, or at entry.
  bool hoistConstants_ = false; ///< those of this block
  std::unordered_map<uint64_t, uint32_t> blockConstants_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> blockWideConstants_;
  std::vector<Inst> entryConstants_;
  uint32_t entryConstantSlots_ = 0;
  std::map<uint64_t, uint32_t> hoisted_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> hoistedWide_;
};

} // namespace fathom::program
#endif
