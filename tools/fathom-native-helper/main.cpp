// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom-native-helper [--calls] LIBRARY...: executes functions of the host's shared libraries, for
// native/ExternalRunner.h, or with --calls for programs that run natively (native/CallServer.h). No
// LLVM, nothing that a library could get in the way of.
#include "../../runtime/native/external.h"
#include "Calls.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

static void *libraries[256];
static int count;

static void *find(const char *name) {
  for (int i = 0; i < count; ++i)
    if (void *function = dlsym(libraries[i], name)) return function;
  return dlsym(RTLD_DEFAULT, name);
}

int main(int argc, char **argv) {
  const bool forPrograms = argc > 1 && strcmp(argv[1], "--calls") == 0;
  if (forPrograms && !fathom::helper::moveOutOfTheWay(argv)) {
    fprintf(stderr, "this machine does not randomise addresses (kernel.randomize_va_space)\n");
    return 2;
  }
  for (int i = forPrograms ? 2 : 1; i < argc && count < 256; ++i) {
    libraries[count] = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
    if (!libraries[count++]) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
  }
  if (forPrograms) fathom::helper::serveCalls(find);
  fathom_external_serve(find);
}
