// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom dismiss: flags in, text out. The driver is lib/run/dismiss/Dismiss.h.
#include "Command.h"
#include "Output.h"

#include "report/ShownPath.h"
#include "run/dismiss/Dismiss.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct DismissFlags {
  CommonOptions common;
  run::DismissRequest request;
  std::string undo;
  bool list = false;
};

const char *const kDismissFooter =
    R"(A dismissed bug or report is counted, and not listed, by explore, fuzz, scan, confirm and diff. It is shown again when the code of
its functions changes. Dismissals are kept in fathom-dismissed.jsonl, one line each, in the root of the project's repository: commit this file.

ID is the first digits of an id, as --ids shows it, or the folder of a bug. It is looked for in --from, or in the results folders and *.sarif files of
the working directory.

example:
  fathom scan prog --ids --sarif prog.sarif
  fathom dismiss 3f2a91bc --because 'callers never pass null'
  fathom dismiss out/bugs/000002 --because 'only in the test program'
  fathom dismiss --list
  fathom dismiss --undo 3f2a91bc)";

int list(const DismissFlags &flags) {
  const report::Dismissals all = orThrow(run::listDismissals(flags.request.file));
  put(flags.common.json ? run::dismissalsJson(all) : run::dismissalsText(all));
  return kDone;
}

int runDismiss(const DismissFlags &flags, Context &context) {
  const run::DismissRequest &request = flags.request;
  configureLog(flags.common, context.log);
  const int asked = flags.list + !flags.undo.empty() + !request.id.empty();
  if (asked != 1)
    throw UsageError(asked ? "ID, --list and --undo exclude each other"
                           : "expected an ID with --because, --list, or --undo ID");
  if (request.id.empty() && !request.because.empty())
    throw UsageError("--because: only with an ID that is to be dismissed");
  if (flags.list) return list(flags);
  if (!flags.undo.empty()) {
    const run::DismissDone done = orThrow(run::undoDismissal(flags.undo, request.file));
    if (!flags.common.quiet)
      fmt::print("{} is not dismissed any more, in {}\n",
                 report::shownId(done.dismissal.identity.id), report::shownPath(done.file));
    return kDone;
  }
  if (request.because.empty())
    throw UsageError(fmt::format("{}: say with --because why it needs no repair", request.id));
  run::Session session = context.session();
  const run::DismissDone done = orThrow(run::dismiss(request, session));
  const report::Dismissal &d = done.dismissal;
  if (!flags.common.quiet) {
    fmt::print("dismissed {}: {} {}{}, in {}\n", report::shownId(d.identity.id), d.rule, d.file,
               d.function.empty() ? "" : " in " + d.function, report::shownPath(done.file));
    if (!done.before.empty()) fmt::print("  instead of: {}\n", done.before);
  }
  if (!done.hasCode)
    context.log.warn("the sources were not found, so it stays dismissed whatever changes there");
  return kDone;
}

} // namespace

Run declareDismiss(CLI::App &app) {
  auto flags = std::make_shared<DismissFlags>();
  app.footer(kDismissFooter);
  app.add_option("ID", flags->request.id,
                 "the first digits of an id (at least 4), or the folder of a bug");
  app.add_option("--because", flags->request.because, "why it needs no repair")->type_name("TEXT");
  app.add_option("--from", flags->request.from,
                 "results that have it: a folder, or a file of reports; may be given several times")
      ->allow_extra_args(false)
      ->type_name("RESULTS");
  app.add_option("--file", flags->request.file,
                 "the file of dismissals; default: fathom-dismissed.jsonl above the sources or the "
                 "working directory")
      ->type_name("FILE");
  app.add_flag("--list", flags->list, "list what is dismissed");
  app.add_option("--undo", flags->undo, "dismiss it no longer")->type_name("ID");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runDismiss(*flags, context); };
}

} // namespace fathom::tool
