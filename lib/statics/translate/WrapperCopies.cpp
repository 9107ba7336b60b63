// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/translate/WrapperCopies.h"

#include "statics/abstract/CallCycles.h"
#include "statics/front/WrapperLimits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::statics {

using namespace abstract;

namespace {

enum class Wrapper : uint8_t {
  Unknown,
  No,
  Passes, ///< returns its parameters
  Allocates,
};

/// By function, those that it calls by their names.
std::vector<std::vector<FunctionId>> calleesIn(const AbstractProgram &program) {
  std::vector<std::vector<FunctionId>> out;
  for (const Function &function : program.functions) {
    std::set<FunctionId> found;
    for (const Block &block : function.blocks)
      for (const Statement &s : block.statements)
        if (s.kind == StatementKind::Call && s.callee != kNoId) found.insert(s.callee);
    out.emplace_back(found.begin(), found.end());
  }
  return out;
}

/// Which functions return new memory, null or their parameters only, and do not call themselves by
/// name.
class Finder {
public:
  explicit Finder(const AbstractProgram &program)
      : program_(program), kind_(program.functions.size(), Wrapper::Unknown) {
    const CallCycles cycles = cyclesOf(calleesIn(program));
    for (const unsigned f : cycles.recursive.set_bits()) kind_[f] = Wrapper::No;
  }

  /// The kind of the function; a copy has the kind of its original.
  Wrapper kindOf(FunctionId id) {
    id = program_.originalOf(id);
    if (kind_[id] == Wrapper::Unknown) kind_[id] = look(program_.functions[id]);
    return kind_[id];
  }

private:
  struct Definitions {
    std::vector<const Statement *> statements;
    std::vector<const EdgeAssignment *> edges;
  };

  Wrapper look(const Function &f) {
    if (f.blocks.empty() || f.result == kNoId || !program_.variables[f.result].isAddress)
      return Wrapper::No;
    size_t statements = 0;
    for (const Block &block : f.blocks) statements += block.statements.size();
    if (statements > kMaxInWrapper) return Wrapper::No;
    llvm::DenseMap<VarId, Definitions> definitions;
    std::vector<Operand> open;
    for (const Block &block : f.blocks) {
      for (const Statement &s : block.statements)
        if (s.dst != kNoId) definitions[s.dst].statements.push_back(&s);
      for (const Edge &edge : block.successors)
        for (const EdgeAssignment &x : edge.assignments) definitions[x.dst].edges.push_back(&x);
      if (!block.returns) continue;
      if (!block.returned) return Wrapper::No;
      open.push_back(*block.returned);
    }
    bool allocates = false, passes = false;
    std::set<VarId> seen;
    while (!open.empty()) {
      const Operand value = open.back();
      open.pop_back();
      if (value.isConstant() || !seen.insert(value.var).second) continue;
      if (std::ranges::find(f.parameters, value.var) != f.parameters.end()) {
        passes = true;
        continue;
      }
      const auto known = definitions.find(value.var);
      if (known == definitions.end()) return Wrapper::No;
      for (const Statement *s : known->second.statements)
        if (!follow(*s, open, allocates)) return Wrapper::No;
      for (const EdgeAssignment *x : known->second.edges) {
        if (x->isUnknown) return Wrapper::No;
        open.push_back(x->value);
      }
    }
    if (allocates) return Wrapper::Allocates;
    return passes && statements <= kMaxInPassing ? Wrapper::Passes : Wrapper::No;
  }

  bool follow(const Statement &s, std::vector<Operand> &open, bool &allocates) {
    switch (s.kind) {
    case StatementKind::Allocate: return allocates = true;
    case StatementKind::Assign:
    case StatementKind::Shift: // space for a header
      open.push_back(s.a);
      return true;
    case StatementKind::Select:
      open.push_back(s.a);
      open.push_back(s.b);
      return true;
    case StatementKind::Call: break;
    default: return false;
    }
    if (s.isIndirect || s.callee == kNoId) return false;
    const Wrapper callee = kindOf(s.callee);
    if (callee == Wrapper::Passes)
      for (size_t i = 0; i < s.arguments.size(); i++)
        if (s.argumentIsAddress[i]) open.push_back(s.arguments[i]);
    allocates |= callee == Wrapper::Allocates;
    return callee >= Wrapper::Passes;
  }

  const AbstractProgram &program_;
  std::vector<Wrapper> kind_;
};

class Copier {
public:
  Copier(ModuleTranslator &module, const std::vector<NamedCall> &calls,
         const llvm::DenseMap<ObjectId, const llvm::CallBase *> &made)
      : module_(module), program_(module.program), calls_(calls), made_(made), finder_(program_),
        callsIn_(program_.functions.size()) {}

  void run() {
    for (const NamedCall &call : calls_) callsIn_[call.caller].push_back(&call);
    // Those that allocate come first: without them nothing is told apart.
    for (const Wrapper kind : {Wrapper::Allocates, Wrapper::Passes})
      for (const NamedCall &call : calls_) {
        // Calls in a wrapper have their copies in its copies.
        if (finder_.kindOf(call.caller) >= Wrapper::Passes) continue;
        const FunctionId callee = statementOf(call, call.caller).callee;
        if (program_.functions[callee].copyOf == kNoId && finder_.kindOf(callee) == kind)
          copy(call, call.caller,
               Outer{.call = call.at, .isOnce = module_.runsOnce(*call.at->getParent())});
      }
  }

private:
  /// What is known where a copy is called.
  struct Outer {
    const llvm::CallBase *call;                ///< of the outermost wrapper
    bool isOnce;                               ///< control comes there at most once in an execution
    llvm::DenseMap<VarId, uint64_t> numbers{}; ///< variables of the caller that are constants
    unsigned nested = 0;
  };

  Statement &statementOf(const NamedCall &call, FunctionId caller) {
    return program_.functions[caller].blocks[call.block].statements[call.statement];
  }

  /// \param caller  the function of the call, or a copy of it.
  void copy(const NamedCall &call, FunctionId caller, const Outer &outer) {
    const FunctionId original = statementOf(call, caller).callee;
    if (copies_ == kMaxWrapperCopies || outer.nested == kMaxNestedWrappers ||
        finder_.kindOf(original) < Wrapper::Passes)
      return;
    copies_++;
    const auto id = static_cast<FunctionId>(program_.functions.size());
    Function made = program_.functions[original];
    made.copyOf = original;
    made.addressTaken = false;
    Statement &statement = statementOf(call, caller);
    statement.callee = id;
    Outer inside = outer;
    inside.nested++;
    inside.numbers = numbersOf(statement, made, outer);
    giveObjects(made, id, inside);
    program_.functions.push_back(std::move(made));
    for (const NamedCall *inner : callsIn_[original]) {
      Outer there = inside;
      there.isOnce = inside.isOnce && !module_.isInLoop(*inner->at->getParent());
      copy(*inner, id, there);
    }
  }

  llvm::DenseMap<VarId, uint64_t> numbersOf(const Statement &call, const Function &callee,
                                            const Outer &outer) const {
    llvm::DenseMap<VarId, uint64_t> out;
    for (size_t i = 0; i < callee.parameters.size() && i < call.arguments.size(); i++) {
      const Operand &argument = call.arguments[i];
      if (argument.width != program_.variables[callee.parameters[i]].width) continue;
      if (argument.isConstant())
        out[callee.parameters[i]] = argument.constant;
      else if (const auto known = outer.numbers.find(argument.var); known != outer.numbers.end())
        out[callee.parameters[i]] = known->second;
    }
    return out;
  }

  /// Objects of its own, instead of those of the original.
  void giveObjects(Function &made, FunctionId id, const Outer &inside) {
    llvm::DenseMap<ObjectId, ObjectId> own;
    for (Block &block : made.blocks)
      for (Statement &s : block.statements) {
        if (s.object == kNoId) continue;
        const Object &object = program_.objects[s.object];
        const bool isLocal =
            object.kind == Object::Kind::Stack || object.kind == Object::Kind::Heap;
        if (!isLocal || object.function != made.copyOf) continue;
        const auto [known, isNew] = own.try_emplace(s.object, kNoId);
        if (isNew) known->second = addObject(s, id, inside);
        s.object = known->second;
      }
  }

  ObjectId addObject(const Statement &s, FunctionId id, const Outer &inside) {
    Object object = program_.objects[s.object];
    object.function = id;
    if (object.kind == Object::Kind::Heap) {
      const llvm::CallBase *at = made_.lookup(s.object);
      object.isSummary = !inside.isOnce || !at || module_.isInLoop(*at->getParent());
      object.name =
          fmt::format("{} at line {}", inside.call->getCalledFunction()->getName().str(),
                      inside.call->getDebugLoc() ? inside.call->getDebugLoc().getLine() : 0);
      if (!s.a.isConstant())
        if (const auto known = inside.numbers.find(s.a.var); known != inside.numbers.end()) {
          object.sizeBytes = known->second;
          object.sizeVar = kNoId;
        }
      Object shown;
      shown.sizeBytes = object.sizeBytes;
      describeHeap(module_, *inside.call, shown);
      if (shown.elementBytes || !shown.leaves.empty()) {
        object.elementBytes = shown.elementBytes;
        object.leaves = std::move(shown.leaves);
      }
    }
    if (object.sizeVar != kNoId)
      object.sizeVar = program_.newVariable("size of " + object.name, 64, false);
    return module_.addObject(std::move(object));
  }

  ModuleTranslator &module_;
  AbstractProgram &program_;
  const std::vector<NamedCall> &calls_;
  const llvm::DenseMap<ObjectId, const llvm::CallBase *> &made_;
  Finder finder_;
  std::vector<std::vector<const NamedCall *>> callsIn_; ///< by function
  size_t copies_ = 0;
};

} // namespace

void copyWrappers(ModuleTranslator &module, const std::vector<NamedCall> &calls,
                  const llvm::DenseMap<ObjectId, const llvm::CallBase *> &made) {
  Copier(module, calls, made).run();
}

} // namespace fathom::statics
