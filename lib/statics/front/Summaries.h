// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls of known library functions do to pointers and memory. Their code is not looked at:
// either there is none, or it would join what all callers of the program pass to it.
#ifndef FATHOM_STATICS_FRONT_SUMMARIES_H
#define FATHOM_STATICS_FRONT_SUMMARIES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom::statics {

/// A set of arguments: bit i is argument i.
using ArgumentSet = uint8_t;

/// The result is a new object.
enum class Allocates : uint8_t { Nothing, Unwritten, Zeroed, Copied };

struct Summary {
  std::string_view name;
  Allocates allocates = Allocates::Nothing;
  ArgumentSet returned = 0; ///< the result may point anywhere into their objects
  ArgumentSet read = 0;     ///< memory they point to is read
  ArgumentSet written = 0;  ///< memory they point to is written
  /// Memory of argument `from` is copied to that of argument `to`; -1: to what is allocated.
  /// None where both are 0.
  int8_t to = 0, from = 0;
  int8_t lengthAt = 0; ///< the argument with the number of bytes copied; 0: unknown
  ArgumentSet freed = 0;
  int8_t calls = -1;      ///< the argument that is called
  ArgumentSet passed = 0; ///< with pointers into these, in every position
  int8_t bytesAt = -1; ///< the argument with the size of what is allocated; for calloc the second
  bool allocatesInto = false; ///< what is allocated is stored where argument 0 points
  bool endsPath = false;      ///< never returns
  bool callsContents = false; ///< not argument `calls` itself, but what memory it points to holds

  bool copies() const { return to != from; }
};

/// The summary of the system call with this number, by argument of __fathom_syscall, whose first
/// argument is the number. -1: the number is not known; any call that returns no new memory.
const Summary &systemCall(int64_t number);
/// Which argument is the number, in a function that makes system calls; nullopt: it makes none.
std::optional<unsigned> systemCallNumberAt(std::string_view function);

/// nullptr where nothing is known of the name.
const Summary *findSummary(std::string_view name);

} // namespace fathom::statics
#endif
