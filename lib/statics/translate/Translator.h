// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a translation: what is shared by its parts.
#ifndef FATHOM_STATICS_TRANSLATE_TRANSLATOR_H
#define FATHOM_STATICS_TRANSLATE_TRANSLATOR_H

#include "statics/abstract/Program.h"
#include "statics/translate/OnceBlocks.h"
#include "statics/translate/Translate.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <deque>
#include <map>

namespace fathom::statics {

struct Summary;

/// A call of a function of the program by its name.
struct NamedCall {
  abstract::FunctionId caller;
  abstract::BlockId block;
  uint32_t statement; ///< in the block
  const llvm::CallBase *at;
};

/// Objects, and the ids of functions.
class ModuleTranslator {
public:
  ModuleTranslator(const llvm::Module &module, const TranslateOptions &options);
  abstract::AbstractProgram run();

  abstract::ObjectId objectOf(const llvm::GlobalValue &global);
  abstract::ObjectId addObject(abstract::Object object);
  /// Leaves, and the size of elements of arrays.
  void describe(abstract::Object &object, llvm::Type *type) const;
  abstract::FunctionId functionId(const llvm::Function &function) const;
  /// Is its code translated?
  bool hasBody(const llvm::Function &function) const {
    const abstract::FunctionId id = functionId(function);
    return id != abstract::kNoId && bodies_[id];
  }
  void noteUnmodelled(const std::string &what) { ++unexpressed_[what]; }
  void noteCall(const NamedCall &call) { calls_.push_back(call); }
  void noteAllocation(abstract::ObjectId object, const llvm::CallBase &at) { made_[object] = &at; }

  /// Whether the program is a library and code outside knows the value.
  bool isExported(const llvm::GlobalValue &value) const;
  /// Does control come there at most once in an execution?
  bool runsOnce(const llvm::BasicBlock &block) { return once_.runs(block); }
  bool isInLoop(const llvm::BasicBlock &block) { return once_.isInLoop(block); }
  const llvm::DataLayout &layout() const { return layout_; }
  const TranslateOptions &options() const { return options_; }
  abstract::AbstractProgram program;

private:
  void addFunctions();
  void fillGlobals();
  void fillGlobal(abstract::ObjectId id, const llvm::GlobalVariable &global);
  bool initialOf(const llvm::Constant &constant, uint64_t offset,
                 std::vector<abstract::Initial> &out);
  bool initialOfScalar(const llvm::Constant &constant, uint64_t offset,
                       std::vector<abstract::Initial> &out);
  bool leavesOf(llvm::Type *type, uint64_t offset, size_t most,
                std::vector<std::pair<uint64_t, uint32_t>> &out) const;
  void findEntries();

  const llvm::Module &module_;
  const TranslateOptions &options_;
  const llvm::DataLayout &layout_;
  const bool isLibrary_;
  OnceBlocks once_;
  llvm::DenseMap<const llvm::GlobalValue *, abstract::ObjectId> objects_;
  llvm::DenseMap<const llvm::Function *, abstract::FunctionId> functions_;
  std::vector<const llvm::Function *> bodies_;
  std::deque<std::pair<abstract::ObjectId, const llvm::GlobalVariable *>> open_;
  std::map<std::string, uint64_t> unexpressed_;
  std::vector<NamedCall> calls_;
  llvm::DenseMap<abstract::ObjectId, const llvm::CallBase *> made_; ///< heap objects, where
};

/// What is in a heap object? Any answer is sound; the first use of the call's result as an array,
/// or as a structure, says the right one.
void describeHeap(const ModuleTranslator &module, const llvm::CallBase &call,
                  abstract::Object &object);

/// Is the address used in other ways than to access the object?
bool escapes(const llvm::Value &address);

/// One function.
class FunctionTranslator {
public:
  FunctionTranslator(ModuleTranslator &module, const llvm::Function &function,
                     abstract::FunctionId id);
  void run();

private:
  // Values.
  bool hasVariable(const llvm::Type *type) const;
  abstract::VarId variableOf(const llvm::Value &value);
  abstract::VarId temporary(unsigned width, bool isAddress = false);
  abstract::Operand operand(const llvm::Value &value);
  abstract::Operand constantOperand(const llvm::Constant &constant);
  abstract::Operand addressOf(abstract::ObjectId object);
  abstract::Operand unknown(unsigned width, bool isAddress = false);
  abstract::Operand widened(const llvm::Value &value, bool isSigned);
  abstract::Operand offsetAddress(const llvm::GEPOperator &gep);
  abstract::Condition condition(const llvm::Value &value, int depth = 0);
  abstract::Statement &emit(abstract::StatementKind kind);
  abstract::Statement &emit(abstract::StatementKind kind, abstract::VarId dst);
  std::string nameOf(const llvm::Value &value) const;

  // Instructions.
  void translate(const llvm::Instruction &inst);
  void binary(const llvm::BinaryOperator &op);
  void checkedArithmetic(const llvm::BinaryOperator &op, abstract::Binary kind);
  void cast(const llvm::CastInst &inst);
  void load(const llvm::LoadInst &inst);
  void store(const llvm::StoreInst &inst);
  void allocate(const llvm::AllocaInst &inst);
  void extract(const llvm::ExtractValueInst &inst);
  void terminator(const llvm::Instruction &inst);
  void connect(const llvm::BasicBlock &from, const llvm::BasicBlock &to,
               abstract::Condition condition);
  // Calls.
  void call(const llvm::CallBase &call);
  bool knownCall(const llvm::CallBase &call, llvm::StringRef name);
  bool memoryCall(const llvm::CallBase &call, llvm::StringRef name);
  bool stringCopy(const llvm::CallBase &call, llvm::StringRef name);
  bool summarised(const llvm::CallBase &call, const llvm::Function &callee);
  void boundResult(const llvm::CallBase &call, const llvm::Function &callee);
  void heapObject(const llvm::CallBase &call, const Summary &summary);
  void forgetPointee(const llvm::Value &pointer);
  void ordinaryCall(const llvm::CallBase &call);
  // Checks.
  abstract::CheckId newCheck(abstract::CheckKind kind, const llvm::Instruction &at,
                             std::string what);
  abstract::CheckId boundsCheck(const llvm::Instruction &at, const llvm::Value &pointer,
                                uint64_t size, const char *what);
  void verify(abstract::CheckKind kind, const llvm::Instruction &at, std::string what,
              abstract::Condition condition);
  void findGroups();
  void assertion(const llvm::BranchInst &branch, const abstract::Condition &holds);
  void assertionAlone(const llvm::CallBase &call);

  ModuleTranslator &module_;
  abstract::AbstractProgram &program_;
  const llvm::Function &function_;
  abstract::FunctionId id_;
  abstract::BlockId block_ = 0;
  llvm::DenseMap<const llvm::Value *, abstract::VarId> variables_;
  llvm::DenseMap<const llvm::Value *, abstract::ObjectId> allocations_;
  llvm::DenseMap<const llvm::BasicBlock *, abstract::BlockId> blocks_;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> groups_; ///< by failing block
};

/// Is it a function of libc whose calls leave the program's memory as it is, without calling back?
bool isHarmless(const llvm::Function &function);

} // namespace fathom::statics
#endif
