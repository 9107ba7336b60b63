// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/RepairHole.h"

#include "program/SourceNames.h"
#include "repair/Tokens.h"
#include "repair/Variants.h"
#include "run/Failure.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace fathom::run {

namespace fs = std::filesystem;

/// Leaves of the grammar, and states that tell expressions apart.
static constexpr size_t kMaxVariables = 8, kMaxConstants = 8, kMaxStates = 96;
/// Lines around the place whose numbers are constants of the grammar.
static constexpr uint32_t kLinesAround = 10;

static bool hasName(const std::vector<std::string> &list, const std::string &text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

HoleSearch::HoleSearch(RepairProgram &program, std::string file, std::string source,
                       repair::Hole hole, std::vector<std::string> scope, uint32_t line)
    : program_(program), file_(std::move(file)), source_(std::move(source)), line_(line) {
  report_.hole = std::move(hole);
  const repair::Hole &at = report_.hole;
  std::erase_if(scope,
                [&](const std::string &name) { return at.isDeclared && name == at.assigned; });
  // What is there now reads the likeliest ones, in the order of i < n, not of n > i.
  for (const std::string &word : repair::tokenTexts(at.original))
    if (hasName(scope, word) && !hasName(logged_, word)) logged_.push_back(word);
  // Read before the hole is evaluated: nothing may stand before them that protects them.
  if (at.kind != repair::HoleKind::Guard && repair::hasNoShortCircuit(at.original))
    for (const std::string &lvalue : repair::lvaluesOf(at.original)) logged_.push_back(lvalue);
  std::ranges::sort(logged_, {}, [&](const std::string &name) {
    return std::pair(at.original.find(name), name.size());
  });
  for (const std::string &word : repair::tokenTexts(at.assigned))
    if (hasName(scope, word) && !hasName(logged_, word)) logged_.push_back(word);
  for (const std::string &name : scope)
    if (!hasName(logged_, name)) logged_.push_back(name);
  if (logged_.size() > kMaxVariables) {
    report_.unused.assign(logged_.begin() + kMaxVariables, logged_.end());
    logged_.resize(kMaxVariables);
  }
  hasOriginal_ = at.kind != repair::HoleKind::Guard && repair::isPure(at.original) &&
                 repair::tokenTexts(at.original).size() > 1;
}

llvm::Expected<bool> HoleSearch::build(const std::vector<std::string> &candidates,
                                       std::string &problem) {
  if (llvm::Error e = asUsage(program_.subject().change(
          file_, repair::variantSource(source_, report_.hole, logged_, candidates))))
    return std::move(e);
  llvm::Error failed = program_.subject().build();
  if (failed) problem = llvm::toString(std::move(failed));
  return problem.empty();
}

/// A place may be a pointer, or be written where it cannot be read. All others stay.
llvm::Expected<bool> HoleSearch::dropUnreadable(std::string &problem) {
  const std::vector<std::string> all = logged_;
  std::vector<std::string> readable;
  if (!std::erase_if(logged_, [](const std::string &p) { return program::isPlaceName(p); }))
    return false;
  problem.clear();
  llvm::Expected<bool> isBuilt = build({}, problem);
  if (!isBuilt || !*isBuilt) return isBuilt;
  const std::vector<std::string> variables = logged_;
  for (const std::string &name : all) {
    std::string ignored;
    if (program::isPlaceName(name)) {
      logged_ = {name};
      llvm::Expected<bool> isReadable = build({}, ignored);
      if (!isReadable) return isReadable;
      if (!*isReadable) continue;
    }
    readable.push_back(name);
  }
  logged_ = readable;
  if (readable.size() == variables.size()) return build({}, problem);
  isBuilt = build({}, problem);
  if (!isBuilt || *isBuilt) return isBuilt;
  logged_ = variables;
  problem.clear();
  return build({}, problem);
}

static std::vector<repair::LoggedState> statesIn(const std::string &log, size_t places) {
  auto data = llvm::MemoryBuffer::getFile(log);
  return data ? repair::readLog((*data)->getBuffer().str(), places)
              : std::vector<repair::LoggedState>();
}

/// At most so many, spread evenly.
static void thin(std::vector<repair::LoggedState> &states, size_t most) {
  if (states.size() <= most) return;
  std::vector<repair::LoggedState> some;
  for (size_t i = 0; i < most; ++i)
    some.push_back(std::move(states[i * (states.size() - 1) / (most - 1)]));
  states = std::move(some);
}

llvm::Expected<std::vector<bool>> HoleSearch::visit() {
  std::string problem;
  llvm::Expected<bool> isBuilt = build({}, problem);
  if (isBuilt && !*isBuilt) isBuilt = dropUnreadable(problem);
  if (!isBuilt) return isBuilt.takeError();
  if (!*isBuilt) {
    report_.problem = "it is no integer, or cannot be compiled as an expression: " + problem;
    if (llvm::Error e = asUsage(program_.subject().restore())) return std::move(e);
    return std::vector<bool>();
  }
  const std::string log = program_.scratch() + "/log";
  std::vector<bool> visits(program_.before().size());
  std::vector<repair::LoggedState> all;
  std::error_code ignored;
  for (const size_t test : program_.testOrder()) {
    fs::remove(log, ignored);
    (void)program_.subject().test(test, program_.subject().program(),
                                  {fmt::format("{}={}", repair::kLogVariable, log)});
    std::vector<repair::LoggedState> here = statesIn(log, logged_.size());
    visits[test] = !here.empty();
    // One that goes round for ever leaves room for those of the others.
    thin(here, std::max<size_t>(4, kMaxStates / visits.size()));
    all.insert(all.end(), here.begin(), here.end());
  }
  // Where the program ended in the hole, what stands there has no value to go on from.
  for (const repair::LoggedState &logged : all) hasOriginal_ = hasOriginal_ && logged.result;
  std::set<psp::State> seen;
  for (const repair::LoggedState &logged : all) {
    psp::State state;
    for (size_t i = 0; i < logged.values.size(); ++i)
      state.set(static_cast<psp::VariableId>(i), logged.values[i]);
    if (hasOriginal_) state.set(static_cast<psp::VariableId>(logged.values.size()), *logged.result);
    if (seen.insert(state).second) states_.push_back(std::move(state));
  }
  if (llvm::Error e = asUsage(program_.subject().restore())) return std::move(e);
  return visits;
}

std::vector<std::string> HoleSearch::names() const {
  std::vector<std::string> out = logged_;
  if (hasOriginal_) out.push_back("(" + report_.hole.original + ")");
  return out;
}

llvm::Expected<std::vector<size_t>>
HoleSearch::passing(const std::vector<repair::Candidate> &candidates, const HoleLimits &limits) {
  std::vector<std::string> texts;
  for (const repair::Candidate &candidate : candidates)
    texts.push_back(candidate.formula.text(names()));
  std::vector<size_t> out;
  if (texts.empty()) return out;
  std::string problem;
  llvm::Expected<bool> isBuilt = build(texts, problem);
  if (!isBuilt) return isBuilt.takeError();
  if (!*isBuilt) {
    report_.problem = "candidates cannot be compiled: " + problem;
    return out;
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    if (limits.isOver()) {
      report_.cut = HoleCut::Time;
      break;
    }
    ++report_.tested;
    if (!program_.failure({fmt::format("{}={}", repair::kChoiceVariable, i + 1)})) out.push_back(i);
  }
  return out;
}

size_t HoleSearch::exchanged(const std::string &expression) const {
  const repair::Hole &hole = report_.hole;
  const bool isGuard = hole.kind == repair::HoleKind::Guard;
  auto reads = [&](const std::vector<std::string> &words) {
    std::set<std::string> out;
    for (const std::string &word : words)
      if (hasName(logged_, word)) out.insert(word);
    return out;
  };
  std::vector<std::string> original = repair::tokenTexts(hole.original);
  // What a statement assigns to it does not read.
  if (const auto assign = std::find(original.begin(), original.end(), "=");
      isGuard && assign != original.end())
    original.erase(original.begin(), assign);
  const std::set<std::string> before = reads(original),
                              after = reads(repair::tokenTexts(expression));
  size_t out = 0;
  for (const std::string &name : after) out += !before.count(name);
  for (const std::string &name : before) out += !isGuard && !after.count(name);
  return out;
}

Survivor HoleSearch::survivor(const repair::Candidate &candidate, size_t choice) {
  Survivor out;
  out.expression = candidate.formula.text(names());
  out.size = candidate.size;
  out.exchanged = exchanged(out.expression);
  const std::string original =
      report_.hole.kind == repair::HoleKind::Guard ? "" : report_.hole.original;
  out.distance = repair::tokenDistance(original, out.expression);
  const std::string log = program_.scratch() + "/log";
  std::error_code ignored;
  fs::remove(log, ignored);
  for (size_t test = 0; test < program_.before().size(); ++test)
    (void)program_.subject().test(test, program_.subject().program(),
                                  {fmt::format("{}={}", repair::kChoiceVariable, choice),
                                   fmt::format("{}={}", repair::kLogVariable, log)});
  for (const repair::LoggedState &logged : statesIn(log, logged_.size())) {
    for (size_t i = 0; i < logged_.size(); ++i) out.values[logged_[i]].insert(logged.values[i]);
    if (logged.result) out.values[""].insert(*logged.result);
  }
  return out;
}

repair::Grammar HoleSearch::grammar(bool isNumber, unsigned depth) const {
  repair::Grammar out;
  out.states = states_;
  out.mostDepth = depth;
  out.variables = logged_.size() + (hasOriginal_ && isNumber);
  out.truths = hasOriginal_ && !isNumber;
  // Those of the hole itself, however many; then, as far as there is room, those of other lines.
  auto add = [&](int64_t constant) {
    if (std::ranges::find(out.constants, constant) == out.constants.end())
      out.constants.push_back(constant);
  };
  for (const int64_t constant : repair::numbersNear(report_.hole.original, 1, UINT32_MAX))
    add(constant);
  add(0), add(1);
  const uint32_t first = line_ > kLinesAround ? line_ - kLinesAround : 1;
  for (const int64_t constant : repair::numbersNear(source_, first, line_ + kLinesAround))
    if (out.constants.size() < kMaxConstants) add(constant);
  return out;
}

llvm::Error HoleSearch::search(const HoleLimits &limits) {
  if (states_.empty()) {
    report_.problem = "no test that ends comes there";
    return llvm::Error::success();
  }
  const bool isNumber = report_.hole.kind == repair::HoleKind::Value &&
                        !repair::isBooleanValued(report_.hole.original);
  const repair::Enumeration all =
      repair::enumerate(grammar(isNumber, limits.depth),
                        isNumber ? repair::Goal::Number : repair::Goal::Condition, limits.isOver);
  report_.classes = all.classes.size();
  report_.expressions = all.tried;
  report_.completeDepth = all.completeDepth;
  std::vector<repair::Candidate> firsts, others;
  auto add = [&](std::vector<repair::Candidate> &to, const repair::Candidate &candidate) {
    if (to.size() < limits.maxCandidates)
      to.push_back(candidate);
    else
      report_.cut = HoleCut::Most;
  };
  for (const repair::CandidateClass &c : all.classes) add(firsts, c.first);
  // What behaves alike in all states seen may differ where the program gets with it.
  llvm::Expected<std::vector<size_t>> passed = passing(firsts, limits);
  if (!passed) return passed.takeError();
  for (const size_t i : *passed) {
    report_.survivors.push_back(survivor(firsts[i], i + 1));
    for (const repair::Candidate &other : all.classes[i].others) add(others, other);
  }
  llvm::Expected<std::vector<size_t>> passedToo = passing(others, limits);
  if (!passedToo) return passedToo.takeError();
  for (const size_t i : *passedToo) report_.survivors.push_back(survivor(others[i], i + 1));
  return asUsage(program_.subject().restore());
}

} // namespace fathom::run
