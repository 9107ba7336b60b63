// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/LinkRuntime.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fathom::program {
namespace {

/// Keeps what the linker has to say, which it otherwise prints.
struct Collector : DiagnosticHandler {
  explicit Collector(std::string &text) : text(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error || !text.empty()) return true;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }
  std::string &text;
};

/// A definition the program has as well: leave only the declaration, so that uses in the runtime
/// mean the program's.
void dropBody(GlobalValue &value) {
  if (auto *f = dyn_cast<Function>(&value)) {
    f->deleteBody();
    f->setComdat(nullptr);
  } else if (auto *g = dyn_cast<GlobalVariable>(&value)) {
    g->setInitializer(nullptr);
    g->setLinkage(GlobalValue::ExternalLinkage);
    g->setComdat(nullptr);
  }
}

} // namespace

Error linkRuntime(Module &program, std::unique_ptr<Module> runtime) {
  for (Function &f : *runtime)
    if (!f.isDeclaration()) f.addFnAttr("fathom-runtime");
  auto isStrongInProgram = [&](const GlobalValue &value) {
    if (value.hasLocalLinkage() || value.isDeclaration()) return false;
    const GlobalValue *other = program.getNamedValue(value.getName());
    return other && !other->isDeclaration() && !other->hasLocalLinkage() &&
           !other->isInterposable();
  };
  for (Function &f : *runtime)
    if (isStrongInProgram(f)) dropBody(f);
  for (GlobalVariable &g : runtime->globals())
    if (isStrongInProgram(g) && !g.hasAppendingLinkage()) dropBody(g);

  // How the two were compiled (PIC, unwind tables, ...) does not matter here, and must not
  // conflict. The version of the debug information does: without it, the runtime's would be
  // dropped.
  if (NamedMDNode *flags = runtime->getModuleFlagsMetadata()) flags->eraseFromParent();
  if (!program.getModuleFlag("Debug Info Version"))
    program.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  runtime->setTargetTriple(program.getTargetTriple());
  runtime->setDataLayout(program.getDataLayout());

  LLVMContext &context = program.getContext();
  std::string text;
  std::unique_ptr<DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Collector>(text));
  const std::string name = runtime->getModuleIdentifier();
  bool failed = Linker::linkModules(program, std::move(runtime));
  context.setDiagnosticHandler(std::move(before));
  if (failed)
    return createStringError(inconvertibleErrorCode(), "'" + name + "' cannot be linked into '" +
                                                           program.getModuleIdentifier() +
                                                           "': " + text);
  return Error::success();
}

} // namespace fathom::program
