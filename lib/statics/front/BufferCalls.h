// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many bytes library functions read and write where their arguments point, and what they leave
// there as text. C17, 7.21 and 7.24; POSIX for read and its like.
#ifndef FATHOM_STATICS_FRONT_BUFFERCALLS_H
#define FATHOM_STATICS_FRONT_BUFFERCALLS_H

#include <cstdint>
#include <string_view>

namespace fathom::statics {

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

struct BufferCall {
  std::string_view name;
  BufferUse uses[2] = {};
  int8_t text = -1; ///< the argument with the text; kResult: the result
  TextAfter after = TextAfter::Nothing;
  int8_t textFrom = -1;
  int8_t lengthOf = -1;          ///< the result is the length of this argument's text
  int8_t countOf = -1;           ///< the result is at most the number in this argument
  bool countFails = false;       ///< or it is -1
  bool isReturnedOrNull = false; ///< the result is argument 0, or null
  int8_t mostTextOf = -1;        ///< the result is at most the length of this argument's text
  int8_t formatAt = -1;          ///< the result is the length of what this format makes
  bool findsCharacter = false;   ///< of argument 1 in the text of argument 0
  bool isTime = false;           ///< the result is the time, also where argument 0 points
  bool failsByTime = false;      ///< null only for a time, where argument 0 points, that is far off
  bool isFalseAtZero = false;    ///< the result is 0 where argument 0 is

  static constexpr int8_t kResult = 100;
};

/// nullptr where nothing is known of the name. Cost: logarithmic.
const BufferCall *findBufferCall(std::string_view name);
/// Does it bring text from outside the program?
bool readsInput(std::string_view name);
/// Is its result a character from outside the program?
bool readsCharacter(std::string_view name);
/// Does it only look at its arguments, at the texts behind them, and at the environment? Then it
/// returns the same as long as nothing writes these. Cost: logarithmic.
bool isRepeatable(std::string_view name);

} // namespace fathom::statics
#endif
