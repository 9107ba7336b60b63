// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module as a whole: numbers and addresses of functions, blocks and globals, initialisers,
// branch numbers, source positions. All addresses are final before the first function is decoded,
// so that functions see only numbers.
#include "program/Decode.h"

#include "program/Address.h"
#include "program/Decoder.h"
#include "program/Load.h"
#include "program/Prepare.h"
#include "program/PureFunctions.h"
#include "program/ThinWrapper.h"

#include "support/ReadableName.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace fathom::program {

ForeignType foreignType(const Type *type) {
  if (type->isVoidTy()) return ForeignType::Void;
  if (type->isPointerTy()) return ForeignType::Pointer;
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) return ForeignType::Integer;
  if (type->isFloatTy()) return ForeignType::Float;
  return type->isDoubleTy() ? ForeignType::Double : ForeignType::Other;
}

namespace {

/// LLVM's own variables: lists for the linker and the code generator, no objects of the program.
bool isMetaGlobal(const GlobalVariable &g) {
  return g.getName().starts_with("llvm.") || g.getSection() == "llvm.metadata";
}

/// A weak function without a definition is null. The engine's functions always exist, whatever the
/// declaration says.
bool isAbsent(const Function &f) {
  return f.isDeclaration() && f.hasExternalWeakLinkage() && !f.getName().starts_with("__fathom_");
}

/// Is it named in own functions, and in no other?
bool isUsedByOwnCode(const GlobalVariable &g) {
  SmallVector<const Value *, 8> worklist{&g};
  SmallPtrSet<const Value *, 8> seen{&g};
  bool isUsed = false;
  while (!worklist.empty())
    for (const User *user : worklist.pop_back_val()->users()) {
      if (auto *inst = dyn_cast<Instruction>(user)) {
        if (!isOwnFunction(*inst->getFunction())) return false;
        isUsed = true;
      } else if (seen.insert(user).second) {
        worklist.push_back(user);
      }
    }
  return isUsed;
}

bool isOwnGlobal(const GlobalVariable &g) {
  SmallVector<DIGlobalVariableExpression *, 1> info;
  g.getDebugInfo(info);
  if (info.empty()) return isUsedByOwnCode(g); // libc has lines only
  for (const DIGlobalVariableExpression *e : info)
    if (auto *unit = dyn_cast_or_null<DICompileUnit>(e->getVariable()->getScope())) {
      StringRef directory = unit->getDirectory();
      if (directory.starts_with("/fathom-libc") || directory.starts_with("/fathom-runtime"))
        return false;
    }
  return !g.getName().starts_with("__fathom_");
}

} // namespace

Expected<Program> decode(const Module &module) { return ModuleDecoder(module).run(); }

ModuleDecoder::ModuleDecoder(const Module &module)
    : module(module), dl(module.getDataLayout()), layouts(dl), constants(dl, layouts) {}

// MAIN LOOP: a module becomes a program.  // TOUR(5)
Expected<Program> ModuleDecoder::run() {
  program.modulePath = module.getModuleIdentifier();
  program.locations.push_back({});
  program.files.push_back("");
  numberFunctions();
  numberAddressTakenBlocks();
  placeGlobals();
  // From here on every address is known.
  if (Error e = fillGlobals()) return std::move(e);
  numberBranches();
  for (const Function &f : module)
    if (auto it = functionIds.find(&f); it != functionIds.end()) {
      FunctionCode &code = program.functions[it->second];
      FunctionDecoder(*this, f, code).run();
      code.coverBase = program.coverSize;
      program.coverSize += static_cast<uint32_t>(code.code.size());
    }
  return std::move(program);
}

/// Whether the program can have a pointer to the function. Calls by name take no address, and
/// neither does libc's start-up code, to which main is passed.
static bool isAddressTaken(const Function &f) {
  auto isStart = [](const User *user) {
    auto *in = dyn_cast<Instruction>(user);
    return in && in->getFunction()->getName() == "_start_c";
  };
  if (f.getName() == "main" && all_of(f.users(), isStart)) return false;
  return f.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true);
}

/// Whether the program can have a pointer to the variable, or into it.
static bool isAddressTaken(const Value &address) {
  return any_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<LoadInst, ICmpInst>(user)) return false;
    if (isa<StoreInst>(user)) return use.getOperandNo() != StoreInst::getPointerOperandIndex();
    return !isa<GEPOperator>(user) || use.getOperandNo() || isAddressTaken(*user);
  });
}

void ModuleDecoder::numberFunctions() {
  const auto pure = pureFunctions(module);
  for (const Function &f : module) {
    if (f.isDeclaration()) continue;
    uint32_t id = static_cast<uint32_t>(program.functions.size());
    functionIds[&f] = id;
    program.functions.emplace_back();
    FunctionCode &code = program.functions.back();
    code.id = id;
    declareFunction(f, code);
    code.isPure = pure.contains(&f);
    program.functionIndex[code.name] = id;
    constants.setAddress(&f, functionAddress(id));
  }
  for (const GlobalAlias &alias : module.aliases()) // stpcpy is another name of __stpcpy
    if (auto *f = dyn_cast_or_null<Function>(alias.getAliaseeObject()))
      if (auto it = functionIds.find(f); it != functionIds.end())
        program.functionIndex.try_emplace(alias.getName().str(), it->second);
  for (const FunctionCode &code : program.functions)
    program.functionIndex.try_emplace(code.shownName, code.id);
  const uint32_t bodies = static_cast<uint32_t>(program.functions.size());
  for (const Function &f : module) {
    if (!f.isDeclaration() || f.isIntrinsic() || isAbsent(f) || isUninitMarker(f)) continue;
    uint32_t id = static_cast<uint32_t>(program.externals.size());
    externalIds[&f] = id;
    External external;
    external.name = f.getName().str();
    external.address = functionAddress(bodies + id);
    SmallVector<const Layout *, 8> parameters;
    for (const Argument &arg : f.args()) {
      parameters.push_back(&layouts.of(arg.getType()));
      external.argSlots += parameters.back()->slots;
    }
    const Layout &result = layouts.of(f.getReturnType());
    external.retSlots = result.slots;
    external.argShape = shape(parameters);
    external.retShape = shape(&result);
    external.retWidthBits = result.scalars.size() == 1 ? result.scalars[0].bits : 0;
    external.varArg = f.isVarArg();
    external.addressTaken = isAddressTaken(f);
    for (const Argument &arg : f.args())
      external.params.push_back(arg.hasByValAttr() ? ForeignType::Other
                                                   : foreignType(arg.getType()));
    external.result = foreignType(f.getReturnType());
    for (const Argument &arg : f.args()) {
      external.readOnly.push_back(arg.onlyReadsMemory());
      external.signWidth.push_back(arg.hasSExtAttr() ? arg.getType()->getIntegerBitWidth() : 0);
      external.bytes.push_back(arg.getDereferenceableBytes());
    }
    external.assembly = f.getFnAttribute("fathom-assembly").getValueAsString().str();
    external.assemblyMemory = f.hasFnAttribute("fathom-memory");
    program.externals.push_back(std::move(external));
    constants.setAddress(&f, functionAddress(bodies + id));
  }
}

void ModuleDecoder::declareFunction(const Function &f, FunctionCode &code) {
  code.name = f.getName().str();
  code.shownName = readableName(code.name);
  code.varArg = f.isVarArg();
  code.addressTaken = isAddressTaken(f);
  code.own = isOwnFunction(f);
  code.isThinWrapper = isThinWrapper(f);
  code.isModel = f.hasFnAttribute("fathom-runtime");
  code.retSlots = layouts.of(f.getReturnType()).slots;
  code.retShape = shape(&layouts.of(f.getReturnType()));
  code.foreignResult = foreignType(f.getReturnType());
  const Layout &result = layouts.of(f.getReturnType());
  code.retWidthBits = result.scalars.size() == 1 ? result.scalars[0].bits : 0;
  SmallVector<const Layout *, 8> parameters;
  for (const Argument &arg : f.args()) {
    const Layout &layout = layouts.of(arg.getType());
    Param param;
    param.slot = code.argSlots;
    param.slots = layout.slots;
    param.widthBits = layout.scalars.size() == 1 ? layout.scalars[0].bits : 0;
    param.pointer = arg.getType()->isPointerTy();
    param.foreign = arg.hasByValAttr() ? ForeignType::Other : foreignType(arg.getType());
    param.readOnly = arg.onlyReadsMemory();
    param.signExtended = arg.hasSExtAttr();
    if (arg.hasByValAttr()) {
      code.byvalParams = true;
      param.byvalBytes = dl.getTypeAllocSize(arg.getParamByValType()).getFixedValue();
      param.byvalAlign = static_cast<uint32_t>(arg.getParamAlign().valueOrOne().value());
    }
    param.pointeeBytes = arg.getDereferenceableBytes();
    if (arg.hasStructRetAttr()) {
      param.isResult = true;
      param.pointeeBytes = dl.getTypeAllocSize(arg.getParamStructRetType()).getFixedValue();
    }
    param.name = arg.getName().str();
    if (!param.byvalBytes) // vectors: one register each
      for (const Scalar &s : layout.scalars) {
        code.namedInteger += argClass(s) == ArgClass::Integer && !arg.getType()->isVectorTy();
        code.namedSse += argClass(s) == ArgClass::Sse ||
                         (arg.getType()->isVectorTy() && &s == &layout.scalars[0]);
      }
    code.params.push_back(std::move(param));
    code.argSlots += layout.slots;
    parameters.push_back(&layout);
  }
  code.argShape = shape(parameters);
  code.namedInteger = std::min(code.namedInteger, 6u);
  code.namedSse = std::min(code.namedSse, 8u);
  if (const DISubprogram *sp = f.getSubprogram()) {
    code.declLine = sp->getLine();
    code.file = file(sp->getFile());
  }
}

uint32_t ModuleDecoder::shape(ArrayRef<const Layout *> of) {
  Shape list;
  for (const Layout *layout : of)
    for (const Scalar &s : layout->scalars) {
      list.push_back(shapeOf(s));
      if (s.wide()) list.push_back(0);
    }
  auto [it, isNew] = shapeIds_.try_emplace(list, static_cast<uint32_t>(program.shapes.size()));
  if (isNew) program.shapes.push_back(std::move(list));
  return it->second;
}

void ModuleDecoder::numberAddressTakenBlocks() {
  uint32_t next = 0;
  for (const Function &f : module)
    for (const BasicBlock &block : f)
      if (block.hasAddressTaken()) constants.setAddress(&block, blockAddress(next++));
}

/// Gives each global an address. Address space is divided into size classes, and each class k into
/// address slots of 2^k bytes (Address.h); a slot holds one object.
void ModuleDecoder::placeGlobals() {
  std::vector<uint64_t> nextAddressSlot(kMaxClass + 1, 1); // slot 0 is never used
  for (const GlobalVariable &g : module.globals()) {
    if (isMetaGlobal(g) || (g.isDeclaration() && g.hasExternalWeakLinkage())) continue;
    Global global;
    global.name = g.getName().str();
    global.sizeBytes =
        g.getValueType()->isSized() ? dl.getTypeAllocSize(g.getValueType()).getFixedValue() : 0;
    const uint64_t align = g.getAlign().valueOrOne().value();
    unsigned k = std::min(usualClass(global.sizeBytes, align), kMaxClass);
    // At most half of a class: the rest is for what the program allocates.
    const unsigned least = std::min(smallestClass(global.sizeBytes, align), kMaxClass);
    while (k > least && nextAddressSlot[k] >= slotCount(k) / 2) k--;
    global.address = objectAddress(k, nextAddressSlot[k]++);
    global.constant = g.isConstant();
    global.own = isOwnGlobal(g);
    global.addressTaken = isAddressTaken(g);
    global.threadLocal = g.isThreadLocal();
    program.globalIndex[global.name] = static_cast<uint32_t>(program.globals.size());
    constants.setAddress(&g, global.address);
    program.globals.push_back(std::move(global));
  }
  program.slotsUsed = std::move(nextAddressSlot);
}

Error ModuleDecoder::fillGlobals() {
  size_t index = 0;
  for (const GlobalVariable &g : module.globals()) {
    if (isMetaGlobal(g) || (g.isDeclaration() && g.hasExternalWeakLinkage())) continue;
    Global &global = program.globals[index++];
    if (global.sizeBytes > kMaxObjectSize)
      return createStringError(inconvertibleErrorCode(),
                               "global '" + global.name + "': " + std::to_string(global.sizeBytes) +
                                   " bytes are more than the largest object (" +
                                   std::to_string(kMaxObjectSize) + ")");
    if (!g.hasInitializer() || g.getInitializer()->isNullValue() ||
        isa<UndefValue>(g.getInitializer()))
      continue;
    std::vector<uint8_t> bytes(global.sizeBytes);
    if (Error e = constants.write(g.getInitializer(), bytes))
      return createStringError(inconvertibleErrorCode(),
                               "global '" + global.name + "': " + toString(std::move(e)));
    if (llvm::any_of(bytes, [](uint8_t b) { return b != 0; })) global.init = std::move(bytes);
  }
  return Error::success();
}

void ModuleDecoder::numberBranches() {
  const Function *last = nullptr;
  uint32_t ordinal = 0;
  forEachBranch(const_cast<Module &>(module), [&](Instruction &terminator, uint32_t id) {
    const Function *f = terminator.getFunction();
    if (f != last) ordinal = 0;
    last = f;
    assert(id == program.branches.size() && "branch numbers are dense");
    branchIds_[&terminator] = id;
    Branch branch;
    branch.function = functionIds.lookup(f);
    branch.location = location(terminator.getDebugLoc());
    branch.ordinal = ordinal++;
    branch.sides = numSides(terminator);
    branch.sideBase = program.branchSides;
    program.branchSides += branch.sides;
    program.branches.push_back(branch);
    if (isOwnBranch(terminator)) {
      program.ownBranches = id + 1;
      program.ownBranchSides = program.branchSides;
    }
  });
}

uint32_t ModuleDecoder::message(const std::string &text) {
  auto [it, fresh] = messageIds_.try_emplace(text, static_cast<uint32_t>(program.messages.size()));
  if (fresh) program.messages.push_back(text);
  return it->second;
}

uint32_t ModuleDecoder::file(const DIFile *file) {
  if (!file) return 0;
  auto [it, fresh] = fileOfNode_.try_emplace(file, 0);
  if (!fresh) return it->second;
  SmallString<128> path(file->getFilename());
  if (!sys::path::is_absolute(path)) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  auto [entry, isNew] = fileIds_.try_emplace(path, static_cast<uint32_t>(program.files.size()));
  if (isNew) program.files.push_back(std::string(path));
  return it->second = entry->second;
}

uint32_t ModuleDecoder::location(const DILocation *loc) {
  if (!loc) return 0;
  auto [it, fresh] = locationOfNode_.try_emplace(loc, 0);
  if (!fresh) return it->second;
  // The innermost location: where the text of inlined code stands. This does not touch
  // locationOfNode_.
  return it->second = location(loc->getFile(), loc->getLine(), loc->getColumn());
}

uint32_t ModuleDecoder::location(const DIFile *diFile, uint32_t line, uint32_t column) {
  Location where{file(diFile), line, column};
  auto [entry, isNew] = locationIds_.try_emplace({where.file, where.line, where.column},
                                                 static_cast<uint32_t>(program.locations.size()));
  if (isNew) program.locations.push_back(where);
  return entry->second;
}

} // namespace fathom::program
