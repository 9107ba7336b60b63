// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/TermCompiler.h"

#include "expr/FloatFold.h"
#include "jit/CodeMemory.h"
#include "jit/TermEmitter.h"

#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

namespace fathom::jit {

namespace {

/// Compiled terms know no names but their own.
class NoSymbols final : public llvm::JITSymbolResolver {
public:
  void lookup(const LookupSet &symbols, OnResolvedFunction done) override {
    done(llvm::createStringError("%s is not there", symbols.begin()->str().c_str()));
  }
  llvm::Expected<LookupSet> getResponsibilitySet(const LookupSet &) override { return LookupSet(); }
};

std::unique_ptr<llvm::TargetMachine> makeMachine(bool optimise, std::string &error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const std::string triple = llvm::sys::getProcessTriple();
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.EnableFastISel = !optimise;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "x86-64", "", options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      optimise ? llvm::CodeGenOptLevel::Less : llvm::CodeGenOptLevel::None, /*JIT=*/true));
}

uint64_t callFloating(uint32_t operation, uint64_t a, uint64_t b, uint64_t c) {
  const auto byte = [&](unsigned i) { return operation >> (8 * i) & 0xff; };
  return expr::foldFloat(
      {static_cast<expr::Kind>(byte(0)), static_cast<expr::Rounding>(byte(1)), byte(2), byte(3)}, a,
      b, c);
}

std::string functionName(size_t group) { return "terms" + std::to_string(group); }

} // namespace

struct TermCompiler::Impl {
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context; // its constants pile up: now and then a new one
  unsigned used = 0;
  CodeMemory memory;
  TermCalls calls;
};

TermCompiler::TermCompiler(const TermCompilerOptions &options)
    : options_(options), impl_(std::make_unique<Impl>()) {
  impl_->calls.floating = callFloating;
}
TermCompiler::~TermCompiler() = default;

const NativeTerms *TermCompiler::compile(std::span<const std::vector<ExprPtr>> groups,
                                         const expr::RowLayout &layout) {
  constexpr unsigned kUsesOfContext = 256;
  error_.clear();
  if (!impl_->machine && !(impl_->machine = makeMachine(options_.optimise, error_))) return nullptr;
  if (!impl_->context || ++impl_->used % kUsesOfContext == 0)
    impl_->context = std::make_unique<llvm::LLVMContext>();

  llvm::Module module("terms", *impl_->context);
  module.setTargetTriple(impl_->machine->getTargetTriple().str());
  module.setDataLayout(impl_->machine->createDataLayout());
  terms_.selfContained_ = true;
  for (size_t i = 0; i < groups.size(); ++i) {
    TermEmitter emitter(module, layout);
    if (!emitter.emit(groups[i], functionName(i), options_.maxTerms)) {
      error_ = "terms that cannot be compiled, or too many";
      return nullptr;
    }
    terms_.selfContained_ &= !emitter.callsOut();
  }

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  llvm::MCContext *mc = nullptr;
  if (impl_->machine->addPassesToEmitMC(passes, mc, stream, /*DisableVerify=*/true)) {
    error_ = "no code generator";
    return nullptr;
  }
  passes.run(module);

  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef({object.data(), object.size()}, "terms"));
  if (!file) {
    error_ = llvm::toString(file.takeError());
    return nullptr;
  }
  if (!impl_->memory.reset(options_.memoryBytes)) {
    error_ = "no memory for code";
    return nullptr;
  }
  NoSymbols symbols;
  llvm::RuntimeDyld linker(impl_->memory, symbols);
  linker.loadObject(**file);
  impl_->memory.mapSections(linker);
  linker.resolveRelocations();
  if (linker.hasError()) {
    error_ = linker.getErrorString().str();
    return nullptr;
  }
  terms_.functions_.clear();
  terms_.places_.clear();
  for (size_t i = 0; i < groups.size(); ++i) {
    const uint64_t address = linker.getSymbol(functionName(i)).getAddress();
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the linker knows addresses only
    terms_.functions_.push_back(reinterpret_cast<TermFunction>(address));
    terms_.places_.push_back(impl_->memory.place(address));
  }
  terms_.code_ = impl_->memory.contents();
  terms_.calls_ = &impl_->calls;
  return &terms_;
}

} // namespace fathom::jit
