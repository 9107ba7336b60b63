// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom synth: flags in, text out. The driver is lib/run/synth/MakeProgram.h.
#include "Command.h"

#include "run/synth/MakeProgram.h"

#include <algorithm>
#include <memory>

namespace fathom::tool {

namespace {

struct SynthFlags {
  CommonOptions common;
  std::string like;               ///< a program; empty: a random grammar
  std::vector<std::string> given; ///< the options on the command line
  synth::Knobs knobs;
};

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

int runSynth(const SynthFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  configureLog(common, context.log);
  const synth::Synthesis made =
      orThrow(run::makeProgram({common.output, common.force, flags.like, knobsOf(flags)}));
  if (common.json)
    fputs(synth::summaryJson(made).c_str(), stdout);
  else if (!common.quiet)
    fputs(synth::summaryText(made, common.output).c_str(), stdout);
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
