// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom synth: a C program of which is known what can be reached.
#include "Command.h"

#include "report/Files.h"
#include "synth/Synth.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace fathom::tool {

namespace {

struct SynthFlags {
  CommonOptions common;
  synth::Knobs knobs;
};

constexpr const char *kFolders[] = {"seeds", "witnesses"};

/// What an earlier run left in the folder is replaced with --force; whatever else is there stays,
/// and a folder that is not one of ours is not touched.
void clearFolder(const report::Directory &root, bool force) {
  const std::string &path = root.path();
  if (root.entries().empty()) return;
  bool ours = root.exists("grammar.json") && root.exists("truth.json");
  if (!ours)
    throw UsageError(path + ": is not empty and holds no generated program; nothing of it is "
                            "touched, also not with --force: name another folder with -o");
  if (!force)
    throw UsageError(path + ": holds a generated program; name another folder with -o, or replace "
                            "it with --force");
  for (const char *folder : kFolders) orUsage(root.remove(folder));
  for (const std::string &name : root.entries()) {
    bool part = name.rfind("part", 0) == 0 && name.size() > 2 && name.ends_with(".c");
    if (part || name == "program.c" || name == "grammar.json") orUsage(root.remove(name));
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

std::string summaryText(const synth::Synthesis &made, const std::string &folder) {
  synth::Summary s = synth::summaryOf(made.program);
  const std::vector<uint32_t> &c = s.complexity;
  std::string out =
      fmt::format("{:<12}{} lines of C, {} nonterminals, {} seeds\n", "program", made.program.lines,
                  made.grammar.nonterminals.size(), made.seeds.size());
  out += countLine("functions", s.functions) + countLine("statements", s.statements) +
         countLine("branches", s.branches);
  out += fmt::format("{:<12}{:.1f} on average, median {}, at most {} (cyclomatic, per function)\n",
                     "complexity", s.meanComplexity, c[c.size() / 2], c.back());
  if (made.knobs.witnesses)
    out +=
        fmt::format("{:<12}{} inputs that cover all of it\n", "witnesses", made.witnesses.size());
  return out +
         fmt::format("in {}: build.sh builds it, truth.json says what is reachable\n", folder);
}

int runSynth(const SynthFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  if (std::string wrong = synth::validate(flags.knobs); !wrong.empty()) throw UsageError(wrong);
  checkFolder(common.output, common.force);
  synth::Synthesis made = orUsage(synth::synthesise(flags.knobs));
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
  app.footer("The program is the recursive-descent parser of a random LL(1) grammar. Shares are "
             "between 0 and 1.\nThe same options give the same files.\n\nexample:\n  fathom synth "
             "--lines 10000 --unreachable 0.2 --seed 7 -o subject\n  cd subject && ./build.sh && "
             "./program seeds/000001");
  app.add_option("-o,--output", flags->common.output, "the folder for the program")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_flag("--force", flags->common.force, "replace a generated program in that folder");
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  app.add_option(flag, flags->knobs.field, help)                                                   \
      ->capture_default_str()                                                                      \
      ->type_name(std::is_same_v<type, double> ? "SHARE" : "N");
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  app.add_flag("--witnesses", flags->knobs.witnesses,
               "also leave witnesses/: inputs, accepted and rejected, that together cover "
               "everything reachable");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runSynth(*flags, context); };
}

} // namespace fathom::tool
