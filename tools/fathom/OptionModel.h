// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line as data: `fathom --describe-options` prints every subcommand and option as
// JSON, and scripts/make-pages turns that into manual pages and shell completions. So --help, the
// manual and the completions cannot differ.
#ifndef FATHOM_TOOLS_OPTIONMODEL_H
#define FATHOM_TOOLS_OPTIONMODEL_H

#include <CLI/CLI.hpp>

#include <string>

namespace fathom::tool {

/// Says which values an option takes, for completions. `names`: "a, b or c", as NameTable::names()
/// has it; a name that ends in "=" goes on with text that nothing can complete. Neither --help nor
/// what the option accepts changes.
void withValues(CLI::App &app, const char *option, const std::string &names);

/// The option with which main() asks for the model; --help does not show it.
inline constexpr const char *kDescribeOptions = "--describe-options";

/// The same for the kinds of bugs: a list of objects {"name", "cwe", "engine", "scan",
/// "condition"}.
inline constexpr const char *kDescribeKinds = "--describe-kinds";
std::string describeKinds();

/// The same for the categories that a ledger may have: {"name", "sentence", "assumption"}.
inline constexpr const char *kDescribeLedger = "--describe-ledger";
std::string describeLedger();

/// Describes the options of an application, all of whose subcommands are declared.
std::string describeOptions(CLI::App &app);

} // namespace fathom::tool
#endif
