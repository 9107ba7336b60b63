/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Functions of APR that take apart text: addresses, command lines, patterns, numbers. */
#include <apr_fnmatch.h>
#include <apr_general.h>
#include <apr_network_io.h>
#include <apr_strings.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  apr_pool_t *pool;
  if (size < 1 || apr_initialize() != APR_SUCCESS || apr_pool_create(&pool, NULL) != APR_SUCCESS)
    return 0;
  char *text = apr_pstrmemdup(pool, (const char *)data + 1, size - 1), **arguments, *host, *scope;
  apr_port_t port;
  switch (data[0] % 4) {
  case 0: apr_parse_addr_port(&host, &scope, &port, text, pool); break;
  case 1: apr_tokenize_to_argv(text, &arguments, pool); break;
  case 2: apr_fnmatch(text, "a[b-d]*e?", APR_FNM_PERIOD); break;
  case 3: apr_strtoi64(text, &host, 0); break;
  }
  apr_pool_destroy(pool);
  apr_terminate();
  return 0;
}
