// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that the program's own code knows, for a fuzzer that would have to guess them: strings it
// uses, and integers it compares with, in both byte orders.
#ifndef FATHOM_CAMPAIGN_DICTIONARY_H
#define FATHOM_CAMPAIGN_DICTIONARY_H

#include <string>

namespace llvm {
class Module;
}

namespace fathom::campaign {

/// Most words of a dictionary: AFL++ tries every one at every place of an input.
inline constexpr unsigned kMostWords = 200;

/// In AFL++'s form, one "word" per line, each once, in the order in which the program has them;
/// what comparisons name comes before what is only mentioned. Strings of 2 to 32 bytes; integers of
/// 2, 4 and 8 bytes that are larger than a byte. Linear.
std::string extractDictionary(const llvm::Module &module);

} // namespace fathom::campaign
#endif
