// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the table of library functions: the engine's own, which abi.h describes.
#ifndef FATHOM_STATICS_FRONT_LIBRARYENGINE_H
#define FATHOM_STATICS_FRONT_LIBRARYENGINE_H

#include "statics/front/LibraryRow.h"

namespace fathom::statics::library {

inline constexpr LibraryFunction kEngine[] = {
    Row("__fathom_alloc").allocates(Allocates::Unwritten),
    Row("__fathom_map").allocates(Allocates::Zeroed),
    Row("__fathom_repeat_movs").copies(0, 1),
    Row("__fathom_repeat_stos").writes(kFirst),
    Row("__fathom_make_symbolic").writes(kFirst).reads(kThird),
    Row("__fathom_assume").nothing(),
    Row("__fathom_input").reads(kSecond | kThird),
    Row("__fathom_sized_input").writes(kFirst).reads(kThird),
    Row("__fathom_set_size").nothing(),
    Row("__fathom_output").reads(kSecond),
    Row("__fathom_exit").endsPath(),
    Row("__fathom_killed").endsPath(),
    Row("__fathom_assert_fail").endsPath(),
    Row("__fathom_report_bug").endsPath(),
    Row("__fathom_unsupported").endsPath(),
    Row("__fathom_thread_end").endsPath(),
    Row("__fathom_deadlock").endsPath(),
    Row("__fathom_ledger").nothing(),
    Row("__fathom_missing_file").nothing(),
    Row("__fathom_is_symbolic").nothing(),
    Row("__fathom_is_zero").nothing(),
    Row("__fathom_concretize").returns(kFirst),
    Row("__fathom_fork_values").returns(kFirst),
    Row("__fathom_host_stat").writes(kThird).reads(kFirst),
    Row("__fathom_host_read").writes(kThird).reads(kFirst),
    Row("__fathom_host_dirent").writes(kThird).reads(kFirst),
    Row("__fathom_host_readlink").writes(kSecond).reads(kFirst),
    Row("__fathom_config").nothing(),
    Row("__fathom_config_string").writes(kSecond),
    Row("__fathom_object_size").nothing(),
    Row("__fathom_prefer").nothing(),
    Row("__fathom_print").nothing(),
    Row("__fathom_say").nothing(),
    Row("__fathom_thread_switch").nothing(),
    Row("__fathom_thread_create").calls(1, kThird),
    Row("__fathom_allocation_fails").nothing(),
    Row("__fathom_cxx_throws").nothing(),
    Row("__fathom_cxx_caught").nothing(),
    Row("__fathom_unmap").nothing(),
    Row("__fathom_unmap_self").endsPath(),
    Row("__fathom_clone").calls(0, kFourth),
};

} // namespace fathom::statics::library
#endif
