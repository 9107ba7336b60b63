// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_VERSION_H
#define FATHOM_API_VERSION_H

/// \file
/// The release of the library.

/// Everything that libfathom offers.
///
/// \code
///   auto program = fathom::api::load({"divide"});
///   if (!program) return complain(program.error().message);
///   fathom::api::ExploreOptions options;
///   options.arguments = {"--sym-stdin", "8"};
///   auto done = fathom::api::explore(*program, options);
///   if (done)
///     for (const fathom::api::Bug &bug : done->bugs) show(bug.kind, bug.message);
/// \endcode
///
/// All functions share four rules:
/// - Failures are values (Result). No function throws, ends the process, or prints.
/// - A function is called from the main thread, while the process has no other thread: most of them
///   fork worker processes. explore(), confirm() and fuzz() refuse to run otherwise.
/// - No function may be called from a callback of another one.
/// - Messages of errors name an option as the command line does; the comment of each member gives
/// that
///   name.
namespace fathom::api {

/// The release, "0.1.0". The string lives as long as the process.
const char *version();

} // namespace fathom::api
#endif
