// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Scope.h"

#include "program/Load.h"
#include "program/SourceNames.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace fathom::repair {

using namespace llvm;

/// Relative names are meant from where the compiler ran.
static std::string absolute(StringRef directory, StringRef file) {
  SmallString<256> path;
  if (!sys::path::is_absolute(file)) path = directory;
  sys::path::append(path, file);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

static std::string fileOf(const DIScope &scope) {
  return absolute(scope.getDirectory(), scope.getFilename());
}

static std::string plain(const std::string &file) {
  SmallString<256> path(file);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// From the inside out, to the function.
static std::vector<const DILocalScope *> scopesOf(const DILocalScope *scope) {
  std::vector<const DILocalScope *> out;
  while (scope) {
    out.push_back(scope->getNonLexicalBlockFileScope());
    const auto *block = dyn_cast<DILexicalBlockBase>(scope);
    scope = block ? block->getScope() : nullptr;
  }
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

namespace {

struct Found {
  const Function *function = nullptr;
  const DILocalScope *scope = nullptr; ///< the outermost with code at the line
  std::vector<const DILocalScope *> scopes;
};

} // namespace

static std::optional<Found> find(const Module &module, const std::string &file, uint32_t line) {
  std::optional<Found> out;
  for (const Function &function : module) {
    if (!program::isOwnFunction(function) || !function.getSubprogram()) continue;
    for (const Instruction &inst : instructions(function)) {
      const DebugLoc &at = inst.getDebugLoc();
      if (!at || at.getLine() != line) continue;
      const auto *scope = dyn_cast<DILocalScope>(at.getScope());
      if (!scope || !namesFile(plain(file), fileOf(*scope))) continue;
      std::vector<const DILocalScope *> scopes = scopesOf(scope);
      if (!out || scopes.size() < out->scopes.size())
        out = Found{&function, scope, std::move(scopes)};
    }
    if (out) return out;
  }
  return out;
}

/// A variable of `for (int i = 0; ...)` can be read on its own line.
static bool isDeclaredBefore(const DILocalVariable &variable, uint32_t line) {
  if (variable.getLine() != line) return variable.getLine() < line;
  const auto *block = dyn_cast<DILexicalBlock>(variable.getScope()->getNonLexicalBlockFileScope());
  return variable.isParameter() || (block && block->getLine() == line);
}

std::optional<PlaceScope> scopeAt(Module &module, const std::string &file, uint32_t line) {
  const std::optional<Found> found = find(module, file, line);
  if (!found) return std::nullopt;
  PlaceScope out{fileOf(*found->scope), found->function->getName().str(), {}};

  // By depth of the scope, so that inner ones hide outer ones.
  std::vector<std::tuple<size_t, size_t, const DILocalVariable *>> locals;
  for (Instruction &inst : module.getFunction(found->function->getName())->getEntryBlock()) {
    auto *alloca = dyn_cast<AllocaInst>(&inst);
    const DILocalVariable *variable = alloca ? program::localVariable(*alloca) : nullptr;
    if (!variable || !isDeclaredBefore(*variable, line)) continue;
    const auto at = std::find(found->scopes.begin(), found->scopes.end(),
                              variable->getScope()->getNonLexicalBlockFileScope());
    if (at != found->scopes.end())
      locals.emplace_back(static_cast<size_t>(at - found->scopes.begin()), locals.size(), variable);
  }
  std::sort(locals.begin(), locals.end());
  std::set<std::string> names;
  for (const auto &[depth, order, variable] : locals)
    if (names.insert(variable->getName().str()).second && program::integerSign(*variable))
      out.variables.push_back(variable->getName().str());

  for (const GlobalVariable &global : module.globals()) {
    SmallVector<DIGlobalVariableExpression *, 1> described;
    global.getDebugInfo(described);
    for (const DIGlobalVariableExpression *expression : described) {
      const DIGlobalVariable &variable = *expression->getVariable();
      const std::string name = variable.getName().str();
      if (isa_and_nonnull<DILocalScope>(variable.getScope()) || variable.getLine() >= line ||
          absolute(variable.getDirectory(), variable.getFilename()) != out.file ||
          !program::integerSign(variable) || !names.insert(name).second)
        continue;
      out.variables.push_back(name);
    }
  }
  return out;
}

std::vector<std::string> ownSources(const Module &module) {
  std::set<std::string> out;
  for (const Function &function : module)
    if (const DISubprogram *subprogram = function.getSubprogram();
        subprogram && !function.isDeclaration() && program::isOwnFunction(function))
      if (const DICompileUnit *unit = subprogram->getUnit())
        out.insert(absolute(unit->getDirectory(), unit->getFilename()));
  return {out.begin(), out.end()};
}

std::string functionAround(const Module &module, const std::string &file, uint32_t line) {
  const Function *best = nullptr;
  uint32_t bestFirst = 0;
  for (const Function &function : module) {
    const DISubprogram *subprogram = function.getSubprogram();
    if (!subprogram || function.isDeclaration() || !program::isOwnFunction(function) ||
        !namesFile(plain(file), fileOf(*subprogram)))
      continue;
    uint32_t last = subprogram->getLine();
    for (const Instruction &inst : instructions(function))
      if (const DebugLoc &at = inst.getDebugLoc()) last = std::max(last, uint32_t(at.getLine()));
    if (subprogram->getLine() <= line && line <= last && subprogram->getLine() >= bestFirst) {
      best = &function;
      bestFirst = subprogram->getLine();
    }
  }
  return best ? best->getName().str() : "";
}

} // namespace fathom::repair
