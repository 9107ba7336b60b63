// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/BufferCalls.h"

#include <algorithm>
#include <iterator>

namespace fathom::statics {

namespace {

constexpr BufferUse bytesUse(int8_t argument, int8_t bytesAt, bool writes, int8_t timesAt = -1) {
  return {.argument = argument, .bytesAt = bytesAt, .timesAt = timesAt, .writes = writes};
}

constexpr BufferUse textUse(int8_t argument, int8_t textAt, bool writes) {
  return {.argument = argument, .textAt = textAt, .writes = writes};
}

constexpr BufferCall copiesText(std::string_view name) {
  return {.name = name,
          .uses = {textUse(0, 1, true), textUse(1, 1, false)},
          .text = 0,
          .after = TextAfter::Copied,
          .textFrom = 1};
}

/// At most as many bytes as an argument says; the rest is not text, or not all of it.
constexpr BufferCall fills(std::string_view name, int8_t to, int8_t bytesAt, int8_t timesAt = -1) {
  return {.name = name, .uses = {bytesUse(to, bytesAt, true, timesAt)}};
}

constexpr BufferCall receives(std::string_view name, int8_t to, int8_t bytesAt) {
  BufferCall out = fills(name, to, bytesAt);
  out.countOf = bytesAt;
  out.countFails = true;
  return out;
}

constexpr BufferCall sends(std::string_view name, int8_t from, int8_t bytesAt) {
  return {.name = name, .uses = {bytesUse(from, bytesAt, false)}};
}

constexpr BufferCall moves(std::string_view name, int8_t to, int8_t from, int8_t bytesAt) {
  return {.name = name, .uses = {bytesUse(to, bytesAt, true), bytesUse(from, bytesAt, false)}};
}

/// Of characters; the end of a text is none of them. C17, 7.4.1.
constexpr BufferCall classifies(std::string_view name) {
  return {.name = name, .isFalseAtZero = true};
}

/// C17, 7.24.5.
constexpr BufferCall findsCharacter(std::string_view name) {
  return {.name = name, .findsCharacter = true};
}

/// C17, 7.27.3; POSIX: EOVERFLOW.
constexpr BufferCall splitsTime(std::string_view name) {
  return {.name = name, .failsByTime = true};
}

/// In the order of their names.
constexpr BufferCall kBufferCalls[] = {
    classifies("__isspace"),
    moves("bcopy", 1, 0, 2),
    fills("bzero", 0, 1),
    fills("explicit_bzero", 0, 1),
    {.name = "fgets",
     .uses = {bytesUse(0, 1, true)},
     .text = 0,
     .after = TextAfter::Outside,
     .isReturnedOrNull = true},
    {.name = "fread", .uses = {bytesUse(0, 1, true, 2)}, .countOf = 2},
    {.name = "fwrite", .uses = {bytesUse(0, 1, false, 2)}, .countOf = 2},
    fills("getcwd", 0, 1),
    fills("gethostname", 0, 1),
    splitsTime("gmtime"),
    findsCharacter("index"),
    fills("inet_ntop", 2, 3),
    classifies("isalnum"),
    classifies("isalpha"),
    classifies("isblank"),
    classifies("isdigit"),
    classifies("isgraph"),
    classifies("islower"),
    classifies("isprint"),
    classifies("ispunct"),
    classifies("isspace"),
    classifies("isupper"),
    classifies("isxdigit"),
    splitsTime("localtime"),
    {.name = "memcmp", .uses = {bytesUse(0, 2, false), bytesUse(1, 2, false)}},
    moves("memcpy", 0, 1, 2),
    moves("memmove", 0, 1, 2),
    moves("mempcpy", 0, 1, 2),
    fills("memset", 0, 2),
    receives("pread", 1, 2),
    receives("read", 1, 2),
    receives("readlink", 1, 2),
    receives("recv", 1, 2),
    receives("recvfrom", 1, 2),
    findsCharacter("rindex"),
    sends("send", 1, 2),
    {.name = "snprintf", .uses = {bytesUse(0, 1, true)}, .formatAt = 2},
    {.name = "sprintf", .formatAt = 1},
    {.name = "strcat",
     .uses = {{.argument = 0, .textAt = 1, .writes = true, .isBehindText = true},
              textUse(1, 1, false)},
     .text = 0,
     .after = TextAfter::Appended,
     .textFrom = 1},
    findsCharacter("strchr"),
    copiesText("strcpy"),
    {.name = "strdup",
     .uses = {textUse(0, 0, false)},
     .text = BufferCall::kResult,
     .after = TextAfter::Copied,
     .textFrom = 0},
    fills("strftime", 0, 1),
    fills("strlcat", 0, 2),
    fills("strlcpy", 0, 2),
    {.name = "strlen", .uses = {textUse(0, 0, false)}, .lengthOf = 0},
    fills("strncpy", 0, 2),
    {.name = "strnlen", .countOf = 1, .mostTextOf = 0},
    findsCharacter("strrchr"),
    {.name = "time", .isTime = true},
    fills("vsnprintf", 0, 1),
    sends("write", 1, 2),
};
static_assert(std::ranges::is_sorted(kBufferCalls, {}, &BufferCall::name));

/// In the order of their names.
constexpr std::string_view kRepeatable[] = {
    "abs",        "atoi",    "atol",     "atoll",   "getenv",  "index",       "isalnum",
    "isalpha",    "isblank", "isdigit",  "isgraph", "islower", "isprint",     "ispunct",
    "isspace",    "isupper", "isxdigit", "labs",    "memchr",  "memcmp",      "rindex",
    "strcasecmp", "strchr",  "strcmp",   "strcspn", "strlen",  "strncasecmp", "strncmp",
    "strnlen",    "strpbrk", "strrchr",  "strspn",  "strstr",  "tolower",     "toupper",
};
static_assert(std::ranges::is_sorted(kRepeatable));

} // namespace

bool readsInput(std::string_view name) {
  static constexpr std::string_view kInputs[] = {
      "fgets", "fread", "fscanf",   "getdelim", "getenv", "getline",  "gets",
      "pread", "read",  "readline", "readlink", "recv",   "recvfrom", "scanf"};
  static_assert(std::ranges::is_sorted(kInputs));
  return std::ranges::binary_search(kInputs, name);
}

bool readsCharacter(std::string_view name) {
  static constexpr std::string_view kCharacters[] = {"fgetc", "getc", "getc_unlocked", "getchar",
                                                     "getchar_unlocked"};
  return std::ranges::find(kCharacters, name) != std::end(kCharacters);
}

bool isRepeatable(std::string_view name) { return std::ranges::binary_search(kRepeatable, name); }

const BufferCall *findBufferCall(std::string_view name) {
  const auto at = std::ranges::lower_bound(kBufferCalls, name, {}, &BufferCall::name);
  return at == std::end(kBufferCalls) || at->name != name ? nullptr : at;
}

} // namespace fathom::statics
