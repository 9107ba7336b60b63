// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What external functions do to memory: which of it they read and write, and where a pointer that
// they return points. Descriptions are text, one function a line:
//
//   strchr(string, value) -> pointer 0 or null
//   memcpy(inout 2, in 2, value) -> parameter 0
//   strtok(string, string) inline
//
//   parameter  value       no pointer
//              string      memory up to a zero byte, read
//              in, inout   memory that is read, or read and written: the rest of the object that
//                          the pointer is into
//              in N        ... of as many bytes as the number that is parameter N (memcpy: in 2)
//              inout as N  ... of as many bytes as the string that is parameter N takes, with its
//                          zero byte (strcpy: inout as 1)
//              in until N  ... up to the first byte equal to parameter N (rawmemchr: in until 1)
//   result     value, void
//              parameter N  that parameter itself
//              length N     at most the number of bytes of parameter N's memory
//              pointer N, pointer N or null   into the memory of parameter N, or its end
//   inline     the function is interpreted, if it has a body: it has effects that cannot be told
//   here
//   errno      the function may set errno
//   stateful   what it gives depends on the calls before it, and it changes what later ones give
//
// Parameters count from 0. "#" begins a comment. A later description of a function replaces an
// earlier one. Functions without a description: pointers may be written through unless the function
// says otherwise (LLVM's attributes), memory is followed through the pointers in it, and what is
// returned may point into any of it; errno may be set.
#ifndef FATHOM_EXPLORE_EXTERNAL_EXTERNALEFFECTS_H
#define FATHOM_EXPLORE_EXTERNAL_EXTERNALEFFECTS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::explore {

struct ParameterEffect {
  enum Kind : uint8_t { Value, String, Memory };
  Kind kind = Value;
  bool written = false;
  // Of Memory, one of the next four at most gives its length; with none it is the object's rest.
  int sizeFrom = -1; ///< the parameter that has the number of bytes ("in N"); -1: unused
  int until = -1;    ///< the parameter that the last byte is equal to ("in until N"); -1: unused
  int sizeAs = -1;   ///< the parameter whose string is as long ("inout as N"); -1: unused
  uint64_t byteCount = 0; ///< 0: unused
  /// Value, of inline assembly: it may be a pointer to memory that is read or written.
  bool mayPoint = false;
};

struct FunctionEffects {
  std::vector<ParameterEffect> parameters;
  enum Result : uint8_t { Value, Parameter, Length, Pointer, PointerOrNull };
  Result result = Value;
  int of = -1; ///< the parameter that the result is about; -1: none
  bool isInline = false;
  bool isStateful = false;
  bool setsErrno = false;
};

class EffectTable {
public:
  EffectTable(); ///< with what is known of libc
  /// Adds descriptions. Returns "" or what is wrong: "line 3: ...".
  std::string add(std::string_view text);
  /// Null: not described.
  const FunctionEffects *find(const std::string &function) const;

private:
  std::map<std::string, FunctionEffects, std::less<>> functions_;
};

/// "@string,crc32": the functions that this list of names stands for. Groups: @string, the str* and
/// mem* functions of <string.h>. Returns "" or what is wrong.
std::string expandFunctionNames(std::string_view list, std::vector<std::string> &names);

} // namespace fathom::explore
#endif
