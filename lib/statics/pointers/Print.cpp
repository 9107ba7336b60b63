// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/Print.h"

#include "support/NameTable.h"

#include <fmt/format.h>

namespace fathom::statics {

namespace {

constexpr auto kAssumptions = nameTable<Assumption>(
    {{"external call", Assumption::ExternalCall}, {"inline assembly", Assumption::InlineAssembly}});

std::string header(const PointsTo &pts, FunctionId id) {
  const Function &f = pts.facts.functions[id];
  return fmt::format("{} ({}){}\n", f.name, pts.facts.placeText(f.place),
                     pts.isReached(id) ? ""
                     : f.summary       ? ": a summary stands for its code"
                                       : ": never called");
}

} // namespace

std::string setText(const PointsTo &pts, const SparseBits &set) {
  std::string text;
  set.forEach([&](LocationId l) { text += (text.empty() ? "" : ", ") + pts.text(l); });
  return "{" + text + "}";
}

std::string printPointsTo(const PointsTo &pts, FunctionId function) {
  const Facts &facts = pts.facts;
  std::string out = header(pts, function);
  const Function &f = facts.functions[function];
  for (size_t i = 0; i < f.parameters.size(); i++)
    if (const SparseBits &set = pts.of(f.parameters[i]); !set.empty())
      out += fmt::format("  parameter {}: {}\n", i, setText(pts, set));
  forEachStatement(facts, function, [&](const Statement &s) {
    const auto operands = facts.operandsOf(s);
    const std::string place = facts.placeText(s.place);
    if (s.kind == StatementKind::Load) {
      out += fmt::format("  {}: load from {}", place, setText(pts, pts.of(operands[0])));
      if (s.result != kNone && !pts.of(s.result).empty())
        out += fmt::format(" yields {}", setText(pts, pts.of(s.result)));
      out += "\n";
    } else if (s.kind == StatementKind::Store) {
      out += fmt::format("  {}: store to {}", place, setText(pts, pts.of(operands[0])));
      if (!pts.of(operands[1]).empty())
        out += fmt::format(" of {}", setText(pts, pts.of(operands[1])));
      out += "\n";
    } else if (s.kind == StatementKind::Call && s.result != kNone && !pts.of(s.result).empty()) {
      out += fmt::format("  {}: call yields {}", place, setText(pts, pts.of(s.result))) + "\n";
    }
  });
  return out;
}

std::string printCalls(const PointsTo &pts, FunctionId function) {
  const Facts &facts = pts.facts;
  std::string out = header(pts, function);
  forEachStatement(facts, function, [&](const Statement &s) {
    if (s.kind != StatementKind::Call) return;
    std::string names;
    for (const FunctionId callee : pts.callees(s.extra))
      names += (names.empty() ? "" : ", ") + facts.functions[callee].name;
    const CallSite &site = facts.calls[s.extra];
    if (names.empty()) names = site.summary ? std::string(site.summary->name) : "nothing";
    out += fmt::format("  {}: calls {}{}\n", facts.placeText(s.place), names,
                       site.callee == kNone && !site.summary ? " (through a pointer)" : "");
  });
  return out;
}

/// Accesses and calls through pointers that point to nothing: null, code that never runs, or a
/// pointer that came about in a way that is not followed.
static std::string printBlindAccesses(const PointsTo &pts, FunctionId function) {
  const Facts &facts = pts.facts;
  std::string out;
  forEachStatement(facts, function, [&](const Statement &s) {
    const bool isAccess = s.kind == StatementKind::Load || s.kind == StatementKind::Store;
    const bool isCall = s.kind == StatementKind::Call && facts.calls[s.extra].target != kNone;
    if (!isAccess && !isCall) return;
    const ValueId through = isCall ? facts.calls[s.extra].target : facts.operands[s.firstOperand];
    if (!pts.of(through).empty()) return;
    out += fmt::format("{}: {} through a pointer to nothing that is known, in {}\n",
                       facts.placeText(s.place), isCall ? "call" : "access",
                       facts.functions[function].name);
  });
  return out;
}

std::string printAssumptions(const PointsTo &pts) {
  std::string out;
  for (const Assumed &a : pts.facts.assumed) {
    if (!pts.isReached(a.function)) continue;
    out += fmt::format("{}: {}{}{}, in {}\n", pts.facts.placeText(a.place),
                       kAssumptions.nameOf(a.what), a.name.empty() ? "" : " of ", a.name,
                       pts.facts.functions[a.function].name);
  }
  for (FunctionId f = 0; f < pts.facts.functions.size(); f++)
    if (pts.isReached(f)) out += printBlindAccesses(pts, f);
  return out;
}

} // namespace fathom::statics
