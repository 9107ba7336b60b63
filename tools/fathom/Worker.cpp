// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom worker: flags in, one line out. The driver is lib/run/cluster/Serve.h.
#include "Command.h"

#include "run/cluster/Serve.h"

#include <memory>

namespace fathom::tool {

namespace {

struct WorkerFlags {
  CommonOptions common;
  run::ServeRequest request;
};

const char *const kWorkerFooter =
    R"(The coordinator sends the program, so the machines need no files in common; but Fathom has to be the same build on both. A worker ends
with the exploration, and may be killed at any time: other workers do again what it had not told. Without --key, the key is
taken from the environment variable FATHOM_WORKER_KEY.

example:
  fathom explore prog --sym-stdin 8 --listen node1:7000 --key key    (on node1; head -c 32 /dev/urandom | base64 made the key)
  fathom worker --connect node1:7000 --key key --jobs 8              (on other machines, with a copy of the key))";

int runWorker(WorkerFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  flags.common.checkJobs();
  if (!flags.common.maxTime.empty())
    throw UsageError("--max-time: the coordinator says when the exploration ends");
  flags.request.jobs = flags.common.jobs;
  flags.request.limits = flags.common.limits();
  run::Session session = context.session();
  const run::ServeOutcome outcome = orThrow(run::serve(flags.request, session));
  if (outcome.isGone) {
    context.log.warn(outcome.line);
    return kInternal;
  }
  context.log.announce(outcome.line);
  return kDone;
}

} // namespace

Run declareWorker(CLI::App &app) {
  auto flags = std::make_shared<WorkerFlags>();
  app.footer(kWorkerFooter);
  app.add_option("--connect", flags->request.connect, "the coordinator: fathom explore --listen")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option("--key", flags->request.key, "the key that the coordinator has, too")
      ->type_name("FILE");
  app.add_option("--max-memory", flags->common.maxMemory,
                 "memory limit of these workers together; default: what Slurm gives, or 70 % of "
                 "free memory")
      ->type_name("SIZE");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runWorker(*flags, context); };
}

} // namespace fathom::tool
