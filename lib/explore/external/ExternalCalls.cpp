// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// External operations: functions whose code the program does not have, and those that the user
// wants to be treated like them (--external-functions). They run natively, in a child process
// (ExternalServer.h). ExternalPolicy.h decides what becomes of symbolic arguments and of results,
// and Symcretes.h answers queries about results later.
//
// A function that has code and is given nothing symbolic is simply interpreted, and so is one that
// cannot be executed from outside: it calls back, it allocates, its arguments are wrong. Inline
// assembly that was made a function (program/OutlineAssembly.cpp) has code only there: it is
// executed in any case.
#include "explore/external/ExternalCalls.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/BugReports.h"
#include "explore/decide/Executor.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/Places.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Symbols.h"
#include "explore/decide/Witnesses.h"
#include "explore/external/CallCapture.h"
#include "explore/external/ExternalServer.h"
#include "explore/external/ForeignCode.h"
#include "explore/external/Symcretes.h"

#include "fmt/format.h"

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;
using native::ExternalType;
using Sig = ExternalSignature;

static const std::string &shown(const External &callee) {
  return callee.assembly.empty() ? callee.name : callee.assembly;
}

bool ExternalCalls::externalCall(State &s, const External &callee, const uint32_t *args,
                                 uint32_t numArgs) {
  const bool hasBody = callee.body != kNoIndex, isAssembly = !callee.assembly.empty();
  auto giveUp = [&](const std::string &why) {
    ledger_.add(isAssembly ? LedgerCategory::UnsupportedInstruction : LedgerCategory::ExternalCall,
                places_.where(s), fmt::format("call of {}: {}: the path ends", shown(callee), why));
    ends_.endPath(s, EndKind::Partial, 0,
                  fmt::format("partial: call of {}: {}", shown(callee), why));
    return false;
  };
  if (!hasBody && !isAssembly && options_.libraries.empty()) {
    stats_.externalCalls++;
    return giveUp("it has no code, and no library was named (--load)");
  }
  if (callee.varArg && !hasBody && !foreign_.policy.effects.find(callee.name)) {
    stats_.externalCalls++;
    return giveUp("variable arguments cannot be passed to a foreign function");
  }
  ExternalCall call;
  std::string why;
  switch (capture_.captureCall(s, callee, args, numArgs, call, why)) {
  case Capture::Done: break;
  case Capture::Again: return decisions_.again(s);
  case Capture::Ended: return false;
  case Capture::Refused:
    if (hasBody) return executor_.interpretCall(s, callee);
    stats_.externalCalls++;
    return giveUp(why);
  }
  if (hasBody && call.symbolic.empty()) return executor_.interpretCall(s, callee);

  stats_.externalCalls++;
  s.usesExternal = true;
  auto operation = foreign_.server.operation(call.signature);
  std::vector<uint8_t> in = call.bytes;
  for (auto &[place, term] : call.symbolic)
    in[place] = static_cast<uint8_t>(witnesses_.witnessValue(s, term));
  std::vector<uint8_t> out = externalOutput(s, *operation, in);
  const auto status = static_cast<ExternalStatus>(out[Sig::kStatusAt]);

  const bool deferred = foreign_.policy.defers() && !call.symbolic.empty();
  ExprPtr apply = nullptr;
  auto statusIs = [&](ExternalStatus of) {
    return ctx_.eq(ctx_.read(apply, Sig::kStatusAt), ctx_.constant(static_cast<uint64_t>(of), 8));
  };
  if (deferred) {
    ExprPtr input = ctx_.constArray(call.bytes);
    for (auto &[place, term] : call.symbolic)
      input = ctx_.store(input, ctx_.constant(place, 64), term);
    // From here on the state also keeps its exact path condition: over the inputs, with
    // applications of operations instead of the symbols for their results.
    if (!foreign_.policy.isExact() && !s.hasExact) {
      s.exact = s.path;
      s.hasExact = true;
    }
    apply = ctx_.apply(operation, symcretes_.exactTerm(s, input));
  }
  if (status != ExternalStatus::Returned) {
    noteExternalFault(s, callee, status, foreign_.server.detail(*operation, in),
                      apply ? statusIs(status) : nullptr);
    if (stepContext_.cut) return false;
    if (stepContext_.sinkFailed || !deferred) return endAfterFault(s, callee, status);
  }
  if (deferred) {
    ExprPtr returned = statusIs(ExternalStatus::Returned); // see ExternalOperation.h
    if (status != ExternalStatus::Returned) {
      // Other inputs may fare better, and those are looked for.
      std::shared_ptr<const expr::Model> model;
      if (symcretes_.feasibleExactly(s, returned, model) != Feasible::Yes)
        return endAfterFault(s, callee, status);
      stats_.pathsTerminatedEarly++;
      symcretes_.assumeExactly(s, returned, model);
    } else {
      symcretes_.assumeExactly(s, returned, s.witness);
    }
    // A pointer into the library's memory is nothing to reason about: it is pinned.
    const bool isForeign = pinForeignPointer(s, *operation, apply);
    ExprPtr results = apply;
    if (!foreign_.policy.isExact()) results = symcretes_.addSymcrete(s, apply);
    stats_.deferredCalls++;
    stats_.symcretes += apply->operation().outputBytes;
    takeResults(s, callee, call, [&](uint64_t i) {
      ExprPtr byte = ctx_.read(results, i);
      return isForeign && i < Sig::kFixed ? ctx_.constant(witnesses_.witnessValue(s, byte), 8)
                                          : byte;
    });
  } else if (foreign_.policy.mode == ExternalMode::SymbolicReturn && !call.symbolic.empty()) {
    ledger_.add(LedgerCategory::ExternalCall, places_.where(s),
                fmt::format("{} was run natively; its result was replaced by a symbolic value",
                            shown(callee)));
    ExprPtr symbol = symbols_.symbolFor(s, "external_" + callee.name, out.size());
    symbols_.addSymbolWithValues(s, symbol, out);
    s.results.push({symbol, nullptr});
    const bool isForeign = out[Sig::kBlockAt] == Sig::kForeignBlock;
    takeResults(s, callee, call, [&](uint64_t i) {
      return isForeign && i < Sig::kFixed ? ctx_.constant(out[i], 8) : ctx_.read(symbol, i);
    });
  } else {
    if (foreign_.policy.mode == ExternalMode::ConcretizeStrict)
      for (auto &[place, term] : call.symbolic)
        feasibility_.assume(s, ctx_.eq(term, ctx_.constant(in[place], 8)), s.witness);
    else if (!call.symbolic.empty() && !s.guessesResults) {
      const bool guesses = canBeOther(s, call.symbolic, in);
      if (stepContext_.cut) return false;
      s.guessesResults = guesses;
      if (!guesses) { // nothing is left out
        call.bytes = in;
        call.symbolic.clear();
      }
    }
    if (!call.symbolic.empty()) stats_.concretizations++;
    // Assembly with concrete operands has one result, so nothing is lost.
    if (!isAssembly || !call.symbolic.empty())
      ledger_.add(
          LedgerCategory::ExternalCall, places_.where(s),
          fmt::format("{} was run natively{}", shown(callee),
                      call.symbolic.empty() ? "" : " with one possible value of its arguments"));
    takeResults(s, callee, call, [&](uint64_t i) { return ctx_.constant(out[i], 8); }, &in, &out);
  }
  capture_.noteStatefulCall(s, call, deferred, in);
  s.ip++;
  interpreter_.state = &s;
  interpreter_.coverage.coverAfterCall(s, s.ip);
  return true;
}

/// Whether these bytes of a call can have other values on this path than in `in`.
bool ExternalCalls::canBeOther(State &s, std::span<const std::pair<uint64_t, ExprPtr>> bytes,
                               std::span<const uint8_t> in) {
  ExprPtr others = ctx_.falseExpr();
  for (auto &[place, term] : bytes)
    others = ctx_.bvOr(ctx_.ne(term, ctx_.constant(in[place], 8)), others);
  std::shared_ptr<const expr::Model> model;
  return feasibility_.probe(s, others, model, LossIfUnknown::Nothing) != Feasible::No;
}

/// If the call returned a pointer into the library's own memory, adds to the path that it is this
/// pointer, with a ledger entry, and returns true.
bool ExternalCalls::pinForeignPointer(State &s, const expr::ExternalOperation &operation,
                                      ExprPtr apply) {
  if (witnesses_.witnessValue(s, ctx_.read(apply, Sig::kBlockAt)) != Sig::kForeignBlock)
    return false;
  for (uint64_t i = Sig::kBlockAt; i < Sig::kFixed; i++) {
    ExprPtr byte = ctx_.read(apply, i);
    symcretes_.assumeExactly(s, ctx_.eq(byte, ctx_.constant(witnesses_.witnessValue(s, byte), 8)),
                             s.witness);
  }
  ledger_.add(LedgerCategory::ConcretizedValue, places_.where(s),
              fmt::format("the pointer into a library's memory that {} returned", operation.name));
  return true;
}

/// Executes the operation and logs its output. When a log is replayed, takes the output from there,
/// and the server remembers it, so that the operation need not be executed again.
std::vector<uint8_t> ExternalCalls::externalOutput(State &s, expr::ExternalOperation &operation,
                                                   const std::vector<uint8_t> &in) {
  std::vector<uint8_t> out(operation.outputBytes, 0);
  if (!s.replayedLog) operation.apply(in, out);
  const bool isReplay = s.replayedLog != nullptr;
  size_t used = out.size();
  while (used && !out[used - 1]) used--;
  used = follower_.logged(s, Record::Environment, [&] { return used; });
  if (used > out.size()) return out; // no log of this program
  for (size_t i = 0; i < used; i++)
    out[i] = static_cast<uint8_t>(follower_.logged(s, Record::Environment, [&] { return out[i]; }));
  if (isReplay) foreign_.server.remember(operation, in, out);
  return out;
}

void ExternalCalls::noteExternalFault(State &s, const External &callee, ExternalStatus status,
                                      int detail, ExprPtr condition) {
  std::string what = fmt::format("{} {}", shown(callee), text(status));
  if (status == ExternalStatus::Crashed) what += fmt::format(" with signal {}", detail);
  if (status == ExternalStatus::Exited) what += fmt::format(" with status {}", detail);
  const bool isCrash = status == ExternalStatus::Crashed || status == ExternalStatus::WroteOutside;
  std::string arguments;
  for (const ExternalFault &f : foreign_.server.takeFaults())
    if (f.function == callee.name && f.status == status) arguments = f.arguments;
  if (!arguments.empty()) what += " on " + arguments;
  if (isCrash)
    bugs_.report(s, evidence::BugKind::ExternalCrash, what, s.witness, nullptr, condition);
  ledger_.add(LedgerCategory::ExternalFault, places_.where(s), what);
}

bool ExternalCalls::endAfterFault(State &s, const External &callee, ExternalStatus status) {
  if (stepContext_.sinkFailed) return false;
  // A bug was reported, and the path ends by it.
  if (status == ExternalStatus::Crashed || status == ExternalStatus::WroteOutside) return false;
  const std::string why = fmt::format("call of {}: it {}", shown(callee), text(status));
  ledger_.add(LedgerCategory::ExternalCall, places_.where(s), why + ": the path ends");
  ends_.endPath(s, EndKind::Partial, 0, "partial: " + why);
  return false;
}

void ExternalCalls::addExternalStats(Stats &stats) const {
  const ExternalStats &e = foreign_.server.stats();
  stats.externalExecuted = e.executed;
  stats.externalValidated = e.validated;
  stats.externalDisagreements = e.disagreements;
  stats.externalSeconds = e.seconds;
  stats.externalFaults = e.executed - e.byStatus[static_cast<size_t>(ExternalStatus::Returned)];
}

/// The `bytes` bytes of the output from `at` on as one term, in little-endian order.
template <typename ByteAt>
static ExprPtr wordOf(expr::ExprContext &c, ByteAt byteAt, uint64_t at, unsigned bytes) {
  ExprPtr e = byteAt(at);
  for (unsigned i = 1; i < bytes; i++) e = c.concat(byteAt(at + i), e);
  return e;
}

/// byteAt(i): byte i of the operation's output. before, after: a concrete execution, of which only
/// bytes that changed are written.
template <typename ByteAt>
void ExternalCalls::takeResults(State &s, const External &callee, const ExternalCall &call,
                                ByteAt byteAt, const std::vector<uint8_t> *before,
                                const std::vector<uint8_t> *after) {
  const Sig &f = call.signature;
  for (size_t b = 0; b < f.blocks.size(); b++) {
    if (!f.blocks[b].written) continue;
    for (uint64_t i = 0; i < f.blocks[b].size; i++) {
      const uint64_t from = f.contentsAt(b) + i, to = f.resultsAt(b) + i;
      if (before && (*before)[from] == (*after)[to]) continue;
      ExprPtr byte = byteAt(to);
      const auto value = static_cast<uint8_t>(byte->isConst() ? byte->value() : 0);
      if (byte->isConst())
        s.memory.writeConcrete(call.addresses[b] + i, &value, 1);
      else
        s.memory.writeSym(call.addresses[b] + i, byte);
    }
  }
  if (!callee.retSlots || f.result == ExternalType::Void) return;
  interpreter_.calls.setResult(*s.top, s.ip, callee, resultTerm(call, byteAt));
}

template <typename ByteAt>
ExprPtr ExternalCalls::resultTerm(const ExternalCall &call, ByteAt byteAt) {
  const Sig &f = call.signature;
  const FunctionEffects *fx = call.effects;
  // Reads only as many bytes as `most` needs, and clamps the value to `most`, so that the bound
  // holds whatever the operation returns.
  auto bounded = [&](uint64_t most) {
    const unsigned bytes = most < 0x100 ? 1 : most < 0x10000 ? 2 : 4;
    ExprPtr e = ctx_.zext(wordOf(ctx_, byteAt, Sig::kValueAt, bytes), 64);
    ExprPtr top = ctx_.constant(most, 64);
    return ctx_.ite(ctx_.ule(e, top), e, top);
  };
  const int block = fx && fx->of >= 0 ? call.blockOf[static_cast<size_t>(fx->of)] : -1;
  if (fx && fx->result == FunctionEffects::Parameter)
    return ctx_.zext(call.arguments[static_cast<size_t>(fx->of)], 64);
  if (fx && fx->result == FunctionEffects::Length && block >= 0)
    return bounded(f.blocks[static_cast<size_t>(block)].size);
  if (!f.returnsPointer) return wordOf(ctx_, byteAt, Sig::kValueAt, 8);
  auto into = [&](size_t b) {
    // Into a string is at its end at most, not past it.
    const bool isString =
        fx && fx->of >= 0 &&
        fx->parameters[static_cast<size_t>(fx->of)].kind == ParameterEffect::String;
    const uint64_t size = f.blocks[b].size, most = isString && size ? size - 1 : size;
    ExprPtr e = ctx_.add(ctx_.constant(call.addresses[b], 64), bounded(most));
    interpreter_.registers.origins.note(e, call.addresses[b]);
    return e;
  };
  if (fx && fx->result == FunctionEffects::Pointer && block >= 0)
    return into(static_cast<size_t>(block));
  // Null, or into one of the blocks, or somewhere in the library.
  ExprPtr which = byteAt(Sig::kBlockAt), result = ctx_.constant(0, 64);
  if (which->isConst() && which->value() == Sig::kForeignBlock)
    return wordOf(ctx_, byteAt, Sig::kValueAt, 8);
  for (size_t b = f.blocks.size(); b-- > 0;) {
    if (block >= 0 && b != static_cast<size_t>(block)) continue;
    // With one block there is no other than null: 0.
    ExprPtr here = block >= 0 || f.blocks.size() == 1 ? ctx_.ne(which, ctx_.constant(0, 8))
                                                      : ctx_.eq(which, ctx_.constant(b + 1, 8));
    result = ctx_.ite(here, into(b), result);
  }
  return result;
}

} // namespace fathom::explore
