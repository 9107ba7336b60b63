// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ends of a program that the C++ library brings about, each a kind of bug of its own: it says
// what libc++abi says, and reports it.
#include "abort_message.h"
#include "fathom/abi.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

[[noreturn]] void end(const char *kind, const char *format, va_list values) {
  char message[512];
  vsnprintf(message, sizeof message, format, values);
  fprintf(stderr, "libc++abi: %s\n", message);
  if (kind) __fathom_report_bug(kind, message);
  abort();
}

} // namespace

[[noreturn]] void __fathom_uncaught_message(const char *format, ...) {
  va_list values;
  va_start(values, format);
  // std::terminate() was called, and nothing is being thrown.
  const bool isPlain = !strcmp(format, "terminating");
  end(isPlain ? nullptr : "uncaught-exception", format, values);
}

extern "C" {

void abort_message(const char *format, ...) {
  va_list values;
  va_start(values, format);
  end(nullptr, format, values);
}

[[noreturn]] static void endPure(const char *format, ...) {
  va_list values;
  va_start(values, format);
  end("pure-virtual-call", format, values);
}

void __cxa_pure_virtual(void) { endPure("Pure virtual function called!"); }
void __cxa_deleted_virtual(void) { endPure("Deleted virtual function called!"); }

[[noreturn]] void __fathom_library_check(const char *message) noexcept {
  // "FILE:LINE: assertion CONDITION failed: WHAT\n", of which users understand the last.
  static const char begin[] = " failed: ";
  const char *what = strstr(message, begin);
  what = what ? what + sizeof begin - 1 : message;
  char shown[512];
  snprintf(shown, sizeof shown, "assertion of libc++: %.*s", static_cast<int>(strcspn(what, "\n")),
           what);
  fprintf(stderr, "%s\n", shown);
  __fathom_report_bug("library-check", shown);
}
}
