/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * klee/klee.h in terms of the engine's intrinsics.
 */
#include <fathom/abi.h>
#include <klee/klee.h>
#include <stdarg.h>

enum { kExitGroup = 231, kMmap = 9, kReadWrite = 3, kPrivateFixedAnonymous = 0x32 };

static int interpreted(void) { return __fathom_config(FATHOM_CONFIG_INTERPRETED) == 1; }

void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {
  __fathom_make_symbolic(addr, nbytes, name);
}

int klee_int(const char *name) {
  int value;
  __fathom_make_symbolic(&value, sizeof value, name);
  return value;
}

int klee_range(int begin, int end, const char *name) {
  if (begin >= end) __fathom_report_bug("abort", "klee_range: the range is empty");
  if (begin + 1 == end) return begin;
  int value = klee_int(name);
  __fathom_assume((begin <= value) & (value < end));
  return value;
}

uintptr_t klee_choose(uintptr_t n) {
  uintptr_t value;
  __fathom_make_symbolic(&value, sizeof value, "klee_choose");
  __fathom_assume(value < n);
  return value;
}

void klee_assume(uintptr_t condition) { __fathom_assume(condition != 0); }

void klee_silent_exit(int status) {
  if (interpreted()) __fathom_assume(0);
  __fathom_syscall(kExitGroup, status, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}

void klee_abort(void) { __fathom_report_bug("abort", "klee_abort"); }

static int contains(const char *text, const char *part) {
  for (; *text; text++) {
    size_t i = 0;
    while (part[i] && text[i] == part[i]) i++;
    if (!part[i]) return 1;
  }
  return 0;
}

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  if (suffix && contains(suffix, "assert"))
    __fathom_assert_fail(message, file, (unsigned)line, "klee_report_error");
  __fathom_report_bug("abort", message);
}

size_t klee_get_obj_size(void *ptr) { return __fathom_object_size(ptr); }
unsigned klee_is_symbolic(uintptr_t n) { return (unsigned)__fathom_is_symbolic(n); }
unsigned klee_is_replay(void) { return __fathom_config(FATHOM_CONFIG_REPLAY) == 1; }

void klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  __fathom_prefer(condition != 0);
}
void klee_posix_prefer_cex(void *object, uintptr_t condition) {
  klee_prefer_cex(object, condition);
}
void klee_mark_global(void *object) { (void)object; }

long klee_get_valuel(long expr) {
  return (long)__fathom_concretize((unsigned long)expr, "klee_get_value");
}
long long klee_get_valuell(long long expr) { return klee_get_valuel((long)expr); }
int32_t klee_get_value_i32(int32_t expr) { return (int32_t)klee_get_valuel(expr); }
int64_t klee_get_value_i64(int64_t expr) { return klee_get_valuel(expr); }

float klee_get_valuef(float expr) {
  union {
    float value;
    uint32_t bits;
  } u = {expr};
  u.bits = (uint32_t)__fathom_concretize(u.bits, "klee_get_value");
  return u.value;
}

double klee_get_valued(double expr) {
  union {
    double value;
    uint64_t bits;
  } u = {expr};
  u.bits = __fathom_concretize(u.bits, "klee_get_value");
  return u.value;
}

void klee_check_memory_access(const void *address, size_t size) {
  const volatile char *bytes = address;
  if (size) {
    (void)bytes[0];
    (void)bytes[size - 1];
  }
}

void klee_define_fixed_object(void *addr, size_t nbytes) {
  if (interpreted())
    __fathom_unsupported("klee_define_fixed_object: memory at fixed addresses is not modelled");
  __fathom_syscall(kMmap, (long)addr, (long)nbytes, kReadWrite, kPrivateFixedAnonymous, -1, 0);
}

void klee_set_forking(unsigned enable) {
  if (!enable) __fathom_ledger("harness", "klee_set_forking(0) is not supported: forking goes on");
}

void klee_alias_function(const char *fn_name, const char *new_fn_name) {
  (void)fn_name;
  (void)new_fn_name;
  __fathom_unsupported("klee_alias_function is not supported");
}

/* ---- for the log ---- */

/* The arguments after msg are not typed; KLEE shows the first, and so do we. */
void klee_print_expr(const char *msg, ...) {
  va_list arguments;
  va_start(arguments, msg);
  __fathom_print(msg, va_arg(arguments, unsigned long));
  va_end(arguments);
}

void klee_print_range(const char *name, int arg) { __fathom_print(name, (unsigned long)arg); }
void klee_stack_trace(void) { __fathom_say("klee_stack_trace: stacks are not shown"); }
void klee_warning(const char *message) { __fathom_say(message); }

void klee_warning_once(const char *message) {
  static const char *shown[64]; /* by address, as a message is a literal */
  for (unsigned i = 0; i < 64; i++) {
    if (shown[i] == message) return;
    if (!shown[i]) {
      shown[i] = message;
      break;
    }
  }
  __fathom_say(message);
}

/* The engine knows the first two by their names. */
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_merge(void) {}
