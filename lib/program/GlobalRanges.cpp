// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of global variables (the method: GlobalRanges.h). RangeAnalysis first finds variables
// whose uses are all known (UseFinder), and then bounds what is stored to them.
#include "program/GlobalRanges.h"

#include "program/Load.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace fathom::program {

using namespace llvm;

namespace {

constexpr unsigned kMaxRangeBits = 64;
constexpr unsigned kRoundsBeforeWidening = 3, kNarrowingRounds = 2;

/// The part of a variable that a load or a store is of.
struct Part {
  uint64_t offset;
  Type *type;
  bool operator==(const Part &other) const = default;
};

/// How code uses a variable.
struct Uses {
  struct Store {
    StoreInst *inst;
    Part part;
  };
  struct Load {
    LoadInst *inst;
    Part part;
  };
  std::vector<Store> stores;
  std::vector<Load> loads; ///< at fixed offsets
};

/// Bits of a number that can be bounded; 0: it is none.
unsigned bitsOf(const Type *type, const DataLayout &layout) {
  if (auto *integer = dyn_cast<IntegerType>(type)) {
    const unsigned bits = integer->getBitWidth();
    return bits % 8 == 0 && bits <= kMaxRangeBits ? bits : 0;
  }
  return type->isPointerTy() ? layout.getPointerTypeSizeInBits(const_cast<Type *>(type)) : 0;
}

/// Collects the uses of an address; false: it is used in another way.
class UseFinder {
public:
  UseFinder(const DataLayout &layout, uint64_t bytes, Uses &out)
      : layout_(layout), bytes_(bytes), out_(out) {}

  bool follow(Value *address, std::optional<uint64_t> offset) {
    return llvm::all_of(address->uses(), [&](Use &use) { return take(use, offset); });
  }

private:
  bool take(Use &use, std::optional<uint64_t> offset) {
    User *user = use.getUser();
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (!load->isSimple()) return false;
      if (offset) out_.loads.push_back({load, {*offset, load->getType()}});
      return true;
    }
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (!store->isSimple() || use.getOperandNo() != StoreInst::getPointerOperandIndex() ||
          !offset)
        return false;
      Type *type = store->getValueOperand()->getType();
      const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
      if (*offset > bytes_ || size > bytes_ - *offset) return false;
      out_.stores.push_back({store, {*offset, type}});
      return true;
    }
    if (auto *gep = dyn_cast<GEPOperator>(user)) {
      if (use.getOperandNo()) return false;
      APInt at(layout_.getIndexTypeSizeInBits(gep->getType()), 0);
      const bool isFixed = offset && gep->accumulateConstantOffset(layout_, at);
      return follow(user, isFixed ? std::optional(*offset + at.getZExtValue()) : std::nullopt);
    }
    return isa<ICmpInst>(user); // an address that is compared tells nothing of what is there
  }

  const DataLayout &layout_;
  uint64_t bytes_; ///< of the variable
  Uses &out_;
};

uint64_t sizeOf(const GlobalVariable &g) {
  return g.getParent()->getDataLayout().getTypeAllocSize(g.getValueType()).getFixedValue();
}

/// False: it is used in another way, too.
bool findUses(GlobalVariable &g, Uses &out) {
  return UseFinder(g.getParent()->getDataLayout(), sizeOf(g), out).follow(&g, 0);
}

/// The numbers of a part, with a sign.
struct Bounds {
  APInt least, greatest;

  bool includes(const Bounds &other) const {
    return least.sle(other.least) && greatest.sge(other.greatest);
  }
  void include(const Bounds &other) {
    least = APIntOps::smin(least, other.least);
    greatest = APIntOps::smax(greatest, other.greatest);
  }
  bool isAll() const { return least.isMinSignedValue() && greatest.isMaxSignedValue(); }
};

/// The next bound that many counters and flags have.
APInt widenedUp(const APInt &value) {
  for (unsigned bits : {1U, 2U, 8U, 9U, 16U, 32U})
    if (bits < value.getBitWidth()) {
      const APInt step = APInt::getLowBitsSet(value.getBitWidth(), bits - 1);
      if (value.sle(step)) return step;
    }
  return APInt::getSignedMaxValue(value.getBitWidth());
}
APInt widenedDown(const APInt &value) { return ~widenedUp(~value); }

/// A part that is stored to, in the copy of the code.
struct Tracked {
  std::string variable;
  uint64_t offset;
  unsigned bits;
  Bounds initial, now;
  std::vector<StoreInst *> stores;
  std::vector<LoadInst *> loads;
};

/// Is it code of the program that is not here? The engine and its model have the others.
bool isMissing(const Function &f, const TargetLibraryInfoImpl &library) {
  static const StringSet<> jumps = {"setjmp",  "_setjmp",  "sigsetjmp", "__sigsetjmp",
                                    "longjmp", "_longjmp", "siglongjmp"};
  LibFunc known;
  return f.isDeclaration() && !f.isIntrinsic() && !f.getName().starts_with("__fathom") &&
         !jumps.contains(f.getName()) && !library.getLibFunc(f.getName(), known) &&
         llvm::any_of(f.users(), [](const User *user) {
           auto *inst = dyn_cast<Instruction>(user);
           return !inst || isOwnFunction(*inst->getFunction());
         });
}

/// Is no code elsewhere that could name its variables? A harness stands for other callers.
bool hasAllCode(const Module &module) {
  const Function *main = module.getFunction("main");
  if (!main || main->isDeclaration() || !isOwnFunction(*main)) return false;
  if (module.getNamedMetadata("fathom.missing")) return false; // fathom-cc had no bitcode of it
  const TargetLibraryInfoImpl library{Triple(module.getTargetTriple())};
  return llvm::none_of(module.functions(),
                       [&](const Function &f) { return isMissing(f, library); });
}

/// The texts of all assembly, which may name variables.
std::string assemblyOf(const Module &module) {
  std::string out = module.getModuleInlineAsm();
  for (const Function &f : module)
    for (const Instruction &inst : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
          out += text->getAsmString() + '\n';
  return out;
}

class RangeAnalysis {
public:
  explicit RangeAnalysis(const Module &module)
      : module_(module), layout_(module.getDataLayout()), isWhole_(hasAllCode(module)),
        assembly_(assemblyOf(module)) {}

  GlobalRanges run() {
    std::map<std::string, std::vector<Part>> parts;
    std::set<const Function *> storing;
    for (const GlobalVariable &g : module_.globals()) {
      Uses uses;
      if (!isCandidate(g)) continue;
      if (!findUses(const_cast<GlobalVariable &>(g), uses)) continue;
      keepUnstored(g, uses);
      const std::vector<Part> bounded = partsOf(uses);
      if (bounded.empty()) continue;
      parts[g.getName().str()] = bounded;
      for (const Uses::Store &store : uses.stores) storing.insert(store.inst->getFunction());
    }
    if (!parts.empty()) bound(parts, storing);
    return std::move(out_);
  }

private:
  bool isCandidate(const GlobalVariable &g) const {
    return g.hasInitializer() && !g.isConstant() && !g.isThreadLocal() &&
           !g.isExternallyInitialized() && !g.isInterposable() && g.hasName() && !g.hasSection() &&
           (g.hasLocalLinkage() || isWhole_) && !StringRef(assembly_).contains(g.getName());
  }

  /// Bytes that no store is of hold what they began with.
  void keepUnstored(const GlobalVariable &g, const Uses &uses) {
    std::vector<std::pair<uint64_t, uint64_t>> stored; // begin, end
    for (const Uses::Store &store : uses.stores)
      stored.emplace_back(store.part.offset, end(store.part));
    stored.emplace_back(sizeOf(g), sizeOf(g));
    llvm::sort(stored);
    uint64_t at = 0;
    for (const auto &[begin, end] : stored) {
      if (begin > at)
        out_[g.getName().str()].push_back({at, static_cast<uint32_t>(begin - at), 0, 0});
      at = std::max(at, end);
    }
  }
  uint64_t end(const Part &part) const {
    return part.offset + layout_.getTypeStoreSize(part.type).getFixedValue();
  }

  std::optional<APInt> initialAt(const GlobalVariable &g, uint64_t offset, unsigned bits) const {
    auto *initial = const_cast<Constant *>(g.getInitializer());
    Type *type = IntegerType::get(module_.getContext(), bits);
    Constant *value = ConstantFoldLoadFromConst(initial, type, APInt(64, offset), layout_);
    if (auto *number = dyn_cast_or_null<ConstantInt>(value)) return number->getValue();
    return std::nullopt; // an address, or nothing
  }

  /// What is stored to at one extent only, as numbers.
  std::vector<Part> partsOf(const Uses &uses) const {
    std::vector<Part> all;
    for (const Uses::Store &store : uses.stores)
      if (!llvm::is_contained(all, store.part)) all.push_back(store.part);
    std::vector<Part> out;
    for (const Part &p : all) {
      const auto overlaps = [&](const Part &other) {
        return !(p == other) && p.offset < end(other) && other.offset < end(p);
      };
      if (bitsOf(p.type, layout_) && llvm::none_of(all, overlaps)) out.push_back(p);
    }
    return out;
  }

  /// Computes the bounds of these parts, in a copy of the functions that store to them.
  void bound(const std::map<std::string, std::vector<Part>> &parts,
             const std::set<const Function *> &storing) {
    ValueToValueMapTy map;
    copy_ = CloneModule(module_, map, [&](const GlobalValue *value) {
      auto *f = dyn_cast<Function>(value);
      return !f || storing.contains(f);
    });
    PassBuilder builder;
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(components_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, components_, modules_);
    // A variable that is asked about and then counted up is loaded twice.
    for (Function &f : *copy_)
      if (!f.isDeclaration()) {
        const PreservedAnalyses kept = EarlyCSEPass(/*UseMemorySSA=*/true).run(f, functions_);
        functions_.invalidate(f, kept);
      }
    for (const auto &[name, of] : parts) track(*copy_->getNamedGlobal(name), of);
    iterate();
    for (const Tracked &t : tracked_)
      if (!t.now.isAll())
        out_[t.variable].push_back(
            {t.offset, t.bits / 8, t.now.least.getSExtValue(), t.now.greatest.getSExtValue()});
  }

  void track(GlobalVariable &g, const std::vector<Part> &parts) {
    Uses uses;
    findUses(g, uses);
    for (const Part &part : parts) {
      const unsigned bits = bitsOf(part.type, layout_);
      const std::optional<APInt> value = initialAt(g, part.offset, bits);
      if (!value) continue;
      Tracked t{g.getName().str(), part.offset, bits, {*value, *value}, {*value, *value}, {}, {}};
      for (const Uses::Store &store : uses.stores)
        if (store.part == part) t.stores.push_back(store.inst);
      for (const Uses::Load &load : uses.loads)
        if (load.part == part && part.type->isIntegerTy()) t.loads.push_back(load.inst);
      tracked_.push_back(std::move(t));
    }
  }

  void iterate() {
    for (unsigned round = 0;; ++round) {
      assumeOfLoads();
      bool changed = false;
      for (Tracked &t : tracked_) {
        const Bounds next = stored(t);
        if (t.now.includes(next)) continue;
        changed = true;
        Bounds wider = t.now;
        wider.include(next);
        if (round >= kRoundsBeforeWidening) {
          if (next.least.slt(t.now.least)) wider.least = widenedDown(next.least);
          if (next.greatest.sgt(t.now.greatest)) wider.greatest = widenedUp(next.greatest);
        }
        t.now = wider;
      }
      if (!changed) break;
    }
    // What is stored under bounds that hold is bounds, too.
    for (unsigned round = 0; round < kNarrowingRounds; ++round) {
      assumeOfLoads();
      std::vector<Bounds> next;
      for (const Tracked &t : tracked_) next.push_back(stored(t));
      for (size_t i = 0; i < next.size(); ++i)
        if (tracked_[i].now.includes(next[i])) tracked_[i].now = next[i];
    }
  }

  /// Loads have the bounds so far. What was found out in functions where that is new is forgotten.
  void assumeOfLoads() {
    std::set<const Function *> changed;
    MDBuilder metadata(copy_->getContext());
    for (const Tracked &t : tracked_)
      for (LoadInst *load : t.loads) {
        MDNode *range =
            t.now.isAll() ? nullptr : metadata.createRange(t.now.least, t.now.greatest + 1);
        if (load->getMetadata(LLVMContext::MD_range) == range) continue;
        load->setMetadata(LLVMContext::MD_range, range);
        if (changed.insert(load->getFunction()).second)
          functions_.clear(*load->getFunction(), load->getFunction()->getName());
      }
    std::erase_if(known_,
                  [&](const auto &of) { return changed.contains(of.first->getFunction()); });
  }

  /// What it began with, and what is stored to it.
  Bounds stored(const Tracked &t) {
    Bounds out = t.initial;
    for (StoreInst *store : t.stores) {
      const auto [it, isNew] = known_.try_emplace(store);
      if (isNew) it->second = storedBy(*store, t.bits);
      if (it->second) out.include(*it->second);
    }
    return out;
  }

  std::optional<Bounds> storedBy(StoreInst &store, unsigned bits) {
    Value *value = store.getValueOperand();
    if (isa<ConstantPointerNull>(value)) return Bounds{APInt(bits, 0), APInt(bits, 0)};
    if (value->getType()->isPointerTy())
      return Bounds{APInt::getSignedMinValue(bits), APInt::getSignedMaxValue(bits)};
    LazyValueInfo &known = functions_.getResult<LazyValueAnalysis>(*store.getFunction());
    const ConstantRange range = known.getConstantRange(value, &store, /*UndefAllowed=*/false);
    if (range.isEmptySet()) return std::nullopt;
    return Bounds{range.getSignedMin(), range.getSignedMax()};
  }

  const Module &module_;
  const DataLayout &layout_;
  const bool isWhole_; ///< no code is elsewhere
  const std::string assembly_;
  GlobalRanges out_;
  std::unique_ptr<Module> copy_;
  LoopAnalysisManager loops_;
  FunctionAnalysisManager functions_;
  CGSCCAnalysisManager components_;
  ModuleAnalysisManager modules_;
  std::vector<Tracked> tracked_;
  std::map<const StoreInst *, std::optional<Bounds>> known_; ///< none: control does not come there
};

} // namespace

GlobalRanges rangesOfGlobals(const Module &module) { return RangeAnalysis(module).run(); }

void noteRanges(GlobalRanges ranges, Program &program) {
  for (Global &g : program.globals)
    if (auto it = ranges.find(g.name); it != ranges.end()) g.ranges = std::move(it->second);
}

} // namespace fathom::program
