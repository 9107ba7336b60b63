// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/OneQuestion.h"

#include "evidence/BugKind.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fathom::confirm {

using bmc::Answer;
using bmc::Assumption;
using evidence::BugKind;

namespace {

/// From weak and quick to strong. What the first leaves open in real programs the others hardly
/// ever settle (RESULTS), so they are for small functions.
constexpr bmc::Bounds kLevels[] = {{1, 0, 0, 40'000}, {1, 1, 1, 10'000}, {2, 2, 2, 10'000}};
/// Instructions of a question whose next levels cost next to nothing.
constexpr uint64_t kSmall = 500;
/// What an instruction costs, with the solver's part.
constexpr std::chrono::microseconds kPerInstruction{25};
/// Of callers' callers; and functions asked about in all.
constexpr uint32_t kMaxClimbed = 2, kMaxAsked = 8;

class DefectKnowledge final : public bmc::Knowledge {
public:
  DefectKnowledge(const ProgramFacts &facts, const CallEffects &effects, const DefectSearch &search)
      : facts_(facts), effects_(effects), isRelated_(search.isRelated()),
        namesAccess_(search.defect().namesAccess()) {
    for (const CallGraph::CallAt &at : facts.calls.statementAt(search.defect().sink))
      sink_.insert(at);
    leads_.resize(isRelated_.size());
    directly_.resize(isRelated_.size());
    std::vector<uint32_t> open;
    for (const CallGraph::CallAt &at : sink_) {
      if (directly_[at.function]) continue;
      directly_[at.function] = true;
      open.push_back(at.function);
      const std::vector<bool> reaching = facts.calls.reaching(at.function);
      for (size_t i = 0; i < leads_.size(); ++i) leads_[i] = leads_[i] || reaching[i];
    }
    while (!open.empty()) {
      const uint32_t callee = open.back();
      open.pop_back();
      for (const uint32_t caller : facts.calls.callersOf(callee))
        if (!directly_[caller] && names(facts.program.functions[caller], callee)) {
          directly_[caller] = true;
          open.push_back(caller);
        }
    }
  }
  bool returns(uint32_t f) const override { return facts_.returns.returns(f); }
  bool isRelated(uint32_t f) const override { return isRelated_[f]; }
  bool mayFree(uint32_t f) const override { return facts_.releases[f]; }
  bool isSink(uint32_t function, uint32_t inst) const override {
    return sink_.contains({function, inst});
  }
  bool countsAtPlace(uint32_t function) const override {
    const program::FunctionCode &f = facts_.program.functions[function];
    // As Shows.h has it.
    const bool hasLines = std::ranges::any_of(
        f.locs, [&](uint32_t at) { return facts_.program.locations[at].line != 0; });
    return !namesAccess_ || !f.own || f.isThinWrapper || !hasLines;
  }
  bool leadsToSink(uint32_t function) const override { return leads_[function]; }
  bool leadsDirectly(uint32_t function) const override { return directly_[function]; }
  bool hasSink(uint32_t function) const override {
    const auto first = sink_.lower_bound({function, 0});
    return first != sink_.end() && first->function == function;
  }
  const std::vector<uint32_t> *calledByPointer(uint32_t f) const override {
    return effects_.calledByPointer(f);
  }
  bmc::Changes changesOf(uint32_t callee, uint32_t caller, uint32_t line) const override {
    const CallEffect *effect = effects_.of(callee);
    if (!effect) return bmc::Changes::all();
    if (!effect->isByLine) return changes(effect->writes);
    return changesAt(caller, {line});
  }
  bmc::Changes changesAt(uint32_t function, const std::vector<uint32_t> &lines) const override {
    const bool isKnown =
        effects_.isKnown(function) && std::ranges::all_of(lines, [&](uint32_t line) {
          return effects_.knowsLine(function, line);
        });
    if (!isKnown) return bmc::Changes::all();
    return changes(effects_.writesAt(function, lines));
  }

private:
  static bool names(const program::FunctionCode &caller, uint32_t callee) {
    return std::ranges::any_of(caller.code, [&](const program::Inst &inst) {
      return inst.op == program::Op::Call && inst.c == callee;
    });
  }
  static bmc::Changes changes(const Writes &writes) {
    return {false, writes.variables, writes.frames, writes.blocks};
  }

  const ProgramFacts &facts_;
  const CallEffects &effects_;
  const std::vector<bool> &isRelated_;
  std::set<CallGraph::CallAt> sink_;
  const bool namesAccess_;
  std::vector<bool> leads_, directly_; ///< by function: leadsToSink, leadsDirectly
};

class Asking {
public:
  Asking(const ProgramFacts &facts, const ConfirmOptions &options, const DefectSearch &search,
         const CallEffects &effects, bmc::Kinds kinds, std::chrono::milliseconds time)
      : facts_(facts), options_(options), knowledge_(facts, effects, search), kinds_(kinds),
        left_(static_cast<uint64_t>(time / kPerInstruction)) {}

  OneAnswer of(uint32_t function, uint32_t climbed) {
    OneAnswer out = alone(function);
    // More may be known of what callers pass; nothing else that was assumed goes away with them.
    const bool dependsOnCallers =
        out.kind == OneAnswer::Kind::Maybe ||
        (out.kind == OneAnswer::Kind::Bounded && areOfCallers(out.assumed));
    if (!dependsOnCallers || climbed == kMaxClimbed || facts_.calls.isMain(function) ||
        !facts_.calls.main() || options_.times.callers.count() <= 0)
      return out;
    return ofCallers(function, climbed, std::move(out));
  }
  uint64_t instructions() const { return instructions_; }

private:
  static bool areOfCallers(const std::vector<Assumption> &assumed) {
    return std::ranges::all_of(assumed, [](Assumption a) {
      return a == Assumption::ValidPointers || a == Assumption::NotFreedBefore ||
             a == Assumption::DistinctPointers;
    });
  }
  /// May they go away when more calls and rounds are followed?
  static bool areOfBounds(const std::vector<Assumption> &assumed) {
    return std::ranges::all_of(assumed, [](Assumption a) {
      return a == Assumption::NothingFreed || a == Assumption::OtherCalls ||
             a == Assumption::DistinctPointers;
    });
  }

  /// What only its own code says.
  OneAnswer alone(uint32_t function) {
    OneAnswer out;
    out.from = function;
    if (++asked_ > kMaxAsked) return out;
    for (bmc::Bounds bounds : kLevels) {
      bounds.instructions = std::min(bounds.instructions, left_);
      bmc::Question question{function, facts_.calls.isMain(function) && !facts_.runsBeforeMain,
                             kinds_, bounds};
      Answer answer = bmc::ask(facts_.program, knowledge_, question, options_.stop);
      instructions_ += answer.instructions;
      left_ -= std::min(left_, answer.instructions);
      solver::Clock::spend(kPerInstruction * static_cast<int64_t>(answer.instructions));
      if (answer.kind == Answer::Kind::Unknown) break;
      if (answer.kind == Answer::Kind::Never) {
        out.kind = OneAnswer::Kind::Never;
        out.assumed.clear();
        break;
      }
      if (answer.kind == Answer::Kind::Bounded) {
        out.kind = OneAnswer::Kind::Bounded;
        out.assumed = std::move(answer.assumed);
        if (!areOfBounds(out.assumed) && answer.instructions > kSmall) break;
      } else if (out.kind == OneAnswer::Kind::NotAsked) {
        out.kind = OneAnswer::Kind::Maybe;
      }
    }
    return out;
  }

  /// Every run of the function is one of a caller.
  OneAnswer ofCallers(uint32_t function, uint32_t climbed, OneAnswer before) {
    OneAnswer all;
    all.kind = OneAnswer::Kind::Never;
    all.from = function;
    all.isOfCallers = true;
    if (facts_.calls.callersOf(function).empty()) return before;
    std::set<Assumption> assumed;
    for (const uint32_t caller : facts_.calls.callersOf(function)) {
      if (!facts_.program.functions[caller].own || caller == function) return before;
      const OneAnswer one = of(caller, climbed + 1);
      if (one.kind == OneAnswer::Kind::NotAsked || one.kind == OneAnswer::Kind::Maybe)
        return before;
      if (one.kind == OneAnswer::Kind::Bounded) all.kind = OneAnswer::Kind::Bounded;
      assumed.insert(one.assumed.begin(), one.assumed.end());
    }
    all.assumed.assign(assumed.begin(), assumed.end());
    return all;
  }

  const ProgramFacts &facts_;
  const ConfirmOptions &options_;
  const DefectKnowledge knowledge_;
  const bmc::Kinds kinds_;
  uint32_t asked_ = 0;
  uint64_t left_; ///< instructions
  uint64_t instructions_ = 0;
};

} // namespace

OneAnswer askOnce(const ProgramFacts &facts, const ConfirmOptions &options,
                  const DefectSearch &search, uint32_t entry, std::chrono::milliseconds time) {
  const Defect &defect = search.defect();
  bmc::Kinds kinds;
  for (const BugKind kind : defect.kinds) {
    switch (kind) {
    case BugKind::NullDereference: kinds.null = true; break;
    case BugKind::UseAfterFree: kinds.afterFree = true; break;
    case BugKind::DoubleFree: kinds.freedTwice = true; break;
    default: return {};
    }
  }
  // Copies of one function are functions of their own, and a line without accesses shows nothing.
  const bool hasAccess =
      std::ranges::any_of(facts.calls.instructionsAt(defect.sink),
                          [&](CallGraph::CallAt at) { return facts.calls.isAccess(at); });
  if (facts.calls.functionsAt(defect.sink).size() != 1 || !hasAccess) return {};
  if (!options.effects || !kinds.any()) return {};
  Asking asking(facts, options, search, *options.effects, kinds, time);
  OneAnswer out = asking.of(entry, 0);
  out.instructions = asking.instructions();
  // That callers pass no null pointer is what the report denies.
  const bool isDenied = out.assumed == std::vector{Assumption::ValidPointers};
  if (out.kind == OneAnswer::Kind::Bounded && isDenied) out.kind = OneAnswer::Kind::Maybe;
  if (facts.hasCodeBeside &&
      (out.kind == OneAnswer::Kind::Never || out.kind == OneAnswer::Kind::Bounded)) {
    out.kind = OneAnswer::Kind::Bounded;
    out.assumed.push_back(Assumption::NothingBeside);
  }
  return out;
}

bool holdsForAnyOverlap(const OneAnswer &answer) {
  // Of Maybe, something is assumed only where that is no reason to refute it (askOnce).
  return answer.kind == OneAnswer::Kind::Never ||
         (!answer.assumed.empty() && std::ranges::all_of(answer.assumed, [](Assumption a) {
           return a == Assumption::ValidPointers || a == Assumption::NotFreedBefore ||
                  a == Assumption::EarlierValid || a == Assumption::NothingBeside;
         }));
}

std::string text(const OneAnswer &answer, const program::Program &program) {
  std::string out = fmt::format("no run of {}{} shows it", program.functions[answer.from].name,
                                answer.isOfCallers ? ", whoever calls it," : "");
  std::vector<std::string> assumed;
  for (const Assumption assumption : answer.assumed) assumed.emplace_back(bmc::text(assumption));
  if (!assumed.empty()) out += fmt::format(" if {}", fmt::join(assumed, ", and if "));
  return out + fmt::format(" (one question about {} instructions, for all paths at once)",
                           grouped(static_cast<double>(answer.instructions)));
}

std::vector<bool> findReleasing(const program::Program &program, const CallGraph &calls,
                                const CallEffects *effects) {
  std::vector<bool> out(program.functions.size());
  std::vector<uint32_t> open;
  const auto add = [&](uint32_t f) {
    if (out[f]) return;
    out[f] = true;
    open.push_back(f);
  };
  const auto onlyAllocates = [](const std::string &name) {
    return name == "malloc" || name == "calloc" || name == "__libc_malloc";
  };
  for (const program::FunctionCode &f : program.functions)
    for (const program::Inst &inst : f.code) {
      if (inst.op == program::Op::CallIndirect && !(effects && effects->calledByPointer(f.id)))
        add(f.id);
      // The engine's own operations free nothing.
      if (inst.op == program::Op::CallExternal &&
          !program.externals[inst.c].name.starts_with("__fathom_") &&
          !onlyAllocates(program.externals[inst.c].name))
        add(f.id);
    }
  while (!open.empty()) {
    const uint32_t f = open.back();
    open.pop_back();
    for (const uint32_t caller : calls.callersOf(f)) add(caller);
  }
  return out;
}

/// Does own code call one of these?
static bool callsAny(const program::Program &program, std::initializer_list<const char *> names) {
  std::set<uint32_t> wanted;
  for (const char *name : names)
    if (const program::FunctionCode *f = program.find(name)) wanted.insert(f->id);
  return std::ranges::any_of(program.functions, [&](const program::FunctionCode &f) {
    return f.own && std::ranges::any_of(f.code, [&](const program::Inst &inst) {
             return inst.op == program::Op::Call && wanted.contains(inst.c);
           });
  });
}

bool hasCodeBeside(const program::Program &program) {
  return callsAny(program, {"pthread_create", "thrd_create", "clone", "timer_create", "signal",
                            "bsd_signal", "sysv_signal", "sigaction", "sigset"});
}

} // namespace fathom::confirm
