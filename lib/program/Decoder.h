// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the decoder (Decode*.cpp). Start reading at FunctionDecoder::run in
// DecodeFunction.cpp.
//
// How values become slots. A frame is laid out as
//
//     parameters | values that live across blocks | constants | block-local values
//
// - A value used only in its own block gets a slot from a pool that is recycled at its last use:
// frames stay small, and a merge
//   of two states at a block's start need not look at slots from FunctionCode::localBase on.
// - Instructions that only rename bits (bitcast, extractvalue, freeze, ...) are aliases of their
// operand and emit nothing.
// - Constant-offset GEPs whose users are loads, stores and GEPs of the same block are folded into
// those; sext i32 -> i64 that only feeds
//   GEPs is folded into GepS32.
// - Of the others, constants included, those that are never live at the same time share a slot
// (ShareSlots.h), in the end.
// - A value that flows into a phi is computed in the phi's slot where that disturbs nobody.
// - Constants without an immediate form are loaded once at function entry when a block on a cycle
// uses them, and
//   once per block otherwise.
//
// While code is emitted, constants and block-local values have provisional numbers (kConstBit,
// kTempBit); finish() renumbers. Jump targets are labels until then.
#ifndef FATHOM_PROGRAM_DECODER_H
#define FATHOM_PROGRAM_DECODER_H

#include "program/Code.h"
#include "program/Constants.h"
#include "program/Layout.h"
#include "program/SourceLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <map>
#include <unordered_map>

namespace fathom::program {

/// What all functions of a module share.
class ModuleDecoder {
public:
  explicit ModuleDecoder(const llvm::Module &module);
  llvm::Expected<Program> run();

  uint32_t message(const std::string &text);
  uint32_t location(const llvm::DILocation *loc);
  uint32_t location(const llvm::DIFile *file, uint32_t line, uint32_t column);
  uint32_t file(const llvm::DIFile *file);
  /// The number of the shape that these layouts have together.
  uint32_t shape(llvm::ArrayRef<const Layout *> layouts);
  /// The branch number of a terminator.
  uint32_t branchId(const llvm::Instruction &terminator) const {
    return branchIds_.lookup(&terminator);
  }

  const llvm::Module &module;
  const llvm::DataLayout &dl;
  Layouts layouts;
  Constants constants;
  Program program;
  llvm::DenseMap<const llvm::Function *, uint32_t> functionIds;
  llvm::DenseMap<const llvm::Function *, uint32_t> externalIds;

private:
  void numberFunctions();
  void numberBlocks();
  void placeGlobals();
  llvm::Error fillGlobals();
  void numberBranches();
  void declareFunction(const llvm::Function &function, FunctionCode &out);

  llvm::DenseMap<const llvm::Instruction *, uint32_t> branchIds_;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> locationOfNode_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> locationIds_;
  llvm::DenseMap<const llvm::DIFile *, uint32_t> fileOfNode_;
  llvm::StringMap<uint32_t> fileIds_;
  llvm::StringMap<uint32_t> messageIds_;
  std::map<Shape, uint32_t> shapeIds_;
};

/// A scalar an instruction reads: a constant, or a slot (two when wide).
struct Operand {
  bool constant = false;
  bool undef = false; ///< constant, of no particular value
  uint32_t slot = 0;
  uint64_t lo = 0, hi = 0;

  static Operand ofSlot(uint32_t slot) { return {false, false, slot, 0, 0}; }
  static Operand ofConstant(uint64_t lo, uint64_t hi = 0) { return {true, false, 0, lo, hi}; }
};

/// A condition of a sanitizer's check, and what was wrong where it is false.
struct TrapCondition {
  const llvm::Value *holds;
  TrapCause otherwise;
};

class FunctionDecoder {
public:
  FunctionDecoder(ModuleDecoder &module, const llvm::Function &function, FunctionCode &out);
  void run();

private:
  // --- DecodeFunction.cpp: analysis, slots, labels
  // --------------------------------------------------------------
  enum class Mode : uint8_t {
    Own,        ///< has slots of its own
    Alias,      ///< its operand's slots
    FoldedGep,  ///< constant offset, added by its users
    FoldedSext, ///< read as 32 bits by GepS32
  };
  struct ValueState {
    Mode mode = Mode::Own;
    bool local = false; ///< slots from the recycled pool
    uint32_t slot = kNoIndex;
    uint32_t uses = 0; ///< left to decode
  };
  static constexpr uint32_t kConstBit = 1u << 30, kTempBit = 1u << 31;

  void analyse();
  Mode modeOf(const llvm::Instruction &inst) const;
  bool isRename(const llvm::Instruction &inst) const;
  bool foldsIntoAccesses(const llvm::GetElementPtrInst &gep) const;
  bool foldsIntoGeps(const llvm::SExtInst &sext) const;
  void shareWithPhi(const llvm::PHINode &phi, uint32_t slot);
  bool isSingleOperation(const llvm::Instruction &inst) const;
  bool readOnTheWay(const llvm::Instruction &phi, const llvm::Instruction &value,
                    llvm::ArrayRef<const llvm::BasicBlock *> way) const;
  bool escapes(const llvm::Instruction &value, llvm::ArrayRef<const llvm::BasicBlock *> home) const;
  void decodeBlock(const llvm::BasicBlock &block);
  void decodeInstruction(const llvm::Instruction &inst);
  void dispatch(const llvm::Instruction &inst);
  void noteLines(const llvm::Instruction &inst); ///< that begin with it
  void dropUse(const llvm::Value *value);
  void finish();
  void nameAllocasAndParams();

  uint32_t allocTemp(uint32_t slots);
  void freeTemp(uint32_t slot, uint32_t slots);
  uint32_t newLabel() {
    labels_.push_back(kNoIndex);
    return static_cast<uint32_t>(labels_.size() - 1);
  }
  uint32_t labelOf(const llvm::BasicBlock *block) const { return blockLabels_.lookup(block); }
  void placeLabel(uint32_t label) { labels_[label] = static_cast<uint32_t>(code_.size()); }

  // --- used by every subject
  // ------------------------------------------------------------------------------------
  const Layout &layoutOf(const llvm::Value *v) const { return m_.layouts.of(v->getType()); }
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
  Inst &emit(Op op, unsigned w, uint32_t dst, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0,
             uint32_t d = 0, uint64_t imm = 0, uint8_t flags = 0);
  /// dst = operand, for a scalar of this width.
  void move(uint32_t dst, const Operand &operand, unsigned bits);
  /// dst = a value of this width that was never written. `variable`: index into allocas, for its
  /// name.
  void uninit(uint32_t dst, unsigned bits, uint32_t variable = kNoIndex);
  void checkLane(const llvm::Value *subscript, const Layout &vector, bool isWrite);
  /// The instruction being decoded becomes Op::Unsupported.
  void fail(const std::string &why) {
    if (failure_.empty()) failure_ = why;
  }
  bool failed() const { return !failure_.empty(); }
  void forgetBlockConstants() {
    blockConstants_.clear();
    blockWideConstants_.clear();
  }

  // --- DecodeInteger.cpp
  // ------------------------------------------------------------------------------------------
  void decodeBinary(const llvm::BinaryOperator &inst);
  void decodeICmp(const llvm::ICmpInst &inst);
  void decodeCast(const llvm::CastInst &inst);
  void decodeSelect(const llvm::SelectInst &inst);
  void binary(unsigned opcode, unsigned bits, uint32_t dst, Operand a, Operand b, bool nsw = false);
  Operand speculativeShiftAmount(const Operand &amount, unsigned bits);
  void compare(llvm::CmpInst::Predicate predicate, unsigned bits, uint32_t dst, Operand a,
               Operand b, bool pointer = false);
  void select(unsigned bits, uint32_t dst, const Operand &condition, const Operand &a,
              const Operand &b, bool pointer = false);
  void truncate(uint32_t dst, unsigned toBits, const Operand &a, unsigned fromBits);
  void zeroExtend(uint32_t dst, unsigned toBits, const Operand &a, unsigned fromBits);
  void signExtend(uint32_t dst, unsigned toBits, const Operand &a, unsigned fromBits);

  // --- DecodeFloat.cpp
  // ----------------------------------------------------------------------------------------------
  void floatBinary(unsigned opcode, FpType type, uint32_t dst, const Operand &a, const Operand &b);
  void decodeFCmp(const llvm::Instruction &inst, llvm::CmpInst::Predicate predicate);
  void decodeFNeg(const llvm::UnaryOperator &inst);
  void floatCast(unsigned opcode, const llvm::Instruction &inst, const llvm::Value *source,
                 bool saturate);
  bool decodeFloatIntrinsic(const llvm::IntrinsicInst &inst);
  bool decodeConstrained(const llvm::ConstrainedFPIntrinsic &inst);
  bool floatMath(llvm::Intrinsic::ID id, const llvm::CallInst &inst);
  bool libmCall(llvm::Intrinsic::ID id, const llvm::CallInst &inst);

  // --- DecodeMemory.cpp
  // ---------------------------------------------------------------------------------------------
  struct Address {
    Operand base;
    int64_t offset = 0;
  };
  Address addressOf(const llvm::Value *pointer);
  /// Base slot such that base + offset .. base + offset + bytes can be written with 32-bit
  /// displacements.
  uint32_t baseSlot(Address &address, uint64_t bytes);
  void loadScalar(const Scalar &s, uint32_t dst, uint32_t base, int64_t offset);
  void storeScalar(const Scalar &s, const Operand &value, uint32_t base, int64_t offset);
  void loadBits(uint32_t dst, unsigned bits, uint32_t base, int64_t offset);
  void decodeLoad(const llvm::LoadInst &inst);
  void decodeStore(const llvm::StoreInst &inst);
  void decodeGep(const llvm::GetElementPtrInst &inst);
  void gepLane(const llvm::GetElementPtrInst &inst, unsigned lane, uint32_t dst);
  void decodeAlloca(const llvm::AllocaInst &inst);
  void decodeCmpXchg(const llvm::AtomicCmpXchgInst &inst);
  void decodeAtomicRmw(const llvm::AtomicRMWInst &inst);
  void decodeVaArg(const llvm::VAArgInst &inst);
  bool decodeMemoryIntrinsic(const llvm::IntrinsicInst &inst);
  void maskedAccess(const llvm::IntrinsicInst &inst);

  // --- DecodeControl.cpp
  // --------------------------------------------------------------------------------------------
  void decodeBranch(const llvm::BranchInst &inst);
  void decodeSwitch(const llvm::SwitchInst &inst);
  void decodeIndirectBr(const llvm::IndirectBrInst &inst);
  void decodeReturn(const llvm::ReturnInst &inst);
  /// Label to jump to for the edge from the current block to `to`: the block itself, or a stub with
  /// the phi copies.
  uint32_t edge(const llvm::BasicBlock *to);
  void jumpTo(const llvm::BasicBlock *to);
  void emitStubs();
  void phiCopies(const llvm::BasicBlock *to);
  uint32_t switchIndex(const llvm::SwitchInst &inst);

  // --- DecodeVector.cpp
  // ---------------------------------------------------------------------------------------------
  void decodeExtractElement(const llvm::ExtractElementInst &inst);
  void decodeInsertElement(const llvm::InsertElementInst &inst);
  void decodeShuffle(const llvm::ShuffleVectorInst &inst);
  void decodeInsertValue(const llvm::InsertValueInst &inst);
  bool decodeReduction(const llvm::IntrinsicInst &inst);
  /// Reinterprets scalars as others of the same total number of bits (bitcast between different
  /// lane widths).
  void repack(llvm::ArrayRef<Operand> from, llvm::ArrayRef<Scalar> fromLayout, uint32_t dst,
              llvm::ArrayRef<Scalar> toLayout);
  /// Takes over the slots of a block-local value that dies in `user`: updates in place. kNoIndex:
  /// it cannot.
  uint32_t takeOver(const llvm::Instruction &user, const llvm::Value *value);
  unsigned firstScalar(llvm::Type *aggregate, llvm::ArrayRef<unsigned> indices) const;

  // --- DecodeCall.cpp
  // -----------------------------------------------------------------------------------------------
  void decodeCall(const llvm::CallBase &inst);
  void decodeAsm(const llvm::CallBase &inst);
  void callFunction(const llvm::CallBase &inst, const llvm::Function &callee);
  void callIndirect(const llvm::CallBase &inst);
  /// Adds the slots of an argument, as the scalars of the value are.
  void pass(const llvm::Value *value, llvm::SmallVectorImpl<uint32_t> &args);
  /// The same for a parameter of the callee; null: the call does not pass it.
  void passAs(const Layout &parameter, const llvm::Value *value,
              llvm::SmallVectorImpl<uint32_t> &args);
  /// Can the scalars of one be converted to those of the other, one by one?
  bool fits(const Layout &from, const Layout &to) const;
  void convert(uint32_t dst, unsigned toBits, const Operand &a, unsigned fromBits);
  /// Emits a call of `op` with these arguments, whose callee has a result of type `calleeResult`.
  void emitCall(Op op, uint32_t target, const llvm::CallBase &inst, llvm::ArrayRef<uint32_t> args,
                uint32_t varArgs, const Layout &calleeResult, uint32_t addressSlot = 0);
  VarArg variableArgument(const llvm::CallBase &inst, unsigned index);

  // --- DecodeIntrinsic.cpp
  // ------------------------------------------------------------------------------------------
  void decodeIntrinsic(const llvm::IntrinsicInst &inst);
  bool decodeIntegerIntrinsic(const llvm::IntrinsicInst &inst);
  bool decodeOtherIntrinsic(const llvm::IntrinsicInst &inst);
  void decodeTrap(const llvm::IntrinsicInst &inst);
  /// Of a trap with a check number: its conditions, read in its block, the first one first. Returns
  /// the cause where none of them is false.
  static TrapCause trapConditions(const llvm::IntrinsicInst &trap,
                                  llvm::SmallVectorImpl<TrapCondition> &conditions);
  void overflowOp(const llvm::IntrinsicInst &inst);
  void saturating(const llvm::IntrinsicInst &inst);
  void minMax(llvm::CmpInst::Predicate predicate, unsigned bits, uint32_t dst, const Operand &a,
              const Operand &b);

  /// For every scalar of the instruction's result: body(index, scalar, slot).
  template <class Body> void forEachScalar(const llvm::Instruction &inst, Body body) {
    const Layout &layout = layoutOf(&inst);
    uint32_t dst = define(inst);
    for (unsigned i = 0; i < layout.scalars.size(); ++i)
      body(i, layout.scalars[i], dst + layout.scalars[i].slot);
  }

  ModuleDecoder &m_;
  const llvm::Function &f_;
  FunctionCode &out_;
  bool asWritten_ = false; ///< not optimised: overflow and overshift are the programmer's
  bool shareSlots_ =
      true; ///< false where setjmp can return a second time: every value keeps its slot

  std::vector<const llvm::BasicBlock *> blocks_; ///< reachable ones, in the function's order
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockLabels_;
  llvm::DenseMap<const llvm::BasicBlock *, bool> onCycle_;
  llvm::DenseMap<const llvm::Value *, ValueState> values_;

  // The block being decoded.
  const llvm::BasicBlock *block_ = nullptr;
  const llvm::BasicBlock *next_ = nullptr; ///< the block that follows in the code
  bool hoistConstants_ = false;
  std::unordered_map<uint64_t, uint32_t> blockConstants_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> blockWideConstants_;
  std::vector<std::pair<const llvm::BasicBlock *, uint32_t>> stubs_;

  // The instruction being decoded.
  const llvm::Instruction *current_ = nullptr;
  LineStarts lineStarts_; ///< of its block
  uint32_t currentLoc_ = 0;
  std::string failure_;
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 8> scratch_;

  std::vector<Inst> code_;
  std::vector<uint32_t> locs_;
  std::vector<uint32_t> labels_; ///< label -> instruction index
  std::vector<uint32_t> blockStartLabels_;
  std::vector<std::pair<uint32_t, uint32_t>>
      emptyStubs_;          ///< (label, label of the block it leads to)
  uint32_t crossSlots_ = 0; ///< parameters and values that live across blocks

  // Block-local slots.
  uint32_t tempNext_ = 0, tempMax_ = 0;
  std::map<uint32_t, std::vector<uint32_t>> tempFree_; ///< by number of slots

  // Constants loaded at entry.
  std::vector<Inst> entryConstants_;
  uint32_t entryConstantSlots_ = 0;
  std::map<uint64_t, uint32_t> hoisted_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> hoistedWide_;
};

/// The message for a type that Layout does not support, empty if it does.
inline const std::string &unsupportedType(const Layout &layout) { return layout.unsupported; }

} // namespace fathom::program
#endif
