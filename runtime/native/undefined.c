/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where arithmetic of the program is undefined in a variant that checks it
 * (lib/campaign/UndefinedPass.h): the process ends with a report as of any crash.
 */
#include "../posix/syscalls.h"
#include "crash.h"

_Noreturn void __fathom_undefined(int check) {
  static struct fathom_crash crash;
  crash.check = (unsigned long)check;
  __fathom_checkFailed(&crash, (unsigned long)__builtin_return_address(0),
                       *(unsigned long *)__builtin_frame_address(0));
}
