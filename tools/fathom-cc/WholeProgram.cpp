// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WholeProgram.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <tuple>
#include <unistd.h>

namespace fathom::cc {

using namespace llvm;

namespace {

constexpr char kVersion[] = FATHOM_VERSION;
constexpr unsigned kAbiVersion = 1; // FATHOM_ABI_VERSION of runtime/include/fathom/abi.h

/// Symbols that the linker itself defines.
bool isLinkerDefined(StringRef name) {
  static const StringSet<> names = {"_start",
                                    "etext",
                                    "_etext",
                                    "__etext",
                                    "edata",
                                    "_edata",
                                    "end",
                                    "_end",
                                    "__bss_start",
                                    "__ehdr_start",
                                    "__executable_start",
                                    "__dso_handle",
                                    "_DYNAMIC",
                                    "_init",
                                    "_fini",
                                    "_GLOBAL_OFFSET_TABLE_",
                                    "_TLS_MODULE_BASE_",
                                    "__init_array_start",
                                    "__init_array_end",
                                    "__fini_array_start",
                                    "__fini_array_end",
                                    "__preinit_array_start",
                                    "__preinit_array_end",
                                    "__rela_iplt_start",
                                    "__rela_iplt_end"};
  return names.contains(name);
}

class Merger {
public:
  Merger(const LinkedProgram &program, const MergeOptions &options)
      : program_(program), options_(options), whole_(std::make_unique<Module>("program", context_)),
        linker_(*whole_) {
    context_.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *info, void *self) {
          if (info->getSeverity() != DS_Error)
            return; // e.g. "linking two modules of different target triples"
          raw_string_ostream text(static_cast<Merger *>(self)->result_.error);
          DiagnosticPrinterRawOStream printer(text);
          info->print(printer);
        },
        this);
  }

  MergeResult run(const std::string &output) {
    if (!addAll(program_.ownBitcode, /*libc=*/false) ||
        !addAll(program_.libcBitcode, /*libc=*/true))
      return result_;
    dropMarks();
    defineConstructorArrays();
    findMissing();
    findUndefined();
    describe();
    std::string problem;
    raw_string_ostream stream(problem);
    if (verifyModule(*whole_, &stream)) {
      result_.error = "the merged bitcode is malformed: " + stream.str();
      return result_;
    }
    write(output);
    return result_;
  }

private:
  bool addAll(std::string_view bitcode, bool libc) {
    std::vector<std::string_view> modules = splitModules(bitcode);
    if (modules.empty() && !bitcode.empty()) result_.error = "malformed bitcode in an object";
    for (std::string_view module : modules) {
      if (!result_.error.empty()) return false;
      add(module, libc);
    }
    return result_.error.empty();
  }

  void add(std::string_view bitcode, bool libc) {
    // Function bodies are read only when they are moved: one copy in memory at a time.
    MemoryBufferRef buffer(StringRef(bitcode.data(), bitcode.size()), "object");
    Expected<std::unique_ptr<Module>> read = getLazyBitcodeModule(buffer, context_);
    if (!read) {
      result_.error = toString(read.takeError());
      return;
    }
    Module &module = **read;
    for (GlobalValue &value : module.global_values())
      if (!value.isDeclaration() && value.hasName()) defined_[plainName(value.getName())]++;
    if (libc)
      for (Function &function : module)
        if (!function.isDeclaration()) function.addFnAttr("fathom-libc");
    if (!libc) keepLocals(module);
    for (const std::string &symbol : options_.wrapped) wrap(module, symbol);
    if (options_.duplicatesAllowed) firstDefinitionCounts(module);
    if (whole_->getTargetTriple().empty()) {
      whole_->setTargetTriple(module.getTargetTriple());
      whole_->setDataLayout(module.getDataLayout());
    }
    linker_.linkInModule(std::move(*read));
  }

  /// Clang marks names given with __asm__("name") with a leading \1.
  static StringRef plainName(StringRef name) {
    name.consume_front("\01");
    return name;
  }

  /// Merging leaves out local functions that nothing refers to. Clang takes __attribute__((used))
  /// out of the bitcode that it embeds, so every local function is marked; the marks go in
  /// dropMarks().
  static void keepLocals(Module &module) {
    SmallVector<GlobalValue *> locals;
    for (Function &function : module)
      if (!function.isDeclaration() && function.hasLocalLinkage()) locals.push_back(&function);
    if (!locals.empty()) appendToCompilerUsed(module, locals);
  }

  void dropMarks() {
    if (GlobalVariable *marks = whole_->getNamedGlobal("llvm.compiler.used"))
      marks->eraseFromParent();
  }

  /// ld --wrap=f: references to f go to __wrap_f, references to __real_f go to f.
  static void wrap(Module &module, StringRef symbol) {
    auto redirect = [&](const Twine &from, const Twine &to) {
      GlobalValue *value = module.getNamedValue(from.str());
      if (!value || !value->isDeclaration()) return;
      if (GlobalValue *other = module.getNamedValue(to.str())) {
        value->replaceAllUsesWith(other);
        value->eraseFromParent();
      } else {
        value->setName(to);
      }
    };
    redirect(symbol, "__wrap_" + symbol);
    redirect("__real_" + symbol, symbol);
  }

  void firstDefinitionCounts(Module &module) {
    for (GlobalValue &value : module.global_values()) {
      if (value.isDeclaration() || !value.hasExternalLinkage()) continue;
      GlobalValue *earlier = whole_->getNamedValue(value.getName());
      if (earlier && !earlier->isDeclaration() && earlier->hasExternalLinkage())
        value.setLinkage(GlobalValue::WeakAnyLinkage);
    }
  }

  /// The functions of llvm.global_ctors or llvm.global_dtors in the order of the sections.
  SmallVector<Constant *> takeStructors(StringRef name) {
    std::vector<std::tuple<uint64_t, size_t, Constant *>> entries; // priority, position, function
    GlobalVariable *list = whole_->getNamedGlobal(name);
    if (!list) return {};
    if (auto *array = dyn_cast_or_null<ConstantArray>(
            list->hasInitializer() ? list->getInitializer() : nullptr))
      for (Use &use : array->operands()) {
        auto *entry = cast<ConstantStruct>(use);
        if (!entry->getOperand(1)->isNullValue())
          entries.emplace_back(cast<ConstantInt>(entry->getOperand(0))->getZExtValue(),
                               entries.size(), entry->getOperand(1));
      }
    list->eraseFromParent();
    std::sort(entries.begin(), entries.end()); // by priority, then in link order
    SmallVector<Constant *> functions;
    for (auto &entry : entries) functions.push_back(std::get<2>(entry));
    return functions;
  }

  /// Pointers that the program itself puts into a section
  /// (__attribute__((section(".init_array")))).
  void addSection(StringRef section, SmallVector<Constant *> &functions) {
    for (GlobalVariable &variable : whole_->globals()) {
      if (variable.getSection() != section || !variable.hasInitializer()) continue;
      Constant *value = variable.getInitializer();
      if (value->getType()->isPointerTy())
        functions.push_back(value);
      else if (auto *array = dyn_cast<ConstantArray>(value))
        for (Use &use : array->operands()) functions.push_back(cast<Constant>(use));
    }
  }

  void defineArray(StringRef stem, ArrayRef<Constant *> functions) {
    auto *pointer = PointerType::getUnqual(context_);
    auto *type = ArrayType::get(pointer, functions.size());
    auto *array =
        new GlobalVariable(*whole_, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                           ConstantArray::get(type, functions), "fathom." + stem);
    auto *end = ConstantExpr::getInBoundsGetElementPtr(
        type, array, ArrayRef<Constant *>{ConstantInt::get(Type::getInt64Ty(context_), 1)});
    for (auto [suffix, value] :
         {std::pair<StringRef, Constant *>{"_start", array}, {"_end", end}}) {
      GlobalValue *symbol = whole_->getNamedValue(("__" + stem + suffix).str());
      if (!symbol || !symbol->isDeclaration()) continue;
      symbol->replaceAllUsesWith(value);
      symbol->eraseFromParent();
    }
    if (array->use_empty()) array->eraseFromParent();
  }

  void defineConstructorArrays() {
    if (!whole_->getNamedValue("__init_array_start")) return; // a program without libc's start code
    auto constructors = takeStructors("llvm.global_ctors");
    addSection(".init_array", constructors);
    auto destructors =
        takeStructors("llvm.global_dtors"); // as in the section: libc walks it from its end
    addSection(".fini_array", destructors);
    SmallVector<Constant *> early;
    addSection(".preinit_array", early);
    defineArray("preinit_array", early);
    defineArray("init_array", constructors);
    defineArray("fini_array", destructors);
  }

  /// Compares with the symbols of the native program. Names, with their number for local functions:
  /// merging renames local functions that share one.
  void findMissing() {
    StringMap<unsigned> native;
    for (const NativeSymbol &symbol : program_.symbols) {
      StringRef name = symbol.name;
      if (isLinkerDefined(name) || name.starts_with("__start_") || name.starts_with("__stop_"))
        continue;
      unsigned expected = defined_.lookup(name) + options_.nativeOnly.count(symbol.name);
      if (++native[name] <= expected) continue;
      // Machine code optimised after its bitcode was taken (--fathom-as-built) has parts: f.cold.
      if (symbol.isLocal && defined_.contains(name.split('.').first)) continue;
      result_.missing.push_back(symbol.name);
    }
    std::sort(result_.missing.begin(), result_.missing.end());
    result_.missing.erase(std::unique(result_.missing.begin(), result_.missing.end()),
                          result_.missing.end());
  }

  /// Machine code that was optimised can have lost a call that its bitcode still has, and with it
  /// the archive member that the linker would have taken.
  void findUndefined() {
    for (Function &function : *whole_) {
      if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() ||
          function.hasExternalWeakLinkage() || function.getName().starts_with("__fathom_") ||
          options_.nativeOnly.count(function.getName().str()))
        continue;
      result_.undefined.push_back(plainName(function.getName()).str());
    }
  }

  void describe() {
    auto text = [&](StringRef s) { return MDString::get(context_, s); };
    auto *number =
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context_), kAbiVersion));
    whole_->getOrInsertNamedMetadata("fathom.version")
        ->addOperand(MDNode::get(context_, {text(kVersion), number}));
    if (!options_.sysrootVersion.empty())
      whole_->getOrInsertNamedMetadata("fathom.sysroot")
          ->addOperand(MDNode::get(context_, {text(options_.sysrootVersion)}));
    if (!options_.buildId.empty())
      whole_->getOrInsertNamedMetadata("fathom.build")
          ->addOperand(MDNode::get(context_, {text(options_.buildId)}));
    if (result_.missing.empty()) return;
    NamedMDNode *missing = whole_->getOrInsertNamedMetadata("fathom.missing");
    for (const std::string &name : result_.missing)
      missing->addOperand(MDNode::get(context_, {text(name)}));
  }

  void write(const std::string &output) {
    std::string temporary = output + ".tmp" + std::to_string(getpid());
    std::error_code error;
    {
      raw_fd_ostream stream(temporary, error);
      if (!error) {
        WriteBitcodeToFile(*whole_, stream);
        stream.close();
        error = stream.error();
        stream.clear_error();
      }
    }
    if (!error) error = sys::fs::rename(temporary, output);
    if (!error) return;
    (void)sys::fs::remove(temporary);
    result_.error = "cannot write " + output + ": " + error.message();
  }

  const LinkedProgram &program_;
  const MergeOptions &options_;
  MergeResult result_;
  LLVMContext context_;
  std::unique_ptr<Module> whole_;
  Linker linker_;
  StringMap<unsigned> defined_; ///< how many modules define a name
};

} // namespace

MergeResult mergeProgram(const LinkedProgram &program, const std::string &output,
                         const MergeOptions &options) {
  // Never destroyed: taking a large module apart takes as long as writing it, and the process is
  // about to end.
  auto *merger = new Merger(program, options);
  return merger->run(output);
}

} // namespace fathom::cc
