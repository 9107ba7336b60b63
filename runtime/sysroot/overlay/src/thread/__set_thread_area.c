/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pthread_impl.h"

__attribute__((__visibility__("default"))) int __fathom_set_tp(void *);

int __set_thread_area(void *p) { return __fathom_set_tp(p); }
