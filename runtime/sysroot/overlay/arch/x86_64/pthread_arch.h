/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The thread pointer comes from a function: assembly natively, an operation of the engine otherwise.
 */
__attribute__((__visibility__("default"))) void *__fathom_get_tp(void);
static inline uintptr_t __get_tp(void) { return (uintptr_t)__fathom_get_tp(); }

#define MC_PC gregs[REG_RIP]
