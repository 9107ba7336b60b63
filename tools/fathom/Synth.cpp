// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom synth: a C program whose reachable code is known.
#include "Command.h"

#include "program/ControlFlow.h"
#include "program/Load.h"
#include "report/Files.h"
#include "synth/Synth.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace fathom::tool {

namespace {

struct SynthFlags {
  CommonOptions common;
  std::string like;               ///< a program; empty: a random grammar
  std::vector<std::string> given; ///< the options on the command line
  synth::Knobs knobs;
};

constexpr const char *kFolders[] = {"seeds", "witnesses"};

/// part001.c ...
bool isPart(const std::string &name) {
  return name.size() > 6 && name.starts_with("part") && name.ends_with(".c") &&
         name.find_first_not_of("0123456789", 4) == name.size() - 2;
}

/// What an earlier run left in the folder is replaced with --force; whatever else is there stays,
/// and a folder that is not one of ours is not touched.
void clearFolder(const report::Directory &root, bool force) {
  const std::string &path = root.path();
  if (root.entries().empty()) return;
  bool ours = root.exists("grammar.json") && root.exists("truth.json");
  if (!ours)
    throw UsageError(path + ": is not empty and holds no generated program; not even --force "
                            "replaces it: name another folder with -o");
  if (!force)
    throw UsageError(path + ": holds a generated program; name another folder with -o, or replace "
                            "it with --force");
  for (const char *folder : kFolders) orUsage(root.remove(folder));
  for (const std::string &name : root.entries()) {
    if (isPart(name) || name == "program.c" || name == "grammar.json") orUsage(root.remove(name));
  }
}

void checkFolder(const std::string &path, bool force) {
  if (path.empty()) throw UsageError("-o: expected the name of a folder");
  if (!std::filesystem::exists(path)) return;
  if (!std::filesystem::is_directory(path))
    throw UsageError("-o " + path + ": is a file; expected the name of a folder");
  if (std::filesystem::is_empty(path) || force) return;
  throw UsageError(path + ": exists; name another folder with -o, or replace a generated program "
                          "in it with --force");
}

void writeFiles(const synth::Synthesis &made, const CommonOptions &common) {
  report::Directory root = orUsage(report::Directory::openOrCreate(common.output));
  clearFolder(root, common.force);
  report::Directory seeds = orUsage(root.create("seeds")), witnesses;
  if (made.knobs.witnesses) witnesses = orUsage(root.create("witnesses"));
  for (const synth::OutputFile &file : synth::outputFiles(made)) {
    size_t slash = file.name.find('/');
    const report::Directory &in = slash == std::string::npos                  ? root
                                  : file.name.compare(0, slash, "seeds") == 0 ? seeds
                                                                              : witnesses;
    std::string name = slash == std::string::npos ? file.name : file.name.substr(slash + 1);
    orUsage(in.write(name, file.text, file.executable));
  }
}

std::string countLine(const char *what, const synth::Summary::Count &count) {
  return fmt::format("{:<12}{} reachable, {} unreachable\n", what, count.reachable,
                     count.unreachable);
}

/// The program that was the model, and what was made of it, side by side.
std::string modelText(const synth::Model &m) {
  std::string out =
      fmt::format("\n{:<40}{:>12}{:>12}\n", "like " + m.name, "original", "generated");
  auto row = [&](const char *what, auto original, auto generated) {
    out += fmt::format("  {:<38}{:>12}{:>12}\n", what, original, generated);
  };
  const synth::Shape &a = m.original, &b = m.generated;
  row("functions", a.functions, b.functions);
  row("  reachable by calls from main", a.reachable, b.reachable);
  row("pairs of caller and callee", a.calls, b.calls);
  row("longest call chain", a.depth, b.depth);
  row("recursive functions", a.recursive, b.recursive);
  row("loops", a.loops, b.loops);
  row("lines with code", a.lines, b.lines);
  row("cyclomatic complexity, mean", fmt::format("{:.2f}", synth::meanOf(a.complexity)),
      fmt::format("{:.2f}", synth::meanOf(b.complexity)));
  for (auto [what, share] :
       {std::pair("  median", 0.5), {"  p90", 0.9}, {"  p99", 0.99}, {"  largest", 1.0}})
    row(what, synth::quantile(a.complexity, share), synth::quantile(b.complexity, share));
  out += fmt::format("  equal in {} of {} functions; {} dispatchers for indirect calls; {} calls "
                     "made optional",
                     m.sameComplexity, a.functions, m.notes.dispatchers, m.notes.guarded);
  if (m.notes.labels) out += fmt::format("; {} case labels too many", m.notes.labels);
  return out + "\n\n";
}

std::string summaryText(const synth::Synthesis &made, const std::string &folder) {
  synth::Summary s = synth::summaryOf(made.program);
  const std::vector<uint32_t> &c = s.complexity;
  std::string out =
      fmt::format("{:<12}{} lines of C, {} nonterminals, {} seeds\n", "program", made.program.lines,
                  made.grammar.nonterminals.size(), made.seeds.size());
  out += countLine("functions", s.functions) + countLine("statements", s.statements) +
         countLine("branches", s.branches);
  out += fmt::format("{:<12}{:.1f} on average, median {}, at most {} (cyclomatic, per function)\n",
                     "complexity", synth::meanOf(c), synth::quantile(c, 0.5), c.back());
  if (made.model) out += modelText(*made.model);
  if (made.knobs.witnesses)
    out += fmt::format("{:<12}{} inputs that cover everything reachable\n", "witnesses",
                       made.witnesses.size());
  return out +
         fmt::format("in {}: build.sh builds it, truth.json lists what is reachable\n", folder);
}

/// Knobs that are not given have other defaults with --like, and some make no sense there.
synth::Knobs knobsOf(const SynthFlags &flags) {
  auto given = [&](const char *flag) {
    return std::find(flags.given.begin(), flags.given.end(), flag) != flags.given.end();
  };
  if (!given("--like")) return flags.knobs;
  if (flags.like.empty()) throw UsageError("--like: expected the name of a program");
  synth::Knobs knobs = synth::likeDefaults();
  knobs.witnesses = flags.knobs.witnesses;
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  if (given(flag) && !synth::appliesToLike(flag))                                                  \
    throw UsageError(flag ": --like takes this from the program; leave it out");                   \
  if (given(flag)) knobs.field = flags.knobs.field;
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  return knobs;
}

synth::Synthesis makeProgram(const SynthFlags &flags) {
  synth::Knobs knobs = knobsOf(flags);
  if (std::string wrong = synth::validate(knobs); !wrong.empty()) throw UsageError(wrong);
  if (flags.like.empty()) return orUsage(synth::synthesise(knobs));
  llvm::LLVMContext llvmContext;
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  std::unique_ptr<llvm::Module> module =
      orUsage(program::loadProgram(llvmContext, {flags.like}, load));
  llvm::Expected<ControlFlow> flow = program::controlFlowOf(*module);
  if (!flow) throw UsageError("--like " + flags.like + ": " + llvm::toString(flow.takeError()));
  std::string name = std::filesystem::path(flags.like).filename();
  return orUsage(synth::synthesiseLike(*flow, name, knobs));
}

int runSynth(const SynthFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  checkFolder(common.output, common.force);
  synth::Synthesis made = makeProgram(flags);
  if (!made.missed.empty())
    throw InternalError(fmt::format("{} reachable places without an input; nothing was written",
                                    made.missed.size()));
  writeFiles(made, common);
  if (common.json)
    fputs(synth::summaryJson(made).c_str(), stdout);
  else if (!common.quiet)
    fputs(summaryText(made, common.output).c_str(), stdout);
  return kDone;
}

} // namespace

Run declareSynth(CLI::App &app) {
  auto flags = std::make_shared<SynthFlags>();
  app.footer(
      "The program is a recursive-descent parser of a random LL(1) grammar. Shares are "
      "between 0 and 1.\nThe same options produce the same files.\n\nexample:\n  fathom synth "
      "--lines 10000 --unreachable 0.2 --seed 7 -o subject\n  cd subject && ./build.sh && "
      "./program seeds/000001");
  app.add_option("-o,--output", flags->common.output, "the folder for the program")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option(
         "--like", flags->like,
         "take the grammar from the control flow of this program (an executable of "
         "fathom-cc, bitcode or a C file); only some of the options below can be combined with it")
      ->type_name("PROGRAM");
  app.add_flag("--force", flags->common.force, "replace a generated program in that folder");
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  app.add_option(flag, flags->knobs.field, help)                                                   \
      ->capture_default_str()                                                                      \
      ->type_name(std::is_same_v<type, double> ? "SHARE" : "N");
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  app.add_flag("--witnesses", flags->knobs.witnesses,
               "also write witnesses/: inputs, accepted and rejected, that together cover "
               "everything reachable");
  flags->common.add(app, /*withOutput=*/false);
  return [flags, &app](Context &context) {
    for (const CLI::Option *option : app.get_options())
      if (option->count() && !option->get_lnames().empty())
        flags->given.push_back("--" + option->get_lnames()[0]);
    return runSynth(*flags, context);
  };
}

} // namespace fathom::tool
