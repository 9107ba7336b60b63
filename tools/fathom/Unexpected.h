// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a command line that a subcommand has no place for, or that it cannot read.
#ifndef FATHOM_TOOLS_UNEXPECTED_H
#define FATHOM_TOOLS_UNEXPECTED_H

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace fathom::tool {

/// What is wrong with the first of `words` (not empty), and what may have been meant: the option
/// that is spelt most like it, or what the subcommand takes instead of a word too many.
std::string unexpectedText(const CLI::App &subcommand, const std::vector<std::string> &words);

/// What is wrong with a value of `subcommand` that is of another type than its option takes, and
/// what is expected: "--theta x: expected a number such as 0.5".
std::string unreadableText(const CLI::App &subcommand, const CLI::ConversionError &error);

/// For a subcommand that has subcommands of its own: what is wrong with the word in the place of
/// one ("": it is missing), and which there are.
std::string noSubcommandText(const CLI::App &subcommand, const std::string &word);

} // namespace fathom::tool
#endif
