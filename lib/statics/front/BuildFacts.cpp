// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/BuildFacts.h"

#include "statics/front/FactsBuilder.h"
#include "statics/front/StoredNumbers.h"

#include "program/Load.h"
#include "program/ThinWrapper.h"
#include "support/ReadableName.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace fathom::statics {

bool mayPoint(const Type &type) {
  if (type.isPointerTy()) return true;
  if (type.isIntegerTy()) return type.getIntegerBitWidth() >= 64;
  if (type.isStructTy())
    return llvm::any_of(type.subtypes(), [](const Type *t) { return mayPoint(*t); });
  if (auto *array = dyn_cast<ArrayType>(&type)) return mayPoint(*array->getElementType());
  if (auto *vector = dyn_cast<VectorType>(&type)) return mayPoint(*vector->getElementType());
  return false;
}

FactsBuilder::FactsBuilder(const Module &module)
    : module(module), dl(module.getDataLayout()), layouts(dl, facts.layouts) {}

Expected<Facts> buildFacts(const Module &module, const std::string &entry, FactsOrigin *origin) {
  FactsBuilder builder(module);
  builder.origin = origin;
  if (Error e = builder.run(entry)) return std::move(e);
  return std::move(builder.facts);
}

// MAIN LOOP: a module becomes facts.
Error FactsBuilder::run(const std::string &entry) {
  facts.places.push_back({});
  facts.files.emplace_back();
  facts.values.resize(4); // kNullValue, kConstantValue, kUndefinedValue, kZeroValue
  facts.numbers[kZeroValue] = 0;
  facts.unknown = addObject({.kind = ObjectKind::Unknown, .name = "unknown memory"});
  facts.environment = addObject({.kind = ObjectKind::Environment, .name = "arguments"});
  facts.initial.push_back({facts.environment, 0, addressOf(facts.environment, 0)});
  declareFunctions();
  addGlobals();
  addContents();
  for (const llvm::Function &f : module)
    if (!f.isDeclaration()) addFunctionFacts(*this, f);
  if (Error e = chooseEntries(entry)) return e;
  findStoredNumbers(facts, visibleOutside());
  return Error::success();
}

ObjectId FactsBuilder::addObject(Object object) {
  facts.objects.push_back(std::move(object));
  return static_cast<ObjectId>(facts.objects.size() - 1);
}

ValueId FactsBuilder::addressOf(ObjectId object, int64_t offset) {
  auto [known, isNew] = addresses_.try_emplace({object, offset}, kNone);
  if (!isNew) return known->second;
  facts.addresses.push_back({object, offset});
  facts.values.push_back(
      {.address = static_cast<uint32_t>(facts.addresses.size() - 1), .mayPoint = true});
  return known->second = static_cast<ValueId>(facts.values.size() - 1);
}

ObjectId FactsBuilder::threadPointer() {
  if (threadPointer_ == kNone)
    threadPointer_ = addObject({.kind = ObjectKind::Global, .name = "thread pointer"});
  return threadPointer_;
}

/// getopt and its like, by the names of glibc, gnulib and the BSDs.
static bool isOptionParser(llvm::StringRef name) {
  name.consume_front("rpl_");
  constexpr std::string_view names[] = {
      "getopt",           "getopt_long",        "getopt_long_only",
      "_getopt_internal", "_getopt_internal_r", "getopt_internal"};
  return std::ranges::find(names, std::string_view(name)) != std::end(names);
}

void FactsBuilder::declareFunctions() {
  for (const llvm::Function &f : module) {
    if (f.isIntrinsic()) continue;
    const auto id = static_cast<FunctionId>(facts.functions.size());
    functions_[&f] = id;
    statics::Function function;
    function.name = f.getName();
    function.shownName = readableName(function.name);
    function.hasBody = !f.isDeclaration();
    function.isOwn = function.hasBody && program::isOwnFunction(f);
    function.isThinWrapper = program::isThinWrapper(f);
    function.parsesOptions = isOptionParser(function.name);
    if (!function.isOwn) function.known = findLibraryFunction(function.name);
    if (function.known && function.known->summary) function.summary = &*function.known->summary;
    if (const DISubprogram *at = f.getSubprogram()) function.place = placeAt(*at, at->getLine(), 0);
    function.object = addObject({.kind = ObjectKind::Function,
                                 .function = id,
                                 .place = function.place,
                                 .isConstant = true,
                                 .name = function.name});
    if (function.summary && function.summary->allocates != Allocates::Nothing)
      function.allocated = addObject(
          {.kind = ObjectKind::Heap, .function = id, .name = function.name + " by pointer"});
    if (f.isVarArg() && function.hasBody)
      function.variadic = addObject({.kind = ObjectKind::Variadic,
                                     .function = id,
                                     .place = function.place,
                                     .name = function.name + "(...)"});
    facts.functions.push_back(std::move(function));
  }
}

FunctionId FactsBuilder::functionId(const llvm::Function &function) const {
  auto known = functions_.find(&function);
  return known == functions_.end() ? kNone : known->second;
}

/// Clang gives a variable the type of its initialiser where that differs from the declared one:
/// structures without a name, which cut arrays into pieces.
static bool isInitialiserType(const Type &type) {
  if (auto *array = dyn_cast<ArrayType>(&type)) return isInitialiserType(*array->getElementType());
  auto *structure = dyn_cast<StructType>(&type);
  return structure && structure->isLiteral();
}

void FactsBuilder::addGlobals() {
  for (const GlobalVariable &g : module.globals()) {
    if (g.getName().starts_with("llvm.") || g.getSection() == "llvm.metadata") continue;
    Type *type = g.getValueType();
    if (isInitialiserType(*type)) type = structureBehind(g, dl);
    Object object{.kind = ObjectKind::Global, .layout = type ? layouts.of(type) : 0};
    if (g.getValueType()->isSized()) object.bytes = dl.getTypeAllocSize(g.getValueType());
    object.isConstant = g.isConstant();
    object.name = g.getName();
    SmallVector<DIGlobalVariableExpression *, 1> info;
    g.getDebugInfo(info);
    if (const DIFile *file = info.empty() ? nullptr : info[0]->getVariable()->getFile())
      object.place = placeAt(*file, info[0]->getVariable()->getLine(), 0);
    globals_[&g] = addObject(std::move(object));
  }
}

/// Does code of a library use it, as getopt sets optarg? What that code writes is not followed.
static bool isUsedByLibrary(const Constant &value) {
  return llvm::any_of(value.users(), [](const User *user) {
    if (auto *inst = dyn_cast<Instruction>(user))
      return !program::isOwnFunction(*inst->getFunction());
    auto *expression = dyn_cast<ConstantExpr>(user);
    return expression && isUsedByLibrary(*expression);
  });
}

void FactsBuilder::addContents() {
  std::vector<std::pair<int64_t, ValueId>> found;
  for (const GlobalVariable &g : module.globals()) {
    auto known = globals_.find(&g);
    if (known == globals_.end() || !g.hasInitializer()) continue;
    found.clear();
    pointersIn(*g.getInitializer(), 0, found);
    for (auto [offset, value] : found) facts.initial.push_back({known->second, offset, value});
    constexpr uint64_t kMaxBytes = 4096;
    Object &object = facts.objects[known->second];
    if (!g.isConstant() && isUsedByLibrary(g)) continue;
    if (g.getInitializer()->isNullValue())
      object.isInitialKnown = true;
    else if (object.bytes <= kMaxBytes)
      object.isInitialKnown = numbersIn(*g.getInitializer(), known->second, 0);
  }
}

bool FactsBuilder::numbersIn(const Constant &constant, ObjectId object, int64_t offset) {
  if (constant.isNullValue()) return true;
  if (constant.getType()->isPointerTy()) {
    if (facts.values[constantOf(constant)].address != kNone) return true;
    // (void *)-1
    auto *cast = dyn_cast<ConstantExpr>(&constant);
    return cast && cast->getOpcode() == Instruction::IntToPtr &&
           numbersIn(*cast->getOperand(0), object, offset);
  }
  if (auto *number = dyn_cast<ConstantInt>(&constant)) {
    const unsigned bits = number->getBitWidth();
    if (bits > 64 || bits % 8 != 0) return false;
    facts.initialNumbers[{object, offset}] = {bits / 8, number->getSExtValue()};
    return true;
  }
  const auto sizeOf = [&](Type *type) {
    return static_cast<int64_t>(dl.getTypeAllocSize(type).getFixedValue());
  };
  if (auto *data = dyn_cast<ConstantDataSequential>(&constant)) {
    for (unsigned i = 0; i < data->getNumElements(); i++)
      if (!numbersIn(*data->getElementAsConstant(i), object,
                     offset + sizeOf(data->getElementType()) * i))
        return false;
    return true;
  }
  if (!isa<ConstantAggregate>(constant)) return false;
  for (unsigned i = 0; i < constant.getNumOperands(); i++) {
    auto *structure = dyn_cast<StructType>(constant.getType());
    const int64_t at =
        structure ? static_cast<int64_t>(dl.getStructLayout(structure)->getElementOffset(i))
                  : sizeOf(constant.getOperand(i)->getType()) * i;
    if (!numbersIn(*cast<Constant>(constant.getOperand(i)), object, offset + at)) return false;
  }
  return true;
}

void FactsBuilder::pointersIn(const Constant &constant, int64_t offset,
                              std::vector<std::pair<int64_t, ValueId>> &found) {
  if (!mayPoint(*constant.getType()) || isa<ConstantData>(constant)) return;
  if (!isa<ConstantAggregate>(constant)) {
    if (const ValueId value = constantOf(constant); facts.values[value].address != kNone)
      found.emplace_back(offset, value);
    return;
  }
  for (unsigned i = 0; i < constant.getNumOperands(); i++) {
    int64_t at = 0;
    if (auto *structure = dyn_cast<StructType>(constant.getType()))
      at = static_cast<int64_t>(dl.getStructLayout(structure)->getElementOffset(i));
    else
      at = static_cast<int64_t>(dl.getTypeAllocSize(constant.getOperand(i)->getType()) * i);
    pointersIn(*cast<Constant>(constant.getOperand(i)), offset + at, found);
  }
}

ValueId FactsBuilder::constantOf(const Constant &constant) {
  if (isa<ConstantFP>(constant)) return kConstantValue; // 0.0 is no null
  if (constant.isNullValue()) return isa<ConstantInt>(constant) ? kZeroValue : kNullValue;
  if (isa<UndefValue>(constant)) return kUndefinedValue;
  if (auto *number = dyn_cast<ConstantInt>(&constant);
      number && number->getValue().getSignificantBits() <= 64) {
    auto [known, isNew] = numbers_.try_emplace(number->getSExtValue(), kNone);
    if (isNew) {
      known->second = static_cast<ValueId>(facts.values.size());
      facts.values.emplace_back();
      facts.numbers[known->second] = known->first;
    }
    return known->second;
  }
  if (auto *alias = dyn_cast<GlobalAlias>(&constant)) return constantOf(*alias->getAliasee());
  if (auto *function = dyn_cast<llvm::Function>(&constant)) {
    const FunctionId id = functionId(*function);
    return id == kNone ? kConstantValue : addressOf(facts.functions[id].object, 0);
  }
  if (auto *global = dyn_cast<GlobalVariable>(&constant)) {
    auto known = globals_.find(global);
    return known == globals_.end() ? kConstantValue : addressOf(known->second, 0);
  }
  auto *expression = dyn_cast<ConstantExpr>(&constant);
  if (!expression) return kConstantValue;
  if (auto *gep = dyn_cast<GEPOperator>(expression)) {
    APInt offset(dl.getIndexTypeSizeInBits(gep->getType()), 0);
    const bool known = gep->accumulateConstantOffset(dl, offset);
    const ValueId base = constantOf(*cast<Constant>(gep->getPointerOperand()));
    const uint32_t address = facts.values[base].address;
    if (address == kNone || !known) return base;
    const ConstantAddress to = facts.addresses[address];
    return addressOf(to.object, to.offset + offset.getSExtValue());
  }
  // Null with an offset, or what stands for no object, such as (void *)-1.
  if (auto *number = dyn_cast<ConstantInt>(expression->getOperand(0));
      number && expression->getOpcode() == Instruction::IntToPtr)
    return constantOf(*number);
  // Casts, and the few operations that constants can have: the first pointer in them.
  for (const Use &operand : expression->operands())
    if (const ValueId value = constantOf(*cast<Constant>(operand));
        facts.values[value].address != kNone)
      return value;
  return kConstantValue;
}

PlaceId FactsBuilder::placeOf(const DebugLoc &at) {
  if (!at) return 0;
  return placeAt(*at->getScope(), at.getLine(), at.getCol());
}

PlaceId FactsBuilder::placeAt(const DIScope &scope, unsigned line, unsigned column) {
  SmallString<128> path(scope.getFilename());
  if (!path.empty() && !sys::path::is_absolute(path)) {
    path = scope.getDirectory();
    sys::path::append(path, scope.getFilename());
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  }
  return placeAt(path.str(), line, column);
}

PlaceId FactsBuilder::placeAt(StringRef file, unsigned line, unsigned column) {
  if (line == 0) return 0;
  auto [known, isNewFile] = files_.try_emplace(file, static_cast<uint32_t>(facts.files.size()));
  if (isNewFile) facts.files.push_back(file.str());
  auto [place, isNew] =
      places_.try_emplace({known->second, line, column}, static_cast<PlaceId>(facts.places.size()));
  if (isNew) facts.places.push_back({known->second, line, column});
  return place->second;
}

void FactsBuilder::assume(Assumption what, PlaceId place, FunctionId function, StringRef name) {
  facts.assumed.push_back({what, place, function, name.str()});
}

/// Neither libc's nor the runtime's.
static bool isOwn(const llvm::GlobalVariable &global) {
  if (global.getName().starts_with("__fathom_")) return false;
  SmallVector<DIGlobalVariableExpression *, 1> debug;
  global.getDebugInfo(debug);
  for (const DIGlobalVariableExpression *at : debug)
    if (const DIFile *file = at->getVariable()->getFile())
      return !file->getDirectory().starts_with("/fathom-");
  return false;
}

Error FactsBuilder::exportAll() {
  for (const llvm::Function &f : module)
    if (!f.isDeclaration() && !f.hasLocalLinkage() && program::isOwnFunction(f))
      facts.exported.push_back(facts.functions[functionId(f)].object);
  if (facts.exported.empty())
    return createStringError("the program has no function main (use --entry FUNCTION), and no "
                             "function that others could call");
  for (const auto &global : module.globals())
    if (const auto at = globals_.find(&global);
        at != globals_.end() && !global.hasLocalLinkage() && isOwn(global))
      facts.exported.push_back(at->second);
  return Error::success();
}

/// Variables of a library that its users may write, also where only a part of it is looked at.
std::vector<ObjectId> FactsBuilder::visibleOutside() const {
  std::vector<ObjectId> out;
  if (program::isLibrary(module))
    for (const auto &[global, object] : globals_)
      if (!global->hasLocalLinkage()) out.push_back(object);
  return out;
}

Error FactsBuilder::chooseEntries(const std::string &entry) {
  auto add = [&](StringRef name) {
    const llvm::Function *f = module.getFunction(name);
    if (!f || f->isDeclaration()) return false;
    facts.entries.push_back(functionId(*f));
    return true;
  };
  if (!entry.empty()) {
    if (add(entry)) return Error::success();
    return createStringError("the program has no function '" + entry + "'");
  }
  if (program::isLibrary(module)) return exportAll();
  if (add("_start_c") || add("main") || add("LLVMFuzzerTestOneInput")) return Error::success();
  return createStringError("the program has no function main (use --entry FUNCTION)");
}

FunctionId Facts::findFunction(const std::string &name) const {
  for (FunctionId f = 0; f < functions.size(); f++)
    if (functions[f].name == name) return f;
  return kNone;
}

std::string Facts::text(PlaceId place) const {
  const Place &p = places[place];
  if (p.line == 0) return "";
  return shortPlace(files[p.file], p.line);
}

} // namespace fathom::statics
