// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C code reduced to what the compiler sees of it: the same code in two versions of a program,
// wherever it is now. Comments, spaces and line breaks are gone.
//
// Functions are found by counting braces, without a preprocessor: after #else, the count is that
// at #if. Where macros hide braces, what counts as one function may be several.
#ifndef FATHOM_REPORT_SOURCECODE_H
#define FATHOM_REPORT_SOURCECODE_H

#include "report/SourceLines.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fathom::report {

/// FNV-1a over texts: the same on every machine and in every run.
class TextHash {
public:
  /// "ab", "c" and "a", "bc" differ.
  TextHash &mix(const std::string &text);
  std::string text() const; ///< 16 hexadecimal digits

private:
  uint64_t hash_ = 0xcbf29ce484222325ull;
};

class SourceCode {
public:
  /// `lines` outlives it.
  explicit SourceCode(SourceLines &lines) : lines_(lines) {}
  /// The words of a line from a column on (0 and 1: all of it), one space between two of them; ""
  /// where there is no such line.
  std::string line(const std::string &file, uint32_t number, uint32_t column = 0);
  /// The words of the function around a line, or of the declaration; `name`, which it may have
  /// otherwise, is left out. Outside of both: those of the lines next to it. "": the file is not
  /// there.
  std::string around(const std::string &file, uint32_t number, const std::string &name);

private:
  struct Piece {
    uint32_t first = 0, last = 0; ///< lines
    std::string words;            ///< each with a line end
  };
  static std::vector<Piece> piecesOf(const std::vector<std::string> &lines);
  const std::vector<Piece> &pieces(const std::string &file);

  SourceLines &lines_;
  std::map<std::string, std::vector<Piece>> pieces_;
};

} // namespace fathom::report
#endif
