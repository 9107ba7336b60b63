// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free of what no allocator made: from each pointer that is freed back to addresses of variables.
//
// What a call through a pointer passes to a function that frees it has one report, with all that
// is passed there: that the call can reach this function may be all that is wrong with it.
#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::statics {

namespace {

class InvalidFreeChecker {
public:
  explicit InvalidFreeChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow) {}

  void run() {
    for (const CallSite &site : facts_.calls) {
      const FunctionId f = view_.functionOf(site.statement);
      if (!view_.isOwn(f) || !view_.pts.isReached(f)) continue;
      if (context_.time.isOver()) break;
      const auto operands = facts_.operandsOf(facts_.statements[site.statement]);
      for (uint32_t i = 0; i < operands.size() && i < 8; i++)
        if (view_.useOf(site.statement, i) == UseKind::Freed) look(site.statement, operands[i]);
    }
    throughPointers_.giveTo(context_.reports);
  }

private:
  void look(StatementId sink, ValueId freed) {
    if (view_.isVariable(freed)) return report(nullptr, 0, sink, sink, freed);
    if (facts_.values[freed].function == kNone) return;
    FlowSearch back(view_, {.states = 1500, .forward = false});
    back.begin(freed);
    back.run([&](const FlowSearch::State &, FlowNode, FlowKind kind,
                 uint32_t) { return kind != FlowKind::Derived; },
             [&](uint32_t state) {
               const FlowSearch::State at = back[state];
               // A copied structure's members are not known apart here; points-to sets know them.
               if (flow_.isTransfer(at.node)) return at.doubts <= kMaxCopies;
               forEachConstantInto(
                   view_, at.node, back.innermostCall(at.stack), [&](StatementId s, ValueId v) {
                     if (view_.isVariable(v) && mayPointTo(freed, view_.objectOf(v)))
                       report(&back, state, sink, s, v);
                   });
               return true;
             });
    context_.cut += back.isCut;
  }

  static constexpr uint32_t kMaxCopies = 1;

  bool mayPointTo(ValueId pointer, ObjectId object) const {
    bool may = false;
    view_.pts.of(pointer).forEach(
        [&](LocationId l) { may |= view_.pts.locations.objectOf(l) == object; });
    return may;
  }

  /// The call through a pointer, nearest to the free, that passes the address on; kNone: none does.
  uint32_t pointerCall(const FlowSearch *search, uint32_t state, StatementId source) const {
    const auto isThroughPointer = [&](uint32_t call) { return facts_.calls[call].callee == kNone; };
    uint32_t out = kNone;
    if (const Statement &s = facts_.statements[source];
        s.kind == StatementKind::Call && isThroughPointer(s.extra))
      out = s.extra;
    for (; search && state != FlowSearch::kNoState; state = (*search)[state].previous)
      if (const FlowSearch::State &at = (*search)[state];
          at.kind == FlowKind::Call && isThroughPointer(at.call))
        out = at.call;
    return out;
  }

  void report(const FlowSearch *search, uint32_t state, StatementId sink, StatementId source,
              ValueId value) {
    const Object &object = facts_.objects[view_.objectOf(value)];
    Report out;
    out.kind = evidence::BugKind::InvalidFree;
    out.doubts = search ? (*search)[state].doubts : 0;
    const std::string what =
        object.isConstant ? std::string("a constant") : fmt::format("the variable {}", object.name);
    out.steps.push_back(
        view_.step(source, StepRole::Origin, fmt::format("this is the address of {}", what)));
    if (search) {
      std::vector<ReportStep> steps; // from the free backwards
      addSteps(view_, *search, state, "the address", steps);
      out.steps.insert(out.steps.end(), steps.rbegin(), steps.rend());
    }
    const CallSite &call = facts_.calls[facts_.statements[sink].extra];
    out.steps.push_back(view_.step(sink, StepRole::Defect,
                                   fmt::format("{} is called with it", view_.calleeName(call))));
    out.message = fmt::format("{} is freed, which no allocator returned", what);
    if (const uint32_t call = pointerCall(search, state, source); call != kNone)
      throughPointers_.add(sink, call, std::move(out), context_.reports);
    else
      context_.reports.add(std::move(out));
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  NearestReports throughPointers_; ///< by sink and call
};

} // namespace

void checkInvalidFrees(CheckContext &context) { InvalidFreeChecker(context).run(); }

} // namespace fathom::statics
