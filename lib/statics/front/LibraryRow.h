// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the table of library functions: the words in which a row says what a function does.
//
//   Row("memcpy").copies(0, 1, 2).returns(kFirst).takes(kFirst | kSecond)
//
// Arguments are counted from 0 where one is meant, and are kFirst and so on where several may be.
#ifndef FATHOM_STATICS_FRONT_LIBRARYROW_H
#define FATHOM_STATICS_FRONT_LIBRARYROW_H

#include "statics/front/LibraryFunctions.h"

namespace fathom::statics::library {

inline constexpr ArgumentSet kFirst = 1, kSecond = 2, kThird = 4, kFourth = 8, kFifth = 16;
constexpr ArgumentSet setOf(int8_t argument) { return static_cast<ArgumentSet>(1 << argument); }

class Row {
public:
  constexpr explicit Row(std::string_view name) { f_.name = name; }
  constexpr operator LibraryFunction() const { return f_; }

  // For what has no word of its own. Each is defined before it is used, as constants need it.
  template <class Change> constexpr Row but(Change &&change) const {
    Row row = *this;
    change(row.f_);
    return row;
  }
  template <class Change> constexpr Row withSummary(Change &&change) const {
    return but([&](LibraryFunction &f) {
      if (!f.summary) f.summary = Summary{.name = f.name};
      change(*f.summary);
    });
  }
  template <class Change> constexpr Row withBuffer(Change &&change) const {
    return but([&](LibraryFunction &f) { change(f.buffer); });
  }

  // Its summary, if it has one of these. Alone, `nothing` says that it does nothing to memory.
  constexpr Row nothing() const {
    return withSummary([](Summary &) {});
  }
  constexpr Row reads(ArgumentSet arguments) const {
    return withSummary([&](Summary &s) { s.read |= arguments; });
  }
  constexpr Row writes(ArgumentSet arguments) const {
    return withSummary([&](Summary &s) { s.written |= arguments; });
  }
  constexpr Row returns(ArgumentSet arguments) const {
    return withSummary([&](Summary &s) { s.returned |= arguments; });
  }
  /// \param lengthAt  which argument has the number of bytes; 0: none
  constexpr Row copies(int8_t to, int8_t from, int8_t lengthAt = 0) const {
    const Row row = reads(setOf(from)).writes(setOf(to)).withSummary([&](Summary &s) {
      s.to = to;
      s.from = from;
      s.lengthAt = lengthAt;
    });
    return lengthAt ? row.writesBytes(to, lengthAt).readsBytes(from, lengthAt) : row;
  }
  /// Each of so many bytes to which the first argument points.
  constexpr Row setsBytes(int8_t lengthAt) const {
    return writes(kFirst).writesBytes(0, lengthAt).withSummary([&](Summary &s) {
      s.sets = true;
      s.lengthAt = lengthAt;
    });
  }
  constexpr Row allocates(Allocates how) const {
    return withSummary([&](Summary &s) { s.allocates = how; });
  }
  constexpr Row hasSize(int8_t bytesAt, int8_t timesAt = -1) const {
    return withSummary([&](Summary &s) {
      s.bytesAt = bytesAt;
      s.timesAt = timesAt;
    });
  }
  /// New memory with what the first argument points to.
  constexpr Row duplicates() const {
    return allocates(Allocates::Copied).reads(kFirst).withSummary([](Summary &s) { s.to = -1; });
  }
  constexpr Row frees() const {
    return withSummary([](Summary &s) { s.freed = kFirst; });
  }
  constexpr Row calls(int8_t argument, ArgumentSet passed) const {
    return withSummary([&](Summary &s) {
      s.calls = argument;
      s.passed = passed;
    });
  }
  constexpr Row endsPath() const {
    return withSummary([](Summary &s) { s.endsPath = true; });
  }

  // Null, files, and what else it is known for.
  /// They are not null.
  constexpr Row takes(ArgumentSet arguments) const {
    return but([&](LibraryFunction &f) { f.dereferenced |= arguments; });
  }
  /// It reads what they point to, and they are not null.
  constexpr Row looksAt(ArgumentSet arguments) const { return reads(arguments).takes(arguments); }
  constexpr Row mayReturnNull() const {
    return but([](LibraryFunction &f) { f.mayReturnNull = true; });
  }
  constexpr Row opensFile() const {
    return mayReturnNull().but([](LibraryFunction &f) { f.opens = Opens::File; });
  }
  constexpr Row opensNumber() const {
    return but([](LibraryFunction &f) { f.opens = Opens::Number; });
  }
  constexpr Row closes() const {
    return but([](LibraryFunction &f) { f.closed = kFirst; });
  }
  constexpr Row isHarmless() const {
    return but([](LibraryFunction &f) { f.isHarmless = true; });
  }
  constexpr Row isRepeatable() const {
    return but([](LibraryFunction &f) { f.isRepeatable = true; });
  }
  constexpr Row readsInput() const {
    return but([](LibraryFunction &f) { f.readsInput = true; });
  }
  constexpr Row returnsCharacter() const {
    return but([](LibraryFunction &f) { f.returnsCharacter = true; });
  }
  constexpr Row endsProgram() const {
    return but([](LibraryFunction &f) { f.endsProgram = true; });
  }
  constexpr Row isUnsafe(std::string_view why, std::string_view instead) const {
    return but([&](LibraryFunction &f) { f.danger = {why, instead}; });
  }

  // Formats, and text from outside.
  constexpr Row takesFormat(int8_t at) const {
    return but([&](LibraryFunction &f) { f.format.at = at; });
  }
  /// What the format makes goes to where the first argument points.
  constexpr Row putsFormatted(int8_t at, bool takesList = false) const {
    return takesFormat(at).but([&](LibraryFunction &f) {
      f.format.into = 0;
      f.format.takesList = takesList;
    });
  }
  /// A pointer to what the format makes goes there.
  constexpr Row allocatesFormatted(int8_t at, bool takesList = false) const {
    return putsFormatted(at, takesList).but([](LibraryFunction &f) { f.format.allocates = true; });
  }
  /// \param last  if it is to several arguments
  constexpr Row putsText(int8_t first, int8_t last = -1) const {
    return but(
        [&](LibraryFunction &f) { f.puts = {.first = first, .last = last < 0 ? first : last}; });
  }
  /// New text, and a pointer to it where the first argument points.
  constexpr Row putsNewText() const {
    return but([](LibraryFunction &f) { f.puts = {.first = 0, .last = 0, .allocates = true}; });
  }

  // Ranges of bytes, and texts.
  constexpr Row uses(BufferUse use) const {
    return but([&](LibraryFunction &f) {
      BufferUse *uses = f.buffer.uses;
      (uses[0].argument < 0 ? uses[0] : uses[1]) = use;
    });
  }
  constexpr Row writesBytes(int8_t argument, int8_t bytesAt, int8_t timesAt = -1) const {
    return uses({.argument = argument, .bytesAt = bytesAt, .timesAt = timesAt, .writes = true});
  }
  constexpr Row readsBytes(int8_t argument, int8_t bytesAt, int8_t timesAt = -1) const {
    return uses({.argument = argument, .bytesAt = bytesAt, .timesAt = timesAt});
  }
  constexpr Row readsText(int8_t argument) const {
    return uses({.argument = argument, .textAt = argument});
  }
  constexpr Row leavesText(int8_t at, TextAfter how, int8_t from = -1) const {
    return withBuffer([&](BufferCall &b) {
      b.text = at;
      b.after = how;
      b.textFrom = from;
    });
  }
  /// Up to the number in this argument, or, if it may fail, -1.
  constexpr Row countsUpTo(int8_t argument, bool mayFail = false) const {
    return withBuffer([&](BufferCall &b) {
      b.countOf = argument;
      b.countFails = mayFail;
    });
  }

private:
  LibraryFunction f_;
};

/// It puts up to so many bytes where an argument points, from outside the program, and counts them.
constexpr Row receives(std::string_view name, int8_t to, int8_t bytesAt) {
  return Row(name)
      .writesBytes(to, bytesAt)
      .countsUpTo(bytesAt, /*mayFail=*/true)
      .putsText(to)
      .readsInput();
}
constexpr Row sends(std::string_view name, int8_t from, int8_t bytesAt) {
  return Row(name).readsBytes(from, bytesAt).countsUpTo(bytesAt, /*mayFail=*/true);
}
/// A place in the first argument, or none.
constexpr Row finds(std::string_view name, ArgumentSet read) {
  return Row(name).looksAt(read).returns(kFirst).mayReturnNull();
}

} // namespace fathom::statics::library
#endif
