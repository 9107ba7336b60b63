// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/StatePass.h"

#include "../../runtime/native/states.h"

#include "campaign/StateAccess.h"
#include "program/Assertions.h"
#include "program/Load.h"
#include "program/NativeObject.h"
#include "program/SourceNames.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>

using namespace llvm;

namespace fathom::campaign {

namespace {

constexpr size_t kMaxVariables = FATHOM_STATE_VALUES;
/// So many states of a point are handed over before they get rare.
constexpr uint32_t kFirstStates = 32;

/// Where values are to be taken, and which.
struct Site {
  Instruction *before;
  std::vector<program::SourceLeaf> leaves; ///< their value: an integer, or
  std::vector<AllocaInst *> locals;        ///< null, and the local to read here
  std::optional<SampledAccess> access;     ///< its values come first
  std::optional<unsigned> failing;         ///< of an assertion's branch: the side that fails
};

bool isInScope(const DILocalScope *scope, const DILocalVariable &variable) {
  const DILocalScope *wanted = variable.getScope()->getNonLexicalBlockFileScope();
  while (scope) {
    if (scope->getNonLexicalBlockFileScope() == wanted) return true;
    if (!isa<DILexicalBlockBase>(scope)) return false;
    scope = dyn_cast<DILocalScope>(scope->getScope());
  }
  return false;
}

/// The points of one function.
class Finder {
public:
  Finder(Function &function, const PointChoice &choice) : function_(function), choice_(choice) {
    dominators_.recalculate(function);
    for (Instruction &inst : function.getEntryBlock())
      if (auto *alloca = dyn_cast<AllocaInst>(&inst)) addLocal(*alloca);
  }

  void run(std::vector<StatePoint> &points, std::vector<Site> &sites) {
    points_ = &points;
    sites_ = &sites;
    if (choice_.kinds.has(PointKind::Entry)) entry();
    for (BasicBlock &block : function_)
      for (Instruction &inst : block) {
        if (auto *branch = dyn_cast<BranchInst>(&inst)) atBranch(*branch);
        if (auto *operation = dyn_cast<BinaryOperator>(&inst)) atDivision(*operation);
        if (auto *back = dyn_cast<ReturnInst>(&inst)) atReturn(*back);
        if (isWanted(PointKind::Access, inst))
          for (const SampledAccess &access : accessesOf(inst)) atAccess(inst, access);
      }
  }

private:
  struct Local {
    AllocaInst *alloca;
    const DILocalVariable *variable;
    bool isSigned;
    std::vector<Instruction *> stores;
  };

  void addLocal(AllocaInst &alloca) {
    const DILocalVariable *variable = program::localVariable(alloca);
    if (!variable || variable->getName().empty() || !alloca.getAllocatedType()->isIntegerTy() ||
        alloca.getAllocatedType()->getIntegerBitWidth() > 64)
      return;
    const std::optional<bool> isSigned = program::integerSign(*variable);
    if (!isSigned) return;
    Local local{&alloca, variable, *isSigned, {}};
    for (User *user : alloca.users())
      if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == &alloca)
        local.stores.push_back(store);
    locals_.push_back(std::move(local));
  }

  bool isWanted(PointKind kind, const Instruction &inst) const {
    const DebugLoc &at = inst.getDebugLoc();
    return at &&
           choice_.has({kind, function_.getName().str(), at->getLine(), uint32_t(at->getColumn())});
  }

  /// With the locals in scope that have been assigned on every way here.
  void add(PointKind kind, Instruction &before, const DILocation *at, std::string condition,
           std::vector<program::SourceLeaf> leaves, bool withLocals = true,
           std::optional<unsigned> failing = std::nullopt) {
    if (!at || !at->getLine() || leaves.size() > kMaxVariables) return;
    Site site{&before, std::move(leaves), {}, std::nullopt, failing};
    site.locals.resize(site.leaves.size());
    auto isNamed = [&](StringRef name) {
      return any_of(site.leaves,
                    [&](const program::SourceLeaf &leaf) { return leaf.name == name; });
    };
    for (const Local &local : locals_) {
      if (!withLocals || site.leaves.size() == kMaxVariables) break;
      if (isNamed(local.variable->getName()) || !isInScope(at->getScope(), *local.variable) ||
          none_of(local.stores, [&](Instruction *s) { return dominators_.dominates(s, &before); }))
        continue;
      site.leaves.push_back({local.variable->getName().str(), nullptr, local.isSigned});
      site.locals.push_back(local.alloca);
    }
    if (site.leaves.empty()) return;
    std::vector<std::string> variables;
    for (const program::SourceLeaf &leaf : site.leaves) variables.push_back(leaf.name);
    put(kind, std::move(site), at, std::move(condition), std::move(variables));
  }

  void put(PointKind kind, Site site, const DILocation *at, std::string condition,
           std::vector<std::string> variables) {
    StatePoint point;
    point.kind = kind;
    point.function = function_.getName().str();
    point.file = program::sourceFile(at);
    point.line = at->getLine();
    point.column = at->getColumn();
    point.condition = std::move(condition);
    point.variables = std::move(variables);
    points_->push_back(std::move(point));
    sites_->push_back(std::move(site));
  }

  void atBranch(BranchInst &branch) {
    if (branch.isUnconditional()) return;
    const std::optional<unsigned> failing = program::failingSide(branch);
    const PointKind kind = failing ? PointKind::Assertion : PointKind::Branch;
    if (!isWanted(kind, branch)) return;
    std::optional<program::SourceFormula> formula = program::sourceFormula(*branch.getCondition());
    std::string text = formula ? formula->text : "";
    if (failing == 0u && formula) text = "!(" + text + ")";
    // What control comes from says nothing when all that is asked for are numbers.
    if (formula && formula->leaves.empty()) text.clear();
    add(kind, branch, branch.getDebugLoc(), std::move(text),
        formula ? std::move(formula->leaves) : std::vector<program::SourceLeaf>(),
        /*withLocals=*/true, failing);
  }

  void atDivision(BinaryOperator &operation) {
    Value *divisor = operation.getOperand(1);
    if (!operation.isIntDivRem() || isa<Constant>(divisor) ||
        !isWanted(PointKind::Division, operation))
      return;
    std::optional<program::SourceFormula> by = program::sourceFormula(*divisor);
    if (!by) {
      // A number without a name can be asked about all the same.
      const bool isSigned =
          operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
      if (divisor->getType()->isIntegerTy() && divisor->getType()->getIntegerBitWidth() <= 64)
        add(PointKind::Division, operation, operation.getDebugLoc(), "divisor != 0",
            {{"divisor", divisor, isSigned}}, /*withLocals=*/false);
      return;
    }
    add(PointKind::Division, operation, operation.getDebugLoc(), "(" + by->text + ") != 0",
        std::move(by->leaves));
  }

  /// Beside the variables in its indices: others say nothing about it, and would make of each
  /// state many.
  void atAccess(Instruction &inst, const SampledAccess &access) {
    if (!inst.getDebugLoc()->getLine()) return;
    std::vector<std::string> variables = access.names();
    Site site{&inst, {}, {}, access, std::nullopt};
    for (program::SourceLeaf &leaf : indexLeaves(*access.pointer)) {
      if (variables.size() == kMaxVariables || is_contained(variables, leaf.name)) continue;
      variables.push_back(leaf.name);
      site.leaves.push_back(std::move(leaf));
      site.locals.push_back(nullptr);
    }
    put(PointKind::Access, std::move(site), inst.getDebugLoc(), access.condition(),
        std::move(variables));
  }

  void atReturn(ReturnInst &back) {
    if (!choice_.kinds.has(PointKind::Exit)) return;
    std::vector<program::SourceLeaf> leaves;
    if (Value *value = back.getReturnValue();
        value && value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64)
      leaves.push_back({"return", value, true});
    add(PointKind::Exit, back, back.getDebugLoc(), "", std::move(leaves));
  }

  /// After the stores of the arguments.
  void entry() {
    Instruction *last = nullptr;
    for (Instruction &inst : function_.getEntryBlock())
      if (auto *store = dyn_cast<StoreInst>(&inst);
          store && isa<Argument>(store->getValueOperand()))
        last = store;
    if (!last) return;
    Instruction *before = last->getNextNode();
    DISubprogram *program = function_.getSubprogram();
    if (!program || !before) return;
    add(PointKind::Entry, *before,
        DILocation::get(function_.getContext(), program->getLine(), 0, program), "", {});
  }

  Function &function_;
  const PointChoice &choice_;
  DominatorTree dominators_;
  std::vector<Local> locals_;
  std::vector<StatePoint> *points_ = nullptr;
  std::vector<Site> *sites_ = nullptr;
};

class StateInstrumenter {
public:
  /// `locals`: the list of trackLocals; null: no access has to look for its object.
  StateInstrumenter(Module &module, size_t points, GlobalVariable *locals)
      : module_(module), locals_(locals), int32_(Type::getInt32Ty(module.getContext())),
        int64_(Type::getInt64Ty(module.getContext())),
        pointer_(PointerType::getUnqual(module.getContext())) {
    sample_ = module.getOrInsertFunction(
        "__fathom_sampleState", Type::getVoidTy(module.getContext()), int32_, int32_, pointer_);
    sampleAccess_ =
        module.getOrInsertFunction("__fathom_sampleAccess", Type::getVoidTy(module.getContext()),
                                   int32_, int32_, pointer_, pointer_, pointer_);
    new GlobalVariable(module, int32_, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                       ConstantInt::get(int32_, points), "__fathom_statePoints");
    counters_ = ArrayType::get(int32_, points);
    seen_ =
        new GlobalVariable(module, counters_, /*isConstant=*/false, GlobalValue::InternalLinkage,
                           ConstantAggregateZero::get(counters_), "__fathom_statesSeen");
  }

  void instrument(const Site &site, size_t point) {
    IRBuilder<> builder(site.before);
    Value *counter = builder.CreateConstInBoundsGEP2_64(counters_, seen_, 0, point);
    LoadInst *before = builder.CreateLoad(int32_, counter);
    Value *number = builder.CreateAdd(before, builder.getInt32(1));
    StoreInst *store = builder.CreateStore(number, counter);
    before->setNoSanitizeMetadata();
    store->setNoSanitizeMetadata();
    Value *isFirst = builder.CreateICmpULE(number, builder.getInt32(kFirstStates));
    Value *isPower = builder.CreateIsNull(builder.CreateAnd(number, before));
    Value *isSampled = builder.CreateOr(isFirst, isPower);
    if (site.failing) { // however late, it is what the assertion is about
      Value *condition = cast<BranchInst>(site.before)->getCondition();
      isSampled = builder.CreateOr(isSampled,
                                   *site.failing == 0 ? condition : builder.CreateNot(condition));
    }
    Instruction *then = SplitBlockAndInsertIfThen(isSampled, site.before, /*Unreachable=*/false);
    handOver(site, point, then);
  }

private:
  void handOver(const Site &site, size_t point, Instruction *then) {
    Function &function = *then->getFunction();
    AllocaInst *&values = buffers_[&function];
    auto *type = ArrayType::get(int64_, kMaxVariables);
    if (!values)
      values = new AllocaInst(type, module_.getDataLayout().getAllocaAddrSpace(), "fathom.state",
                              function.getEntryBlock().getFirstInsertionPt());
    IRBuilder<> builder(then);
    uint64_t count = 0;
    auto keep = [&](Value *wide) {
      builder.CreateStore(wide, builder.CreateConstInBoundsGEP2_64(type, values, 0, count++))
          ->setNoSanitizeMetadata();
    };
    if (site.access) {
      Value *first = builder.CreatePtrToInt(site.access->pointer, int64_);
      keep(builder.CreateSub(first, builder.CreatePtrToInt(site.access->base, int64_)));
      if (!site.access->objectBytes) keep(builder.getInt64(0)); // objects.c knows it
      if (site.access->length) keep(builder.CreateZExtOrTrunc(site.access->length, int64_));
    }
    for (size_t i = 0; i < site.leaves.size(); ++i) {
      Value *value = site.leaves[i].value;
      if (!value) value = builder.CreateLoad(site.locals[i]->getAllocatedType(), site.locals[i]);
      Value *wide = site.leaves[i].isSigned ? builder.CreateSExt(value, int64_)
                                            : builder.CreateZExt(value, int64_);
      keep(wide);
    }
    Value *number = builder.getInt32(static_cast<uint32_t>(point));
    Value *used = builder.getInt32(static_cast<uint32_t>(count));
    if (!site.access || site.access->objectBytes) {
      builder.CreateCall(sample_, {number, used, values});
      return;
    }
    LoadInst *locals = builder.CreateLoad(pointer_, locals_);
    locals->setNoSanitizeMetadata();
    builder.CreateCall(sampleAccess_, {number, used, values, site.access->base, locals});
  }

  Module &module_;
  GlobalVariable *locals_;
  Type *int32_, *int64_, *pointer_;
  FunctionCallee sample_, sampleAccess_;
  ArrayType *counters_;
  GlobalVariable *seen_;
  DenseMap<Function *, AllocaInst *> buffers_;
};

} // namespace

std::vector<StatePoint> sampleStates(Module &module, const PointChoice &choice) {
  std::vector<StatePoint> points;
  std::vector<Site> sites;
  for (Function &function : module)
    if (!function.isDeclaration() && program::isOwnFunction(function))
      Finder(function, choice).run(points, sites);
  GlobalVariable *locals = nullptr;
  if (any_of(sites, [](const Site &s) { return s.access && !s.access->objectBytes; })) {
    listGlobals(module);
    locals = trackLocals(module);
  }
  if (choice.kinds.has(PointKind::Path)) {
    Type *number = Type::getInt32Ty(module.getContext());
    new GlobalVariable(module, number, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                       ConstantInt::get(number, points.size()), "__fathom_pathPoint");
    StatePoint paths;
    paths.kind = PointKind::Path;
    paths.variables = pathVariables();
    points.push_back(std::move(paths));
  }
  // From here on blocks are split.
  StateInstrumenter instrumenter(module, points.size(), locals);
  for (size_t i = 0; i < sites.size(); ++i) instrumenter.instrument(sites[i], i);
  return points;
}

} // namespace fathom::campaign
