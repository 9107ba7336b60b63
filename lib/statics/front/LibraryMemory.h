// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the table of library functions: allocators, bytes, sorting, and jumps.
#ifndef FATHOM_STATICS_FRONT_LIBRARYMEMORY_H
#define FATHOM_STATICS_FRONT_LIBRARYMEMORY_H

#include "statics/front/LibraryRow.h"

namespace fathom::statics::library {

inline constexpr LibraryFunction kMemory[] = {
    // C17, 7.22.3
    Row("malloc").allocates(Allocates::Unwritten).hasSize(0).mayReturnNull(),
    Row("calloc").allocates(Allocates::Zeroed).hasSize(1, 0).mayReturnNull(),
    Row("aligned_alloc").allocates(Allocates::Unwritten).hasSize(1).mayReturnNull(),
    Row("memalign").allocates(Allocates::Unwritten).hasSize(1).mayReturnNull(),
    Row("valloc").allocates(Allocates::Unwritten).mayReturnNull(),
    Row("pvalloc").allocates(Allocates::Unwritten).mayReturnNull(),
    Row("posix_memalign")
        .allocates(Allocates::Unwritten)
        .writes(kFirst)
        .withSummary([](Summary &s) { s.allocatesInto = true; }),
    Row("realloc").duplicates().frees().hasSize(1).mayReturnNull(),
    Row("reallocarray").duplicates().frees().hasSize(2, 1).mayReturnNull(),
    Row("free").frees(),
    Row("cfree").frees(),
    Row("__libc_malloc").allocates(Allocates::Unwritten),
    Row("__libc_malloc_impl").allocates(Allocates::Unwritten),
    Row("__libc_calloc").allocates(Allocates::Zeroed),
    Row("__libc_realloc").duplicates().frees(),
    Row("__libc_free").frees(),

    // C17, 7.24.2
    Row("memcpy").copies(0, 1, 2).returns(kFirst).takes(kFirst | kSecond),
    Row("memmove").copies(0, 1, 2).returns(kFirst).takes(kFirst | kSecond),
    Row("mempcpy").copies(0, 1, 2).returns(kFirst).takes(kFirst | kSecond),
    Row("__memcpy_chk").copies(0, 1, 2).returns(kFirst).takes(kFirst | kSecond),
    Row("memccpy").copies(0, 1).returns(kFirst).takes(kFirst | kSecond),
    Row("bcopy").copies(1, 0, 2),
    Row("memset").setsBytes(2).returns(kFirst).takes(kFirst),
    Row("bzero").writes(kFirst).writesBytes(0, 1),
    Row("explicit_bzero").writes(kFirst).writesBytes(0, 1),
    finds("memchr", kFirst).isRepeatable(),
    finds("memrchr", kFirst),
    finds("memmem", kFirst | kThird),
    Row("__memrchr").looksAt(kFirst).returns(kFirst),
    Row("rawmemchr").looksAt(kFirst).returns(kFirst),
    Row("memcmp")
        .looksAt(kFirst | kSecond)
        .readsBytes(0, 2)
        .readsBytes(1, 2)
        .isRepeatable()
        .isHarmless(),
    Row("bcmp").looksAt(kFirst | kSecond).isHarmless(),
    Row("__va_copy").copies(0, 1),

    // C17, 7.22.5
    Row("qsort").reads(kFirst).writes(kFirst).calls(3, kFirst).takes(kFourth),
    Row("qsort_r").reads(kFirst).writes(kFirst).calls(3, kFirst | kFifth).takes(kFourth),
    Row("bsearch")
        .reads(kSecond)
        .returns(kSecond)
        .calls(4, kFirst | kSecond)
        .takes(kFirst)
        .mayReturnNull(),

    // C17, 7.13
    Row("setjmp").nothing(),
    Row("_setjmp").nothing(),
    Row("__setjmp").nothing(),
    Row("sigsetjmp").nothing(),
    Row("__sigsetjmp").nothing(),
    Row("longjmp").endsPath(),
    Row("_longjmp").endsPath(),
    Row("siglongjmp").endsPath(),
};

} // namespace fathom::statics::library
#endif
