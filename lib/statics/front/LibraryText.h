// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the table of library functions: texts, characters, numbers, and formats.
#ifndef FATHOM_STATICS_FRONT_LIBRARYTEXT_H
#define FATHOM_STATICS_FRONT_LIBRARYTEXT_H

#include "statics/front/LibraryRow.h"

namespace fathom::statics::library {

constexpr Row copiesText(std::string_view name) {
  return Row(name).copies(0, 1).returns(kFirst).takes(kFirst | kSecond);
}
constexpr Row duplicatesText(std::string_view name) {
  return Row(name)
      .duplicates()
      .withSummary([](Summary &s) { s.textAt = 0; })
      .takes(kFirst)
      .mayReturnNull()
      .readsText(0)
      .leavesText(BufferCall::kResult, TextAfter::Copied, 0);
}
/// C17, 7.24.5.
constexpr Row findsCharacter(std::string_view name) {
  return finds(name, kFirst).isRepeatable().withBuffer([](BufferCall &b) {
    b.findsCharacter = true;
  });
}
constexpr Row compares(std::string_view name, Compares what = Compares::Nothing) {
  return Row(name)
      .looksAt(kFirst | kSecond)
      .isRepeatable()
      .isHarmless()
      .withBuffer([&](BufferCall &b) { b.compares = what; });
}
/// One of its arguments: a translation is as constant as what it translates.
constexpr Row translates(std::string_view name, ArgumentSet texts) {
  return Row(name).reads(texts).returns(texts);
}
constexpr Row computes(std::string_view name) { return Row(name).isRepeatable().isHarmless(); }
/// Of characters; the end of a text is none of them. C17, 7.4.1.
constexpr Row classifies(std::string_view name) {
  return computes(name).withBuffer([](BufferCall &b) { b.isFalseAtZero = true; });
}
constexpr Row converts(std::string_view name) {
  return Row(name).looksAt(kFirst).isRepeatable().isHarmless();
}

inline constexpr LibraryFunction kText[] = {
    // C17, 7.24
    copiesText("strcpy")
        .uses({.argument = 0, .textAt = 1, .writes = true})
        .readsText(1)
        .leavesText(0, TextAfter::Copied, 1),
    copiesText("strncpy").writesBytes(0, 2),
    copiesText("stpcpy"),
    copiesText("__stpcpy"),
    copiesText("stpncpy"),
    copiesText("__stpncpy"),
    copiesText("strcat")
        .uses({.argument = 0, .textAt = 1, .writes = true, .isBehindText = true})
        .readsText(1)
        .leavesText(0, TextAfter::Appended, 1),
    copiesText("strncat"),
    Row("strlcpy").copies(0, 1).writesBytes(0, 2),
    Row("strlcat").copies(0, 1).writesBytes(0, 2),
    duplicatesText("strdup"),
    duplicatesText("__strdup"),
    Row("strndup").duplicates().takes(kFirst).mayReturnNull(),
    findsCharacter("strchr"),
    findsCharacter("strrchr"),
    findsCharacter("index"),
    findsCharacter("rindex"),
    Row("strchrnul").looksAt(kFirst).returns(kFirst),
    Row("__strchrnul").looksAt(kFirst).returns(kFirst),
    finds("strstr", kFirst | kSecond).isRepeatable(),
    finds("strcasestr", kFirst | kSecond).isRepeatable(),
    finds("strpbrk", kFirst | kSecond).isRepeatable(),
    Row("strlen").looksAt(kFirst).readsText(0).isRepeatable().isHarmless().withBuffer(
        [](BufferCall &b) { b.lengthOf = 0; }),
    Row("strnlen").reads(kFirst).countsUpTo(1).isRepeatable().isHarmless().withBuffer(
        [](BufferCall &b) { b.mostTextOf = 0; }),
    compares("strcmp", Compares::Texts),
    compares("strncmp", Compares::Beginnings),
    compares("strcasecmp"),
    compares("strncasecmp"),
    compares("strspn"),
    compares("strcspn"),
    Row("strcoll").takes(kFirst | kSecond).isHarmless(),
    Row("strtok")
        .takes(kSecond)
        .but([](LibraryFunction &f) { f.usedUnlessNull = kFirst; })
        .mayReturnNull(),
    Row("wcslen").isHarmless(),
    Row("wcscmp").isHarmless(),
    translates("gettext", kFirst),
    translates("dgettext", kSecond),
    translates("dcgettext", kSecond),
    translates("ngettext", kFirst | kSecond),
    translates("dngettext", kSecond | kThird),
    translates("dcngettext", kSecond | kThird),

    // C17, 7.22.1
    converts("atoi"),
    converts("atol"),
    converts("atoll"),
    Row("atof").takes(kFirst),
    Row("mbstowcs").takes(kSecond),
    Row("regcomp").takes(kFirst | kSecond),
    Row("regexec").takes(kFirst | kSecond),
    Row("iconv_open").takes(kFirst | kSecond),
    Row("strtod").takes(kFirst),
    Row("strtol").takes(kFirst),
    Row("strtoul").takes(kFirst),
    computes("abs"),
    computes("labs"),
    computes("llabs"),
    Row("rand").isHarmless(),
    Row("random").isHarmless(),
    Row("srand").isHarmless(),
    Row("srandom").isHarmless(),

    // C17, 7.4
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
    classifies("__isspace"),
    Row("isascii").isHarmless(),
    Row("iscntrl").isHarmless(),
    computes("tolower"),
    computes("toupper"),

    // C17, 7.21.6
    Row("printf").takesFormat(0).takes(kFirst).isHarmless(),
    Row("vprintf").takesFormat(0).takes(kFirst).isHarmless(),
    Row("fprintf").takesFormat(1).takes(kFirst | kSecond).isHarmless(),
    Row("vfprintf").takesFormat(1).takes(kFirst | kSecond).isHarmless(),
    Row("dprintf").takesFormat(1).takes(kSecond),
    Row("vdprintf").takesFormat(1).takes(kSecond),
    Row("sprintf").putsFormatted(1).takes(kFirst | kSecond),
    Row("vsprintf").putsFormatted(1, /*takesList=*/true).takes(kFirst | kSecond),
    Row("snprintf").putsFormatted(2).takes(kThird).writesBytes(0, 1),
    Row("vsnprintf").putsFormatted(2, /*takesList=*/true).takes(kThird).writesBytes(0, 1),
    Row("asprintf").allocatesFormatted(1).takes(kFirst | kSecond),
    Row("vasprintf").allocatesFormatted(1, /*takesList=*/true).takes(kFirst | kSecond),
    Row("scanf").putsText(1, TextWriter::kAllFurther).readsInput(),
    Row("fscanf").takes(kFirst | kSecond).putsText(2, TextWriter::kAllFurther).readsInput(),
    Row("sscanf").takes(kFirst | kSecond).putsText(2, TextWriter::kAllFurther),
    Row("syslog").takesFormat(1),
    Row("vsyslog").takesFormat(1),
    Row("warn").takesFormat(0),
    Row("warnx").takesFormat(0),
    Row("vwarn").takesFormat(0),
    Row("vwarnx").takesFormat(0),
    Row("err").takesFormat(1),
    Row("errx").takesFormat(1),
    Row("verr").takesFormat(1),
    Row("verrx").takesFormat(1),
    Row("error").takesFormat(2),
    Row("error_at_line").takesFormat(4),
};

} // namespace fathom::statics::library
#endif
