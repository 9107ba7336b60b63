// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Synth.h"

#include "support/TextError.h"
#include "synth/Derive.h"
#include "synth/Generate.h"
#include "synth/Witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace fathom::synth {

namespace {

constexpr uint64_t kDefaultNonterminals = 40;
constexpr double kTolerance = 0.02; ///< of the number of lines

void make(Synthesis &made, Grammar grammar) {
  made.grammar = std::move(grammar);
  made.reach = analyseReach(made.grammar);
  made.program = emitProgram(made.grammar, made.reach, made.knobs.fileLines);
}

void make(Synthesis &made) { make(made, generateGrammar(made.knobs)); }

uint64_t linesWith(Knobs knobs, uint64_t nonterminals, uint64_t statements) {
  Synthesis sample;
  sample.knobs = knobs;
  sample.knobs.nonterminals = nonterminals;
  sample.knobs.statements = statements;
  make(sample);
  return sample.program.lines;
}

bool near(uint64_t lines, uint64_t wanted) {
  double off = static_cast<double>(lines) - static_cast<double>(wanted);
  return off < kTolerance * static_cast<double>(wanted) &&
         -off < kTolerance * static_cast<double>(wanted);
}

/// Programs shorter than this are made with every number of nonterminals that may be right.
constexpr uint64_t kShort = 3000;

/// Searches for the number of nonterminals that gives about knobs.lines lines. A small program
/// comes first and shows how long nonterminals are. Each number gives another random grammar, so
/// the length of a short program varies much: the nearest of many is taken.
void chooseNonterminals(Synthesis &made) {
  auto wanted = static_cast<double>(made.knobs.lines);
  auto distance = [&](const Synthesis &s) {
    return std::abs(static_cast<double>(s.program.lines) - wanted);
  };
  std::set<uint64_t> tried;
  bool isShort = made.knobs.lines < kShort;
  uint64_t count = isShort ? 1 : std::clamp<uint64_t>(made.knobs.lines / 40, 2, 300);
  uint64_t rounds = isShort ? made.knobs.lines / 8 : 16;
  for (uint64_t round = 0; round < rounds; ++round) {
    Synthesis trial;
    trial.asked = made.asked, trial.knobs = made.knobs;
    trial.knobs.nonterminals = count;
    make(trial);
    tried.insert(count);
    bool tooShort = static_cast<double>(trial.program.lines) < wanted;
    double each = static_cast<double>(trial.program.lines) / static_cast<double>(count);
    if (round == 0 || distance(trial) < distance(made)) made = std::move(trial);
    if (near(made.program.lines, made.asked.lines)) return;
    if (!isShort)
      count = std::clamp<uint64_t>(static_cast<uint64_t>(std::llround(wanted / each)), 1, 1000000);
    while (tried.count(count) && (isShort || count > 1))
      count = isShort || tooShort ? count + 1 : count - 1;
  }
}

/// Searches for the number of statements that gives about knobs.lines lines with the given number
/// of nonterminals.
llvm::Error chooseStatements(Synthesis &made) {
  const Knobs &asked = made.asked;
  uint64_t without = linesWith(asked, asked.nonterminals, 0);
  if (static_cast<double>(without) > (1 + kTolerance) * static_cast<double>(asked.lines))
    return textError(fmt::format("--lines {}: {} nonterminals with these rules take at least {}; "
                                 "expected more lines, or fewer of --nonterminals",
                                 asked.lines, asked.nonterminals, without));
  uint64_t trial = 16, with = linesWith(asked, asked.nonterminals, trial);
  for (int round = 0; round < 4; ++round) {
    double each = static_cast<double>(with - without) / static_cast<double>(trial);
    double rest = static_cast<double>(asked.lines) - static_cast<double>(without);
    trial = rest <= 0 || each <= 0 ? 0 : static_cast<uint64_t>(std::llround(rest / each));
    if (trial > 100000)
      return textError(fmt::format(
          "--lines {}: too many for {} nonterminals; expected at most about "
          "{}, or more of --nonterminals",
          asked.lines, asked.nonterminals, without + static_cast<uint64_t>(each * 100000)));
    made.knobs.statements = trial;
    make(made);
    with = made.program.lines;
    if (trial == 0 || near(with, asked.lines)) break;
  }
  return llvm::Error::success();
}

void makeSeeds(Synthesis &made) {
  Deriver deriver(made.grammar, made.reach);
  Rng rng(made.knobs.seed, /*stream=*/12);
  std::set<std::string> seen;
  // A small language may not have so many.
  for (uint64_t tries = 0; made.seeds.size() < made.knobs.seeds && tries < 20 * made.knobs.seeds;
       ++tries) {
    std::string seed = deriver.random(rng, made.knobs.seedBytes);
    if (seen.insert(seed).second) made.seeds.push_back(std::move(seed));
  }
}

void makeWitnessInputs(Synthesis &made) {
  Covered covered(made.grammar);
  Witnesses inputs = makeWitnesses(made.grammar, made.reach, covered);
  made.missed = std::move(inputs.missed);
  made.witnesses = std::move(inputs.accepted);
  for (std::string &input : inputs.rejected) made.witnesses.push_back(std::move(input));
}

void makeInputs(Synthesis &made) {
  makeSeeds(made);
  if (made.knobs.witnesses) makeWitnessInputs(made);
}

} // namespace

llvm::Expected<Synthesis> synthesise(const Knobs &knobs) {
  if (std::string message = validate(knobs); !message.empty()) return textError(message);
  Synthesis made;
  made.asked = made.knobs = knobs;
  if (knobs.lines && knobs.nonterminals) {
    if (llvm::Error error = chooseStatements(made)) return std::move(error);
  } else if (knobs.lines) {
    chooseNonterminals(made);
  } else {
    if (!knobs.nonterminals) made.knobs.nonterminals = kDefaultNonterminals;
    make(made);
  }
  makeInputs(made);
  return made;
}

llvm::Expected<Synthesis> synthesiseLike(const ControlFlow &program, const std::string &name,
                                         const Knobs &knobs) {
  if (std::string message = validate(knobs); !message.empty()) return textError(message);
  Synthesis made;
  made.asked = made.knobs = knobs;
  Model model;
  model.name = name;
  make(made, likeGrammar(program, knobs, model.notes));
  made.knobs.nonterminals = made.asked.nonterminals = made.grammar.nonterminals.size();
  model.original = shapeOf(program);
  model.generated = shapeOf(made.grammar, made.program);
  model.complexity.resize(made.grammar.nonterminals.size());
  for (size_t f = 0; f < program.functions.size(); ++f) {
    uint32_t i = model.notes.nonterminalOf[f], complexity = program.functions[f].complexity;
    model.complexity[i] = complexity;
    const FunctionTruth &ours = made.program.truth.functions[made.program.functionOf[i]];
    model.sameComplexity += ours.complexity == complexity;
  }
  made.model = std::move(model);
  makeInputs(made);
  return made;
}

std::vector<OutputFile> outputFiles(const Synthesis &made) {
  std::vector<OutputFile> files;
  for (const SourceFile &file : made.program.files) files.push_back({file.name, file.text});
  files.push_back({"main.c", driverText()});
  files.push_back({"build.sh", buildScript(made.program), /*executable=*/true});
  auto inputs = [&](const char *folder, const std::vector<std::string> &all) {
    for (size_t i = 0; i < all.size(); ++i)
      files.push_back({fmt::format("{}/{:06}", folder, i + 1), all[i]});
  };
  inputs("seeds", made.seeds);
  inputs("witnesses", made.witnesses);
  files.push_back({"truth.json", truthJson(made.program)});
  files.push_back({"grammar.json", grammarJson(made)});
  return files;
}

Summary summaryOf(const Program &program) {
  Summary summary;
  for (const FunctionTruth &f : program.truth.functions) {
    summary.functions.add(f.reason);
    summary.complexity.push_back(f.complexity);
  }
  for (const StatementTruth &s : program.truth.statements) summary.statements.add(s.reason);
  for (const BranchTruth &b : program.truth.branches) summary.branches.add(b.reason);
  std::sort(summary.complexity.begin(), summary.complexity.end());
  return summary;
}

} // namespace fathom::synth
