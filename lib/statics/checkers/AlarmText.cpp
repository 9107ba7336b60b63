// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/AlarmText.h"

#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fathom::statics {

using namespace abstract;

namespace {

/// Further out, a bound says no more than that there is none.
constexpr Wide kFar = Wide(1) << 62;

std::string digits(Wide number) { return fmt::format("{}", static_cast<int64_t>(number)); }

/// Named variables that an operand is computed from, without those that are addresses.
class NamedSources {
public:
  NamedSources(const AbstractProgram &program,
               const std::unordered_map<VarId, std::vector<const Statement *>> &definitions)
      : program_(program), definitions_(definitions) {}

  void add(const Operand &operand) {
    if (operand.isConstant() || !seen_.insert(operand.var).second) return;
    const Variable &variable = program_.variables[operand.var];
    if (!variable.name.empty() && variable.name != "t") {
      if (!variable.isAddress) found.push_back(operand.var);
      return;
    }
    const auto at = definitions_.find(operand.var);
    if (at == definitions_.end()) return;
    for (const Statement *s : at->second) {
      const bool isComputed = s->kind == StatementKind::Assign ||
                              s->kind == StatementKind::Operate ||
                              s->kind == StatementKind::Convert ||
                              s->kind == StatementKind::Select || s->kind == StatementKind::Shift;
      if (isComputed) add(s->a), add(s->b);
    }
  }
  void add(const Condition &condition) {
    if (condition.kind == Condition::Kind::Compare) add(condition.a), add(condition.b);
    for (const Condition &part : condition.parts) add(part);
  }

  std::vector<VarId> found; ///< in the order in which they are met

private:
  const AbstractProgram &program_;
  const std::unordered_map<VarId, std::vector<const Statement *>> &definitions_;
  std::set<VarId> seen_;
};

} // namespace

std::string numberInWords(const Progression &number) {
  if (number.isNone()) return "no number";
  if (number.isTop()) return "any number";
  // In the order in which it does not go round.
  const bool isSigned = number.stretches(true).size() == 1 || number.stretches(false).size() > 1;
  const Wide lo = number.min(isSigned), hi = number.max(isSigned);
  if (lo == hi) return digits(lo);
  if (lo <= -kFar && hi >= kFar) return "any number";
  if (hi >= kFar) return digits(lo) + " or more";
  if (lo <= -kFar) return digits(hi) + " or less";
  const std::string steps =
      number.stride() > 1 ? fmt::format(" in steps of {}", number.stride()) : "";
  return digits(lo) + " to " + digits(hi) + steps;
}

AlarmTexts::AlarmTexts(const AbstractProgram &program)
    : program_(program), statements_(program.checks.size()) {
  for (const Function &f : program.functions) {
    if (f.copyOf != kNoId) continue;
    for (const Block &block : f.blocks)
      for (const Statement &s : block.statements)
        if (s.check != kNoId) statements_[s.check] = &s;
  }
}

const AlarmTexts::Definitions &AlarmTexts::definitionsIn(FunctionId function) {
  const auto [known, isNew] = definitions_.try_emplace(function);
  if (isNew)
    for (const Block &block : program_.functions[function].blocks)
      for (const Statement &s : block.statements)
        if (s.dst != kNoId) known->second[s.dst].push_back(&s);
  return known->second;
}

std::string AlarmTexts::objectText(const State &state, const Object &object) const {
  if (object.kind == Object::Kind::Function) return "the function " + object.name;
  const std::string name =
      object.kind == Object::Kind::Heap ? "the memory of " + object.name : object.name;
  if (object.sizeBytes) return fmt::format("{} ({})", name, plainCount(*object.sizeBytes, "byte"));
  if (object.sizeVar == kNoId || state.number(object.sizeVar).isTop()) return name;
  const Progression size = state.number(object.sizeVar);
  return fmt::format("{} ({} byte{})", name, numberInWords(size), size.single() == 1 ? "" : "s");
}

std::string AlarmTexts::addressText(const State &state, const Operand &address) const {
  const Value value = state.value(address, true);
  if (!value.bases || value.number.isNone()) return "";
  std::vector<std::string> objects, others; // copies of one for several calls read alike
  for (const ObjectId base : *value.bases) {
    if (base == kNull)
      others.emplace_back("null");
    else if (base == kAbsolute)
      others.emplace_back("a number that is no address");
    else if (std::string text = objectText(state, program_.objects[base]);
             std::ranges::find(objects, text) == objects.end())
      objects.push_back(std::move(text));
  }
  std::string out;
  if (!objects.empty()) {
    const std::string offset = numberInWords(value.number);
    const std::string where = value.number.single() == 0 ? "at the start of "
                              : offset == "any number"   ? "at any offset in "
                                                         : fmt::format("at offset {} in ", offset);
    out = fmt::format("{}{}", where, fmt::join(objects, " or "));
  }
  if (others.empty()) return out;
  return fmt::format("{}{}{}", out, out.empty() ? "at " : ", or at ", fmt::join(others, " or "));
}

std::string AlarmTexts::of(CheckId check, const State &state, bool atSource) {
  constexpr size_t kMaxVariables = 4;
  const Statement *s = statements_[check];
  if (!s || state.isBottom()) return "";
  NamedSources sources(program_, definitionsIn(program_.checks[check].function));
  std::vector<std::string> parts;
  const auto say = [&](std::string part) {
    if (!part.empty() && std::ranges::find(parts, part) == parts.end())
      parts.push_back(std::move(part));
  };
  if (s->kind == StatementKind::Verify) {
    sources.add(s->condition);
  } else {
    const Operand &address = atSource ? s->b : s->a;
    say(addressText(state, address));
    const bool hasLength = s->kind == StatementKind::Fill || s->kind == StatementKind::Transfer;
    if (hasLength) say(fmt::format("the length is {}", numberInWords(state.number(s->c))));
    sources.add(address);
    if (hasLength) sources.add(s->c);
  }
  for (size_t i = 0; i < sources.found.size() && i < kMaxVariables; i++)
    if (const Progression number = state.number(sources.found[i]); !number.isTop())
      say(fmt::format("{} is {}", program_.variables[sources.found[i]].name,
                      numberInWords(number)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace fathom::statics
