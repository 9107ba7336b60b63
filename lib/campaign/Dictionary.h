// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that the program's own code knows, for a fuzzer that would have to guess them: strings it
// uses, and integers it compares with, in both byte orders. And words that a user knows, from
// AFL's dictionary files.
#ifndef FATHOM_CAMPAIGN_DICTIONARY_H
#define FATHOM_CAMPAIGN_DICTIONARY_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::campaign {

/// Most words of a dictionary: AFL++ tries every one at every place of an input.
inline constexpr unsigned kMaxWords = 200;

/// In AFL++'s form, one "word" per line, each once, in the order in which the program has them;
/// what comparisons name comes before what is only mentioned. Strings of 2 to 32 bytes; integers of
/// 2, 4 and 8 bytes that are larger than a byte. Linear.
std::string extractDictionary(const llvm::Module &module);

/// The longest word that AFL++ takes from a dictionary.
inline constexpr size_t kLongestWord = 128;

/// The words of a user's dictionary, in its order, each once: a file in AFL's form, or a folder
/// whose files are one word each.
///
///   # a comment
///   name="value"          name may be missing; escapes are \\, \" and \xNN
///   name@2="value"        taken from level 2 on only
///
/// \param source  path, or path@LEVEL (default level: 0), as afl-fuzz takes it.
/// Errors: a file that cannot be read; a line that is none of these, as "file:line: what is wrong";
/// an empty word, or one of more than kLongestWord bytes; no word at all. Linear.
llvm::Expected<std::vector<std::string>> readDictionary(const std::string &source);

/// A dictionary in AFL++'s form: first these words, then the lines of `known` (extractDictionary)
/// that are none of them.
std::string joinDictionaries(const std::vector<std::string> &words, const std::string &known);

} // namespace fathom::campaign
#endif
