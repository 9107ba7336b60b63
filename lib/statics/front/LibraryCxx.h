// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the table of library functions: C++'s operators that allocate and free
// (C++23, 17.6.3), and what throws and catches, by the names that the Itanium ABI gives them.
#ifndef FATHOM_STATICS_FRONT_LIBRARYCXX_H
#define FATHOM_STATICS_FRONT_LIBRARYCXX_H

#include "statics/front/LibraryRow.h"

namespace fathom::statics::library {

inline constexpr Row makes(std::string_view name) {
  return Row(name).allocates(Allocates::Unwritten).hasSize(0);
}

inline constexpr LibraryFunction kCxx[] = {
    Row("__cxa_throw").endsPath(),
    Row("__cxa_rethrow").endsPath(),
    Row("__cxa_allocate_exception").allocates(Allocates::Unwritten).withSummary([](Summary &s) {
      s.maps = true; // the library frees it
    }),
    Row("__cxa_free_exception").nothing(),
    Row("__cxa_begin_catch").returns(kFirst),
    Row("__cxa_end_catch").nothing(),
    Row("__cxa_pure_virtual").endsPath(),
    Row("__clang_call_terminate").endsPath(),
    Row("_ZSt9terminatev").endsPath(),
    // They throw where there is no memory.
    makes("_Znwm"),
    makes("_Znam"),
    makes("_ZnwmSt11align_val_t"),
    makes("_ZnamSt11align_val_t"),
    makes("_ZnwmRKSt9nothrow_t").mayReturnNull(),
    makes("_ZnamRKSt9nothrow_t").mayReturnNull(),
    makes("_ZnwmSt11align_val_tRKSt9nothrow_t").mayReturnNull(),
    makes("_ZnamSt11align_val_tRKSt9nothrow_t").mayReturnNull(),
    Row("_ZdlPv").frees(),
    Row("_ZdaPv").frees(),
    Row("_ZdlPvm").frees(),
    Row("_ZdaPvm").frees(),
    Row("_ZdlPvSt11align_val_t").frees(),
    Row("_ZdaPvSt11align_val_t").frees(),
    Row("_ZdlPvmSt11align_val_t").frees(),
    Row("_ZdaPvmSt11align_val_t").frees(),
    Row("_ZdlPvSt11align_val_tRKSt9nothrow_t").frees(),
    Row("_ZdaPvSt11align_val_tRKSt9nothrow_t").frees(),
    Row("_ZdlPvRKSt9nothrow_t").frees(),
    Row("_ZdaPvRKSt9nothrow_t").frees(),
};

} // namespace fathom::statics::library
#endif
