/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Natively assembly, interpreted the model's or the engine's.
 */
#include "pthread_impl.h"
#include <stdarg.h>

__attribute__((__visibility__("default"))) long
__fathom_clone(int (*)(void *), void *, int, void *, int *, void *, int *);

int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
  va_list more;
  va_start(more, argument);
  int *parentTid = va_arg(more, int *);
  void *threadPointer = va_arg(more, void *);
  int *clearTid = va_arg(more, int *);
  va_end(more);
  return __fathom_clone(function, stack, flags, argument, parentTid, threadPointer, clearTid);
}
