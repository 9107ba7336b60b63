// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a patch can replace at a line of C: *holes*.
//
//   if (i <= n) sum = sum + i;
//       ------        -------     a condition, a value; and a guard before each statement
//
// The text is read without knowledge of types or macros. A hole is wherever one of these forms
// begins on the line: the condition of `if`, `while` or `for`; what is assigned, returned, or a
// variable is initialised with; a statement that is no declaration, which a guard may skip.
#ifndef FATHOM_REPAIR_PLACE_H
#define FATHOM_REPAIR_PLACE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::repair {

enum class HoleKind : uint8_t { Condition, Value, Guard };
const char *textOf(HoleKind kind); ///< "condition", "value", "guard"

struct Hole {
  HoleKind kind = HoleKind::Condition;
  size_t begin = 0, end = 0; ///< bytes of the source; of a guard, those of the statement
  std::string original;      ///< what is there
  std::string assigned;      ///< of a value: what it is assigned to; "" when it is returned
  bool isDeclared = false;   ///< `assigned` is declared there, and cannot be read yet
  bool isUpdate = false;     ///< += and the like: `assigned` gets another value than this one
  bool needsBraces = false;  ///< of a guard: the statement is the body of another one
};

/// In the order of the text. None: no such form begins there.
std::vector<Hole> holesAt(std::string_view source, uint32_t line);

/// The source with `expression` in the hole. Of a guard: `if (expression) statement`.
std::string fill(std::string_view source, const Hole &hole, std::string_view expression);

/// The lvalues in memory that an expression reads, as it writes them: `b[i]`, `p->n`, `*p`,
/// `(*p).n`, `*(p + 1)`. Shape: each once, in the order of their occurrence; plain variables are
/// left out, and so are pointers that it only follows.
std::vector<std::string> lvaluesOf(std::string_view expression);

/// Whether evaluating it once more, or not at all, makes no difference: no call, no assignment.
bool isPure(std::string_view expression);
/// Whether evaluating it always evaluates all of it: it has no && || ?:.
bool hasNoShortCircuit(std::string_view expression);
/// Whether its value is 0 or 1 as the result of a comparison or logical operator: `a < b` and
/// `(int)!a`; not `a < b ? c : d`, `x + (a < b)`, `f(a < b)`, where such a result only takes part.
bool isBooleanValued(std::string_view expression);

/// Decimal, octal and hexadecimal integers below 2^31 and character constants in the lines,
/// ascending, each once.
std::vector<int64_t> numbersNear(std::string_view source, uint32_t firstLine, uint32_t lastLine);

} // namespace fathom::repair
#endif
