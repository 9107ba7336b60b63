// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PspAlarms.h"

#include "ScanBudget.h"

#include "statics/translate/Translate.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace fathom::tool {

using namespace statics::abstract;

ScannedProgram::ScannedProgram(const ScanFlags &flags, Context &context) {
  ScanBudget budget(flags.common, context);
  budget.begin("reading the program");
  llvm::LLVMContext llvmContext;
  const std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, flags);
  budget.begin("abstract interpretation");
  program = statics::translate(*module, {});
  result = analyse(program, {}, [&] { return budget.share(); });
  budget.finish();
}

std::vector<Finding> ScannedProgram::alarms() const {
  std::vector<Finding> out;
  for (Finding &f : findingsOf(program, result)) {
    if (f.verdict != Verdict::Alarm && f.verdict != Verdict::Definite) continue;
    // An analysis that its budget ended has no states for what it never got to.
    std::erase_if(f.checks, [&](CheckId id) {
      const std::optional<State> &state = result.checks[id].state;
      return state ? state->isBottom() : !result.isPartial;
    });
    out.push_back(std::move(f));
  }
  return out;
}

campaign::PointKind pointKindOf(CheckKind kind) {
  switch (kind) {
  case CheckKind::Bounds: return campaign::PointKind::Access;
  case CheckKind::Division: return campaign::PointKind::Division;
  default: return campaign::PointKind::Assertion;
  }
}

std::set<campaign::PointPlace> placesOf(const ScannedProgram &scanned) {
  std::set<campaign::PointPlace> out;
  for (const Finding &f : scanned.alarms())
    for (const CheckId id : f.checks) {
      const Check &check = scanned.program.checks[id];
      if (check.line)
        out.insert({pointKindOf(check.kind), scanned.program.functions[check.function].name,
                    check.line, check.column});
    }
  return out;
}

} // namespace fathom::tool
