// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the front: what both halves of building facts share, the module's (BuildFacts.cpp) and
// a function's (FunctionFacts.cpp).
#ifndef FATHOM_STATICS_FRONT_FACTSBUILDER_H
#define FATHOM_STATICS_FRONT_FACTSBUILDER_H

#include "statics/front/BuildFacts.h"
#include "statics/front/TypeLayouts.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"

#include <map>

namespace fathom::statics {

/// Can a value of this type hold a pointer?
bool mayPoint(const llvm::Type &type);

class FactsBuilder {
public:
  explicit FactsBuilder(const llvm::Module &module);
  llvm::Error run(const std::string &entry);

  // What functions' statements are made with.
  ObjectId addObject(Object object);
  /// A pointer into an object, one value for each offset.
  ValueId addressOf(ObjectId object, int64_t offset);
  ValueId constantOf(const llvm::Constant &constant);
  /// Every pointer in a constant, with its offset.
  /// False: it has something else than integers of whole bytes, pointers, and floating point 0.
  bool numbersIn(const llvm::Constant &constant, ObjectId object, int64_t offset);
  void pointersIn(const llvm::Constant &constant, int64_t offset,
                  std::vector<std::pair<int64_t, ValueId>> &found);
  PlaceId placeOf(const llvm::DebugLoc &at);
  PlaceId placeAt(const llvm::DIScope &scope, unsigned line, unsigned column);
  PlaceId placeAt(llvm::StringRef file, unsigned line, unsigned column);
  void assume(Assumption what, PlaceId place, FunctionId function, llvm::StringRef name);
  /// kNone: not a function of the module.
  FunctionId functionId(const llvm::Function &function) const;
  ObjectId threadPointer();

  const llvm::Module &module;
  const llvm::DataLayout &dl;
  Facts facts;
  TypeLayouts layouts;
  FactsOrigin *origin = nullptr;

private:
  void declareFunctions();
  void addGlobals();
  void addContents();
  llvm::Error chooseEntries(const std::string &entry);
  llvm::Error exportAll();
  std::vector<ObjectId> visibleOutside() const;

  llvm::DenseMap<const llvm::Function *, FunctionId> functions_;
  llvm::DenseMap<const llvm::GlobalVariable *, ObjectId> globals_;
  std::map<std::pair<ObjectId, int64_t>, ValueId> addresses_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, PlaceId> places_;
  llvm::StringMap<uint32_t> files_;
  std::map<int64_t, ValueId> numbers_;
  ObjectId threadPointer_ = kNone;
};

/// Values, blocks and statements of a function with a body.
void addFunctionFacts(FactsBuilder &builder, const llvm::Function &function);

} // namespace fathom::statics
#endif
