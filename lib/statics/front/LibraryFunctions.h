// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is known of the functions of C's library, and of the engine's: a row for each name. What
// a row says is of use to several analyses, so each finds the row of a function in Facts, where it
// was looked up once. The rows: LibraryMemory.h, LibraryText.h, LibraryFiles.h, LibraryEngine.h,
// LibraryCxx.h.
//
// Guarantee: a function of which there is a row keeps none of the pointers that it gets, and writes
// at most to where they lead. Where it has a summary, that says more, and is all that it does.
#ifndef FATHOM_STATICS_FRONT_LIBRARYFUNCTIONS_H
#define FATHOM_STATICS_FRONT_LIBRARYFUNCTIONS_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fathom::statics {

/// A set of arguments: bit i is argument i.
using ArgumentSet = uint8_t;

/// The result is a new object.
enum class Allocates : uint8_t { Nothing, Unwritten, Zeroed, Copied };

/// What a call does to pointers and memory. The function's code is not looked at: either there is
/// none, or it would join what all callers of the program pass to it.
struct Summary {
  std::string_view name{}; ///< in texts
  Allocates allocates = Allocates::Nothing;
  ArgumentSet returned = 0; ///< the result may point anywhere into their objects
  ArgumentSet read = 0;     ///< memory they point to is read
  ArgumentSet written = 0;  ///< memory they point to is written
  /// Memory of argument `from` is copied to that of argument `to`; -1: to what is allocated.
  /// None where both are 0.
  int8_t to = 0, from = 0;
  int8_t lengthAt = 0; ///< the argument with the number of bytes copied or set; 0: unknown
  bool sets = false;   ///< argument 1 is the byte that memory of argument 0 is set to
  ArgumentSet freed = 0;
  int8_t calls = -1;          ///< the argument that is called
  ArgumentSet passed = 0;     ///< with pointers into these, in every position
  int8_t bytesAt = -1;        ///< the argument with the size of what is allocated
  int8_t timesAt = -1;        ///< times this one
  int8_t textAt = -1;         ///< instead: it is as large as this argument's text with its end
  bool allocatesInto = false; ///< what is allocated is stored where argument 0 points
  bool maps = false;          ///< what is allocated is no heap's: free does not take it
  bool endsPath = false;      ///< never returns
  bool callsContents = false; ///< not argument `calls` itself, but what memory it points to holds

  constexpr bool copies() const { return to != from; }
};

/// Memory from where an argument points on. Its size is that of a text with the zero at its end, or
/// a number of bytes that arguments give.
struct BufferUse {
  int8_t argument = -1; ///< -1: none
  int8_t textAt = -1;   ///< as long as the text of this argument, with its end
  int8_t bytesAt = -1;  ///< as many bytes as this argument says
  int8_t timesAt = -1;  ///< times this argument
  bool writes = false;
  bool isBehindText = false; ///< it begins at the end of the text that is there
};

/// What is known of a text after the call.
enum class TextAfter : uint8_t {
  Nothing,
  Copied,   ///< the text of argument `textFrom`
  Appended, ///< what was there, and behind it the text of argument `textFrom`
  Outside,  ///< anything that fits, also nothing: it comes from outside the program
};

/// What the result says if it is 0: the texts of the first two arguments are equal.
enum class Compares : uint8_t {
  Nothing,
  Texts,
  Beginnings, ///< of as many bytes as argument 2 says
};

/// How many bytes a call reads and writes where its arguments point, what it leaves there as text,
/// and what its result says. C17, 7.21 and 7.24; POSIX for read and its like.
struct BufferCall {
  BufferUse uses[2] = {};
  int8_t text = -1; ///< the argument with the text; kResult: the result
  TextAfter after = TextAfter::Nothing;
  int8_t textFrom = -1;
  int8_t lengthOf = -1;          ///< the result is the length of this argument's text
  int8_t countOf = -1;           ///< the result is at most the number in this argument
  bool countFails = false;       ///< or it is -1
  int8_t flagsAt = -1;           ///< or more, if flags in this argument ask for that
  bool isReturnedOrNull = false; ///< the result is argument 0, or null
  int8_t mostTextOf = -1;        ///< the result is at most the length of this argument's text
  bool findsCharacter = false;   ///< of argument 1 in the text of argument 0
  bool isTime = false;           ///< the result is the time, also where argument 0 points
  bool failsByTime = false;      ///< null only for a time, where argument 0 points, that is far off
  bool isFalseAtZero = false;    ///< the result is 0 where argument 0 is
  Compares compares = Compares::Nothing;

  static constexpr int8_t kResult = 100;
};

/// It takes a format like printf.
struct FormatUse {
  int8_t at = -1;         ///< the argument; -1: it takes none
  int8_t into = -1;       ///< the argument that says where the text goes; -1: to no memory
  bool takesList = false; ///< arguments as a va_list, of which nothing is known
  bool allocates = false; ///< `into` is where a pointer to the text is stored

  constexpr bool isTaken() const { return at >= 0; }
  /// Does the result say how long the text is? Others fail where a file or an allocation does.
  constexpr bool returnsLength() const { return into >= 0 && !allocates; }
};

/// It puts text from outside, or made of text, where arguments point.
struct TextWriter {
  int8_t first = -1, last = -1; ///< these arguments; -1: it puts none
  bool allocates = false;       ///< a pointer to new text is stored there, too

  constexpr bool isTo(uint32_t argument) const {
    return static_cast<int64_t>(argument) >= first && static_cast<int64_t>(argument) <= last;
  }
  static constexpr int8_t kAllFurther = 127;
};

/// What is a file or directory to be closed.
enum class Opens : uint8_t {
  Nothing,
  File,   ///< the result, a pointer
  Number, ///< the result, a file descriptor
};

/// No caller can use it safely.
struct Danger {
  std::string_view why{}, instead{};
};

struct LibraryFunction {
  std::string_view name{};
  std::optional<Summary> summary{}; ///< none: its code is looked at, where there is some
  BufferCall buffer{};
  FormatUse format{};
  TextWriter puts{};
  ArgumentSet dereferenced = 0;   ///< null is not allowed
  ArgumentSet usedUnlessNull = 0; ///< what they point to is, where they are not null
  ArgumentSet closed = 0;         ///< files and directories
  Opens opens = Opens::Nothing;
  bool mayReturnNull = false;    ///< an allocation that fails, a lookup that finds nothing
  bool readsInput = false;       ///< it brings text from outside the program
  bool returnsCharacter = false; ///< from outside the program
  /// It only looks at its arguments, at the texts behind them, and at the environment: it returns
  /// the same as long as nothing writes these.
  bool isRepeatable = false;
  /// It changes nothing of the program's memory but errno, and comes back.
  bool isHarmless = false;
  bool endsProgram = false;
  std::optional<Danger> danger{};
};

/// nullptr where nothing is known of the name. Of a function of the program that has this name it
/// says nothing: Function::known is null there. Cost: logarithmic.
const LibraryFunction *findLibraryFunction(std::string_view name);
/// All rows, by name.
std::span<const LibraryFunction *const> libraryFunctions();

} // namespace fathom::statics
#endif
