// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Liveness.h"
#include "statics/translate/WrapperCopies.h"

#include "program/Load.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Operator.h"

namespace fathom::statics {

using namespace abstract;

namespace {

/// Scalars of an object whose initial content is written down.
constexpr size_t kMaxInitial = 8192;
constexpr size_t kMaxObjectLeaves = 256;

bool usedOutside(const llvm::Value &value, int depth = 0) {
  for (const llvm::User *user : value.users()) {
    if (const auto *inst = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (!program::isOwnFunction(*inst->getFunction())) return true;
    } else if (depth > 4 || usedOutside(*user, depth + 1)) {
      return true;
    }
  }
  return false;
}

/// May the program's own code call it through a pointer?
bool addressTaken(const llvm::Value &value, int depth = 0) {
  for (const llvm::Use &use : value.uses()) {
    const llvm::User *user = use.getUser();
    if (const auto *inst = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (!program::isOwnFunction(*inst->getFunction())) continue;
      const auto *call = llvm::dyn_cast<llvm::CallBase>(inst);
      if (!call || !call->isCallee(&use)) return true;
      continue;
    }
    if (llvm::isa<llvm::BlockAddress>(user)) continue;
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(user);
    if (global && global->getName().starts_with("llvm.")) continue;
    if (global || depth > 8 || addressTaken(*user, depth + 1)) return true;
  }
  return false;
}

} // namespace

ModuleTranslator::ModuleTranslator(const llvm::Module &module, const TranslateOptions &options)
    : module_(module), options_(options), layout_(module.getDataLayout()),
      isLibrary_(options.entry.empty() && program::isLibrary(module)) {}

bool ModuleTranslator::isExported(const llvm::GlobalValue &value) const {
  return isLibrary_ && !value.hasLocalLinkage();
}

AbstractProgram ModuleTranslator::run() {
  addFunctions();
  findEntries();
  // Others call the functions of a library as often as they like.
  for (const FunctionId entry : program.entries)
    if (!isLibrary_) once_.addEntry(*bodies_[entry]);
  for (FunctionId f = 0; f < bodies_.size(); ++f)
    if (bodies_[f]) FunctionTranslator(*this, *bodies_[f], f).run();
  copyWrappers(*this, calls_, made_);
  // From here on every object is known that the code names; their contents name more.
  fillGlobals();
  collectThresholds(program);
  findDead(program);
  for (const auto &[what, count] : unexpressed_) program.unexpressed.emplace_back(what, count);
  return std::move(program);
}

void ModuleTranslator::addFunctions() {
  for (const llvm::Function &f : module_) {
    if (f.isIntrinsic()) continue;
    const bool hasBody = !f.isDeclaration() && program::isOwnFunction(f);
    functions_[&f] = FunctionId(program.functions.size());
    bodies_.push_back(hasBody ? &f : nullptr);
    abstract::Function function;
    function.name = f.getName().str();
    if (hasBody) {
      function.addressTaken = function.name != "main" && (isExported(f) || addressTaken(f));
      if (const llvm::DISubprogram *sp = f.getSubprogram()) {
        function.file = sp->getFilename().str();
        function.line = sp->getLine();
      }
    }
    program.functions.push_back(std::move(function));
  }
}

void ModuleTranslator::findEntries() {
  std::vector<std::string> names = {"main", "LLVMFuzzerTestOneInput"};
  if (isLibrary_) {
    program.beginsFresh = false; // other functions of it ran before
    for (FunctionId f = 0; f < bodies_.size(); ++f)
      if (bodies_[f] && isExported(*bodies_[f])) program.entries.push_back(f);
  }
  if (!options_.entry.empty()) {
    names = {options_.entry};
    program.beginsFresh = false; // other functions ran before
  }
  for (const std::string &name : names) {
    const llvm::Function *f = module_.getFunction(name);
    if (!f || !functions_.count(f) || !bodies_[functions_[f]]) continue;
    program.entries.push_back(functions_[f]);
    break;
  }
  // Constructors run before main, and change what globals hold.
  const llvm::GlobalVariable *list = module_.getGlobalVariable("llvm.global_ctors");
  if (!list || !list->hasInitializer()) return;
  const auto *array = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  for (unsigned i = 0; array && i < array->getNumOperands(); ++i) {
    const auto *entry = llvm::dyn_cast<llvm::ConstantStruct>(array->getOperand(i));
    const auto *f = entry ? llvm::dyn_cast<llvm::Function>(entry->getOperand(1)) : nullptr;
    if (!f || !functions_.count(f) || !bodies_[functions_[f]]) continue;
    program.entries.push_back(functions_[f]);
    program.beginsFresh = false;
  }
}

FunctionId ModuleTranslator::functionId(const llvm::Function &function) const {
  auto at = functions_.find(&function);
  return at == functions_.end() ? kNoId : at->second;
}

ObjectId ModuleTranslator::addObject(Object object) {
  program.objects.push_back(std::move(object));
  return ObjectId(program.objects.size() - 1);
}

void ModuleTranslator::describe(Object &object, llvm::Type *type) const {
  llvm::Type *element = type;
  while (const auto *array = llvm::dyn_cast<llvm::ArrayType>(element))
    element = array->getElementType();
  if (element != type) object.elementBytes = uint32_t(layout_.getTypeAllocSize(element));
  const bool isExpanded = object.sizeBytes && *object.sizeBytes <= kMaxObjectLeaves;
  leavesOf(isExpanded ? type : element, 0, kMaxObjectLeaves, object.leaves);
}

bool ModuleTranslator::leavesOf(llvm::Type *type, uint64_t offset, size_t most,
                                std::vector<std::pair<uint64_t, uint32_t>> &out) const {
  if (out.size() >= most) return false;
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *layout =
        layout_.getStructLayout(const_cast<llvm::StructType *>(structure));
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!leavesOf(structure->getElementType(i), offset + layout->getElementOffset(i), most, out))
        return false;
    return true;
  }
  if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t step = layout_.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!leavesOf(array->getElementType(), offset + i * step, most, out)) return false;
    return true;
  }
  if (!type->isSized()) return false;
  const uint64_t size = layout_.getTypeStoreSize(type);
  if (size == 1 || size == 2 || size == 4 || size == 8) out.emplace_back(offset, uint32_t(size));
  return true;
}

ObjectId ModuleTranslator::objectOf(const llvm::GlobalValue &global) {
  if (auto at = objects_.find(&global); at != objects_.end()) return at->second;
  Object object;
  object.name = global.getName().str();
  if (const auto *f = llvm::dyn_cast<llvm::Function>(&global)) {
    object.kind = Object::Kind::Function;
    object.function = functionId(*f);
    object.sizeBytes = 0;
    // An intrinsic has no address; an alias is what it stands for.
    if (object.function == kNoId) object.kind = Object::Kind::Global;
    return objects_[&global] = addObject(std::move(object));
  }
  object.kind = Object::Kind::Global;
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  if (!variable) { // an alias
    object.isKnown = false;
    object.escapes = true;
    return objects_[&global] = addObject(std::move(object));
  }
  if (variable->getValueType()->isSized() && !variable->isDeclaration())
    object.sizeBytes = layout_.getTypeAllocSize(variable->getValueType());
  const bool isOutside = isExported(*variable) || usedOutside(*variable);
  object.escapes = isOutside || escapes(*variable);
  object.isConstant = variable->isConstant();
  object.isKnown = !isOutside || object.isConstant;
  describe(object, variable->getValueType());
  const ObjectId id = addObject(std::move(object));
  objects_[&global] = id;
  open_.emplace_back(id, variable);
  return id;
}

void ModuleTranslator::fillGlobals() {
  while (!open_.empty()) {
    const auto [id, global] = open_.front();
    open_.pop_front();
    fillGlobal(id, *global);
  }
}

void ModuleTranslator::fillGlobal(ObjectId id, const llvm::GlobalVariable &global) {
  if (!global.hasInitializer()) {
    program.objects[id].isKnown = false;
    return;
  }
  std::vector<Initial> initial;
  // Also objects that only a lost content names must be known to escape: they are, since a use in
  // an initial value is an escape.
  const bool isComplete = initialOf(*global.getInitializer(), 0, initial);
  Object &object = program.objects[id];
  // Where one cell stands for many places, a place that is not listed would be forgotten.
  const bool isPeriodic = object.elementBytes && object.sizeBytes > kMaxObjectLeaves;
  object.isKnown &= isComplete || !isPeriodic;
  if (object.isKnown) object.initial = std::move(initial);
}

bool ModuleTranslator::initialOf(const llvm::Constant &constant, uint64_t offset,
                                 std::vector<Initial> &out) {
  if (out.size() > kMaxInitial) return false;
  llvm::Type *type = constant.getType();
  if (constant.isNullValue()) {
    // Zero in every scalar; of large arrays once for each leaf of an element.
    llvm::Type *element = type;
    while (const auto *array = llvm::dyn_cast<llvm::ArrayType>(element))
      element = array->getElementType();
    const bool isLarge = layout_.getTypeAllocSize(type) > kMaxObjectLeaves;
    std::vector<std::pair<uint64_t, uint32_t>> leaves;
    if (!leavesOf(isLarge ? element : type, offset, kMaxObjectLeaves, leaves)) return false;
    for (const auto &[at, size] : leaves) out.push_back({at, size, 0, kNoId, kNoId, 0});
    return !isLarge || element == type || offset == 0;
  }
  if (const auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const uint64_t step = layout_.getTypeAllocSize(data->getElementType());
    if (!data->getElementType()->isIntegerTy()) return false;
    for (unsigned i = 0; i < data->getNumElements(); ++i) {
      if (out.size() > kMaxInitial) return false;
      out.push_back(
          {offset + i * step, uint32_t(step), data->getElementAsInteger(i), kNoId, kNoId, 0});
    }
    return true;
  }
  if (llvm::isa<llvm::ConstantArray, llvm::ConstantStruct>(constant)) {
    bool isComplete = true;
    for (unsigned i = 0; i < constant.getNumOperands(); ++i) {
      uint64_t at = offset;
      if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
        at += layout_.getStructLayout(structure)->getElementOffset(i);
      else
        at += i * layout_.getTypeAllocSize(type->getArrayElementType());
      const auto &part = *llvm::cast<llvm::Constant>(constant.getOperand(i));
      isComplete &= initialOf(part, at, out);
    }
    return isComplete;
  }
  return initialOfScalar(constant, offset, out);
}

bool ModuleTranslator::initialOfScalar(const llvm::Constant &constant, uint64_t offset,
                                       std::vector<Initial> &out) {
  const uint64_t size = layout_.getTypeStoreSize(constant.getType());
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (size != 1 && size != 2 && size != 4 && size != 8) return false;
    out.push_back({offset, uint32_t(size), number->getZExtValue(), kNoId, kNoId, 0});
    return true;
  }
  if (!constant.getType()->isPointerTy()) return false;
  llvm::APInt distance(64, 0);
  const llvm::Value *base =
      constant.stripAndAccumulateConstantOffsets(layout_, distance, /*AllowNonInbounds=*/true);
  const auto *global = llvm::dyn_cast<llvm::GlobalValue>(base);
  if (!global || llvm::isa<llvm::GlobalAlias>(global)) return false;
  const ObjectId object = objectOf(*global);
  out.push_back({offset, 8, 0, object, kNoId, distance.getZExtValue()});
  return true;
}

AbstractProgram translate(const llvm::Module &module, const TranslateOptions &options) {
  return ModuleTranslator(module, options).run();
}

} // namespace fathom::statics
