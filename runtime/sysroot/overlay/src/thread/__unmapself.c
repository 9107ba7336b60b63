/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pthread_impl.h"

__attribute__((__visibility__("default"))) _Noreturn void __fathom_unmap_self(void *, size_t);

void __unmapself(void *base, size_t size) { __fathom_unmap_self(base, size); }
