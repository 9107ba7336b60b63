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
//              in, inout   memory, read; read and written: the whole object pointed into, or as
//                          many bytes as parameter number N says, "in N"; or as many as the string
//                          that is parameter N may have, "inout as N"; or up to a byte that is
//                          parameter N, "in until N"
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
  int sizeFrom = -1;  ///< Memory: the parameter that has the number of bytes; -1: the object's rest
  int until = -1;     ///< Memory: up to a byte that is this parameter, included; -1: not so
  int sizeAs = -1;    ///< Memory: as many bytes as the string that is this parameter; -1: not so
  uint64_t bytes = 0; ///< Memory: so many; 0: not known
  bool mayPoint = false; ///< Value: a number that may be a pointer, to memory that may be written
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
