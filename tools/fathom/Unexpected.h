// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a command line that a subcommand has no place for.
#ifndef FATHOM_TOOLS_UNEXPECTED_H
#define FATHOM_TOOLS_UNEXPECTED_H

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace fathom::tool {

/// What is wrong with the first of `words` (not empty), and what may have been meant: the option
/// that is spelt most like it, or what the subcommand takes instead of a word too many.
std::string unexpectedText(const CLI::App &subcommand, const std::vector<std::string> &words);

} // namespace fathom::tool
#endif
