// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/ResultText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace fathom::statics::abstract {

std::vector<Finding> findingsOf(const AbstractProgram &program, const AnalysisResult &result) {
  const std::vector<Verdict> groups = groupVerdicts(program, result);
  std::vector<Finding> out;
  std::map<uint32_t, size_t> ofGroup;
  for (CheckId id = 0; id < program.checks.size(); ++id) {
    const Check &check = program.checks[id];
    if (check.group != kNoId) {
      if (auto at = ofGroup.find(check.group); at != ofGroup.end()) {
        out[at->second].checks.push_back(id);
        continue;
      }
      ofGroup[check.group] = out.size();
    }
    Finding f;
    f.kind = check.kind;
    f.verdict = check.group == kNoId ? result.checks[id].verdict : groups[check.group];
    f.file = check.file;
    f.line = check.line;
    f.column = check.column;
    f.what = check.what;
    f.function = program.functions[check.function].name;
    f.checks = {id};
    out.push_back(std::move(f));
  }
  // Checks are numbered, so the order does not depend on how equal places are sorted.
  std::sort(out.begin(), out.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.file, a.line, a.column, a.checks.front()) <
           std::tie(b.file, b.line, b.column, b.checks.front());
  });
  return out;
}

namespace {

bool isNamed(const AbstractProgram &program, VarId var) {
  return var < program.variables.size() && program.variables[var].name != "t" &&
         !program.variables[var].name.empty();
}

std::string addressText(const AbstractProgram &program, const Bases &bases,
                        const Progression &offset) {
  std::vector<std::string> names; // copies of one for several calls read alike
  auto add = [&](const std::string &name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const ObjectId base : bases) {
    if (base == kNull) {
      add("null");
    } else if (base == kAbsolute) {
      add("a number");
    } else {
      const Object &object = program.objects[base];
      const bool isFunction = object.kind == Object::Kind::Function;
      add(isFunction             ? object.name
          : offset.single() == 0 ? "&" + object.name
                                 : fmt::format("&{} + {}", object.name, offset.text()));
    }
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

} // namespace

std::vector<std::string> factsOf(const AbstractProgram &program, const State &state,
                                 FunctionId function) {
  std::vector<std::string> out;
  std::set<std::string> said;
  auto say = [&](std::string fact) {
    if (said.insert(fact).second) out.push_back(std::move(fact));
  };
  auto fact = [&](VarId var, const std::string &name, bool isAddress) {
    const Progression number = state.number(var);
    const Bases *bases = state.bases(var);
    if (isAddress) {
      if (bases) say(name + " = " + addressText(program, *bases, number));
    } else if (!number.isTop()) {
      say(fmt::format("{} {} {}", name, number.single() ? "=" : "in", number.text()));
    }
  };
  for (const VarId var : program.functions[function].variables)
    if (isNamed(program, var))
      fact(var, program.variables[var].name, program.variables[var].isAddress);
  const Cells &cells = state.domain().cells;
  for (ObjectId o = 0; o < program.objects.size(); ++o) {
    const Object &object = program.objects[o];
    const bool isHere = object.kind == Object::Kind::Global || object.kind == Object::Kind::Heap ||
                        program.originalOf(object.function) == function;
    if (object.isConstant || object.kind == Object::Kind::Function || !isHere) continue;
    for (const VarId cell : cells.of(o)) {
      if (state.isUnborn(cell)) continue;
      const Bases *bases = state.bases(cell);
      const bool isAddress = bases && std::any_of(bases->begin(), bases->end(), [](ObjectId b) {
                               return b != kNull && b != kAbsolute;
                             });
      fact(cell, cells.nameOf(cell), isAddress);
    }
  }
  // Relations between what has a name; others only carry them on.
  const std::vector<VarId> &own = program.functions[function].variables;
  const std::set<VarId> here(own.begin(), own.end());
  auto nameOf = [&](VarId var) {
    if (cells.find(var)) return cells.nameOf(var);
    const bool isSize = cells.sizedBy(var) != kNoId;
    const bool isKnown = isNamed(program, var) && (isSize || here.count(var));
    return isKnown ? program.variables[var].name : std::string("\x01");
  };
  for (const std::string &line : state.relations().text(nameOf))
    if (line.find('\x01') == std::string::npos) say(line);
  return out;
}

std::string statesText(const AbstractProgram &program, const AnalysisResult &result,
                       FunctionId id) {
  const Function &function = program.functions[id];
  std::string out = fmt::format("function {}\n", function.name);
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const Block &block = function.blocks[b];
    const State &state = result.states[id][b];
    out +=
        fmt::format("block {}{}:{}\n", b, block.line ? fmt::format(" (line {})", block.line) : "",
                    state.isBottom() ? " unreachable" : "");
    if (state.isBottom()) continue;
    for (const std::string &line : factsOf(program, state, id)) out += "  " + line + "\n";
  }
  return out;
}

} // namespace fathom::statics::abstract
