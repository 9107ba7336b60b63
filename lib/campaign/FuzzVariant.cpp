// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/FuzzVariant.h"

#include "campaign/ComparisonPass.h"
#include "campaign/Dictionary.h"
#include "campaign/MapPass.h"
#include "campaign/SanitizePass.h"
#include "campaign/StatePass.h"
#include "program/Load.h"
#include "program/NativeObject.h"
#include "program/Prepare.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

namespace fathom::campaign {

/// Lines of the text that is stored with the variant:
///   ("# harness" | "# program") dictionary "# layout" layout "# points" points
/// The dictionary has AFL++'s form, the rest is layoutText() and pointsText().
static constexpr llvm::StringLiteral kHarness = "# harness\n", kProgram = "# program\n";
static constexpr llvm::StringLiteral kSeparator = "# layout\n", kPoints = "# points\n";

/// The loop of runtime/native/harness.c stands in for main, and afl-fuzz is told that one process
/// takes several inputs: it looks for the text in the executable.
static void loopOverInputs(llvm::Module &module) {
  llvm::Function *main = module.getFunction("main");
  llvm::FunctionCallee loop =
      module.getOrInsertFunction("__fathom_fuzz_main", main->getFunctionType());
  main->replaceAllUsesWith(loop.getCallee());
  main->setName("__fathom_harness_main");
  llvm::Constant *text =
      llvm::ConstantDataArray::getString(module.getContext(), "##SIG_AFL_PERSISTENT##");
  new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, text, "__fathom_afl_persistent");
}

/// Local variables become registers, as for the engine: without it, programs compiled at -O0 spend
/// half of their time with them. A read of one that was never written still reads what lies on the
/// stack: no crash is lost, and none is gained.
static void promoteVariables(llvm::Module &module) {
  for (llvm::Function &function : module) program::promoteLocals(function);
  std::vector<llvm::CallInst *> markers;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && program::isUninitMarker(*call))
        markers.push_back(call);
  for (llvm::CallInst *marker : markers) {
    auto *place =
        new llvm::AllocaInst(marker->getType(), module.getDataLayout().getAllocaAddrSpace(), "",
                             marker->getFunction()->getEntryBlock().getFirstInsertionPt());
    auto *value = new llvm::LoadInst(marker->getType(), place, "", /*isVolatile=*/true,
                                     marker->getIterator());
    marker->replaceAllUsesWith(value);
    marker->eraseFromParent();
  }
}

const char *Sanitizers::runtimeObject() const {
  return address ? "fuzz-address.o" : undefined ? "fuzz-undefined.o" : "fuzz.o";
}

std::string Sanitizers::text() const {
  std::string out = address ? "address" : "";
  if (undefined) out += out.empty() ? "undefined" : ",undefined";
  return out;
}

bool parseSanitizers(const std::string &text, Sanitizers &sanitizers) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(text).split(names, ',');
  sanitizers = {};
  for (llvm::StringRef name : names) {
    if (name == "address")
      sanitizers.address = true;
    else if (name == "undefined")
      sanitizers.undefined = true;
    else
      return false;
  }
  return true;
}

/// What a variant has besides the counters of the map.
struct Additions {
  bool comparisons = false;
  Sanitizers sanitizers;
  PointChoice states;
};

static llvm::Expected<std::string> writeFuzzObject(const std::string &bitcodeFile,
                                                   const std::string &objectFile,
                                                   program::LoadOptions options,
                                                   const Additions &additions) {
  llvm::LLVMContext context;
  options.runtimeBitcode.clear();
  // As in the trace variant, a read of an uninitialised variable does what it does in the bitcode:
  // promoteVariables keeps such reads when it promotes locals after the instrumentation.
  options.lowerIntrinsics = false;
  options.promoteLocals = false;
  auto module = program::loadProgram(context, {bitcodeFile}, options);
  if (!module) return module.takeError();
  if (llvm::Error e = program::prepareModule(**module, options)) return std::move(e);
  const bool isHarness = program::isFuzzHarness(**module);
  const llvm::Function *symbolic = (*module)->getFunction("__fathom_make_symbolic");
  if (!isHarness && symbolic && !symbolic->use_empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "the program makes its own input symbolic (fathom.h, klee/klee.h): a fuzzer cannot give it "
        "one; expected a program that reads a file or standard input, or LLVMFuzzerTestOneInput");
  std::string dictionary = extractDictionary(**module);
  if (additions.comparisons) logComparisons(**module);
  MapLayout layout = instrumentForFuzzing(**module, /*withUnreachable=*/!additions.comparisons,
                                          additions.states.kinds.has(PointKind::Path));
  std::vector<StatePoint> points;
  if (additions.states.any()) points = sampleStates(**module, additions.states);
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  new llvm::GlobalVariable(**module, number, /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantInt::get(number, isHarness), "__fathom_isHarness");
  if (isHarness) loopOverInputs(**module);
  auto refuse = [](const std::string &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  };
  if (layout.counters() == 0) return refuse("the program has no function of its own");
  if (layout.counters() > kMaxCounters)
    return refuse(fmt::format("the program has {} branch sides and blocks; AFL++ takes at most {}",
                              layout.counters(), kMaxCounters));
  promoteVariables(**module);
  if (additions.sanitizers.undefined) addUndefinedChecks(**module);
  if (additions.sanitizers.address) addAddressChecks(**module);
  // Debug information stays, and frames can be followed: crashes are told apart by their stacks.
  for (llvm::Function &function : **module)
    if (!function.isDeclaration()) function.addFnAttr("frame-pointer", "all");
  if (llvm::Error e = program::emitObject(**module, objectFile, llvm::CodeGenOptLevel::Default))
    return std::move(e);
  return (isHarness ? kHarness : kProgram).str() + dictionary + kSeparator.str() +
         layoutText(layout) + kPoints.str() + pointsText(points);
}

static llvm::Expected<std::string> hashOfFile(const std::string &path) {
  auto data = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!data)
    return llvm::createStringError(
        data.getError(), fmt::format("cannot read {}: {}", path, data.getError().message()));
  return fmt::format("{:016x}", llvm::xxh3_64bits((*data)->getBuffer()));
}

llvm::Expected<std::string> bitcodeHash(const std::vector<std::string> &inputs,
                                        const program::LoadOptions &load) {
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(inputs, load);
  if (!bitcode) return bitcode.takeError();
  return hashOfFile(bitcode->path);
}

llvm::Expected<FuzzVariant> fuzzVariant(const std::vector<std::string> &inputs,
                                        const program::LoadOptions &load,
                                        const native::VariantTools &tools,
                                        const Sanitizers &sanitizers, const PointChoice &states) {
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(inputs, load);
  if (!bitcode) return bitcode.takeError();
  std::string kind = !sanitizers.any()      ? "fuzz"
                     : !sanitizers.address  ? "fuzz-undefined"
                     : sanitizers.undefined ? "fuzz-both"
                                            : "fuzz-address";
  if (states.any()) kind += "-states" + states.key();
  native::VariantRecipe recipe{
      kind, kFuzzVariantVersion, /*allowUndefined=*/false, [&](const std::string &objectFile) {
        return writeFuzzObject(bitcode->path, objectFile, load, {false, sanitizers, states});
      }};
  llvm::Expected<native::CachedVariant> cached =
      native::cachedVariant(bitcode->path, tools, recipe);
  if (!cached) return cached.takeError();
  FuzzVariant variant;
  variant.executable = cached->executable;
  variant.fromCache = cached->fromCache;
  variant.sanitizers = sanitizers;
  llvm::Expected<std::string> hash = hashOfFile(bitcode->path);
  if (!hash) return hash.takeError();
  variant.bitcode = *hash;
  variant.key = llvm::sys::path::stem(cached->executable).str();
  auto [dictionary, rest] = llvm::StringRef(cached->text).split(kSeparator);
  auto [layout, points] = rest.split(kPoints);
  variant.isHarness = dictionary.consume_front(kHarness);
  dictionary.consume_front(kProgram);
  variant.dictionary = dictionary.str();
  if (!parseLayout(layout.str(), variant.layout) || !parsePointTable(points, variant.points))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}.layout is damaged; remove it", cached->executable));
  return variant;
}

llvm::Expected<std::string> comparisonVariant(const std::vector<std::string> &inputs,
                                              const program::LoadOptions &load,
                                              const native::VariantTools &tools) {
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(inputs, load);
  if (!bitcode) return bitcode.takeError();
  native::VariantRecipe recipe{"compare", kFuzzVariantVersion, /*allowUndefined=*/false,
                               [&](const std::string &objectFile) {
                                 Additions additions;
                                 additions.comparisons = true;
                                 return writeFuzzObject(bitcode->path, objectFile, load, additions);
                               }};
  llvm::Expected<native::CachedVariant> cached =
      native::cachedVariant(bitcode->path, tools, recipe);
  if (!cached) return cached.takeError();
  return cached->executable;
}

} // namespace fathom::campaign
