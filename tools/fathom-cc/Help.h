// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_CC_HELP_H
#define FATHOM_CC_HELP_H

namespace fathom::cc {

/// What --help says before clang's own list, in the form of fathom's help: scripts/make-pages makes
/// fathom-cc(1) from it.
extern const char *const kHelp;

} // namespace fathom::cc
#endif
