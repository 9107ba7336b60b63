// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call does to the caller's state.
#include "statics/abstract/Analyser.h"

#include <algorithm>

namespace fathom::statics::abstract {

namespace {

/// Limit of nested settle() calls, since each uses our own stack. Beyond it, a call uses the exit
/// that an open analysis has so far.
constexpr unsigned kMaxNested = 200;

} // namespace

void Analyser::call(const CallSite &site, State state, States &out) {
  const Statement &s = site.s;
  const auto outside = [&](State from, bool isUnknown) {
    callOutside(s, from, isUnknown);
    out.add(std::move(from), mostParts());
  };
  if (!s.isIndirect) {
    if (s.callee == kNoId || program_.functions[s.callee].blocks.empty())
      return outside(std::move(state), /*isUnknown=*/false);
    return callOne(site, s.callee, std::move(state), out);
  }
  const Value target = state.value(s.a, true);
  std::vector<FunctionId> callees;
  bool isKnown = target.bases.has_value();
  if (isKnown)
    for (const ObjectId base : *target.bases) {
      if (base == kNull) continue; // a call of null ends the execution
      if (base == kAbsolute || program_.objects[base].kind != Object::Kind::Function)
        isKnown = false;
      else
        callees.push_back(program_.objects[base].function);
    }
  if (!isKnown) return outside(std::move(state), /*isUnknown=*/true);
  for (const FunctionId callee : callees) {
    if (program_.functions[callee].blocks.empty())
      outside(state, /*isUnknown=*/false);
    else
      callOne(site, callee, state, out);
  }
}

/// A call of a function without a body, or of an unknown one.
void Analyser::callOutside(const Statement &s, State &state, bool isUnknown) {
  if (s.touchesMemory || isUnknown) {
    memory_.scrambleEscaped(state);
    // It may call back.
    if (!calls_.addressTaken().empty()) forgetEffectsOf(state, calls_.addressTaken());
    if (!isAlone_)
      for (const FunctionId f : calls_.addressTaken()) growEntry(f, unknownState());
  }
  if (s.dst != kNoId) state.forget(s.dst);
}

void Analyser::callOne(const CallSite &site, FunctionId callee, State state, States &out) {
  if (isAlone_) {
    forgetEffectsOf(state, {callee});
    memory_.scrambleEscaped(state);
    if (site.s.dst != kNoId) state.forget(site.s.dst);
    return out.add(std::move(state), 1);
  }
  // Copies have the variables of their original in common.
  const FunctionId original = program_.originalOf(callee);
  const bool isActive = std::any_of(stack_.begin(), stack_.end(), [&](const Instance *instance) {
    return program_.originalOf(instance->function) == original;
  });
  if (!isActive && calls_.isFollowed(callee) && stack_.size() <= options_.mostCalls)
    return callFollowed(site, callee, state, out);
  callShared(site, callee, state);
  out.add(std::move(state), mostParts());
}

/// Assigns the arguments to the parameters in parallel: in a recursive call, arguments may read
/// parameters, such as f(n, m) in f(m, n).
void Analyser::passArguments(const Statement &s, FunctionId callee, State &state) const {
  const Function &function = program_.functions[callee];
  std::vector<EdgeAssignment> passed;
  for (size_t p = 0; p < function.parameters.size(); ++p) {
    const VarId parameter = function.parameters[p];
    const Variable &variable = program_.variables[parameter];
    const bool isKnown = p < s.arguments.size() && s.arguments[p].width == variable.width &&
                         bool(s.argumentIsAddress[p]) == variable.isAddress;
    passed.push_back({.dst = parameter,
                      .value = isKnown ? s.arguments[p] : Operand{},
                      .isAddress = variable.isAddress,
                      .isUnknown = !isKnown});
  }
  Transfer::assignTogether(state, passed);
}

void Analyser::takeResult(const Statement &s, FunctionId callee, State &state) const {
  const Function &function = program_.functions[callee];
  if (s.dst != kNoId) {
    const bool isSame = function.result != kNoId && program_.variables[function.result].width ==
                                                        program_.variables[s.dst].width;
    if (isSame)
      state.copy(s.dst, Operand::of(function.result, s.width),
                 program_.variables[function.result].isAddress);
    else
      state.forget(s.dst);
  }
  if (function.result != kNoId) state.forget(function.result);
}

void Analyser::callFollowed(const CallSite &site, FunctionId callee, const State &state,
                            States &out) {
  std::unique_ptr<Instance> &slot = site.caller.calls[{site.block, site.statement, callee}];
  if (!slot)
    slot = std::make_unique<Instance>(callee, bottom(), program_.functions[callee].blocks.size());
  Instance &instance = *slot;
  State entry = state;
  passArguments(site.s, callee, entry);
  solve(instance, entry);
  if (site.recording) record(instance);
  for (State after : instance.exit) {
    takeResult(site.s, callee, after);
    out.add(std::move(after), mostParts());
  }
}

void Analyser::callShared(const CallSite &site, FunctionId callee, State &state) {
  if (site.recording) ++result_.callsShared;
  const Function &function = program_.functions[callee];
  // What the callee can touch, and its arguments. The caller may be the callee itself: its own
  // variables are not those of the call.
  State entry = state;
  std::vector<VarId> parameters = function.parameters;
  std::sort(parameters.begin(), parameters.end());
  passArguments(site.s, callee, entry);
  Boundary in = calls_.entryOf(callee);
  in.variables = parameters;
  // A variable of a recursive function is one object here, and several in an execution: a pointer
  // to one of them must not be taken for one to the callee's own.
  if (calls_.isRecursive(callee) && recursiveStack_.any()) in.hidden = &recursiveStack_;
  entry.keepInside(in);
  growEntry(callee, entry);
  SharedAnalysis &shared = sharedOf(callee);
  shared.readers.insert(current_);
  if (shared.isOpen && !shared.isActive && nested_ < kMaxNested) settle(callee);
  for (Instance *caller : stack_) caller->readsShared = true;
  used_[{&site.caller, site.block, site.statement, callee}] = shared.version;
  State after = shared.exit;
  Boundary out = calls_.exitOf(callee);
  if (function.result != kNoId) out.variables = {function.result};
  after.takeOutside(state, out);
  state = std::move(after);
  takeResult(site.s, callee, state);
}

/// Forgets what the functions, or what they call, may change.
void Analyser::forgetEffectsOf(State &state, const std::vector<FunctionId> &functions) {
  const Touched &touched = calls_.touchedBy(functions);
  for (const ObjectId object : touched.ownObjects) memory_.scramble(state, object);
  state.unmade.keepIf(kNoId, [&](ObjectId object) { return !touched.objects.test(object); });
  for (const VarId size : touched.sizes) {
    state.forget(size);
    state.setWritten(size);
  }
}

} // namespace fathom::statics::abstract
