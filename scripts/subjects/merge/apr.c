/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * APR: texts, escapes, numbers, tables, names of files. */
#include "driver.h"

#include <apr_cstr.h>
#include <apr_encode.h>
#include <apr_escape.h>
#include <apr_file_info.h>
#include <apr_fnmatch.h>
#include <apr_general.h>
#include <apr_hash.h>
#include <apr_network_io.h>
#include <apr_strings.h>
#include <apr_tables.h>
#include <stdlib.h>

static apr_pool_t *pool;

void prepare(void) {
  if (apr_initialize() != APR_SUCCESS || apr_pool_create(&pool, NULL) != APR_SUCCESS) exit(2);
}

/* ---- texts ---- */
static void run_apr_strnatcmp(void) {
  char *text = symbolic_text("text");
  show((uint64_t)apr_strnatcmp(text, "pic 05 of 12"));
  free(text);
}

static void run_apr_collapse_spaces(void) {
  char *text = symbolic_text("text");
  show_found(apr_collapse_spaces(text, text));
  free(text);
}

static void run_apr_tokenize_to_argv(void) {
  char *text = symbolic_text("text"), **arguments = NULL;
  show((uint64_t)apr_tokenize_to_argv(text, &arguments, pool));
  free(text);
}

static void run_apr_strtok(void) {
  char *text = symbolic_text("text"), *rest;
  uint64_t count = 0;
  for (char *part = apr_strtok(text, " \t", &rest); part; part = apr_strtok(NULL, " \t", &rest))
    count++;
  show(count);
  free(text);
}

static void run_apr_cpystrn(void) {
  char *text = symbolic_text("text");
  char *to = malloc(room_for(1, 1));
  show((uint64_t)(apr_cpystrn(to, text, room_for(1, 1)) - to));
  free(to);
  free(text);
}

static void run_apr_fnmatch(void) {
  char *text = symbolic_text("text");
  show((uint64_t)apr_fnmatch("a[b-d]*e?", text, APR_FNM_PERIOD));
  free(text);
}

static void run_apr_cstr_split(void) {
  char *text = symbolic_text("text");
  show((uint64_t)apr_cstr_split(text, ",;", 1, pool)->nelts);
  free(text);
}

static void run_apr_cstr_count_newlines(void) {
  char *text = symbolic_text("text");
  show((uint64_t)apr_cstr_count_newlines(text));
  free(text);
}

static void run_apr_cstr_casecmp(void) {
  char *text = symbolic_text("text");
  show((uint64_t)apr_cstr_casecmp(text, "Content-Type"));
  free(text);
}

/* ---- numbers and addresses ---- */
static void run_apr_strtoi64(void) {
  char *text = symbolic_text("text"), *end;
  show((uint64_t)apr_strtoi64(text, &end, 0));
  free(text);
}

static void run_apr_parse_addr_port(void) {
  char *text = symbolic_text("text"), *host = NULL, *scope = NULL;
  apr_port_t port = 0;
  show((uint64_t)apr_parse_addr_port(&host, &scope, &port, text, pool));
  show(port);
  free(text);
}

/* ---- escapes ---- */
static void run_apr_pescape_shell(void) {
  char *text = symbolic_text("text");
  show_found(apr_pescape_shell(pool, text));
  free(text);
}

static void run_apr_punescape_url(void) {
  char *text = symbolic_text("text");
  show_found(apr_punescape_url(pool, text, "/", NULL, 1));
  free(text);
}

static void run_apr_pescape_path(void) {
  char *text = symbolic_text("text");
  show_found(apr_pescape_path(pool, text, 0));
  free(text);
}

static void run_apr_pescape_entity(void) {
  char *text = symbolic_text("text");
  show_found(apr_pescape_entity(pool, text, 1));
  free(text);
}

static void run_apr_punescape_entity(void) {
  char *text = symbolic_text("text");
  show_found(apr_punescape_entity(pool, text));
  free(text);
}

static void run_apr_punescape_hex(void) {
  char *text = symbolic_text("text");
  apr_size_t length = 0;
  show_found(apr_punescape_hex(pool, text, 1, &length));
  free(text);
}

static void run_apr_pdecode_base64(void) {
  char *text = symbolic_text("text");
  apr_size_t length = 0;
  show_found(apr_pdecode_base64(pool, text, APR_ENCODE_STRING, APR_ENCODE_NONE, &length));
  free(text);
}

/* ---- names of files ---- */
static void run_apr_filepath_root(void) {
  char *text = symbolic_text("path");
  const char *root = NULL, *rest = text;
  show((uint64_t)apr_filepath_root(&root, &rest, 0, pool));
  free(text);
}

static void run_apr_filepath_merge(void) {
  char *text = symbolic_text("path"), *merged = NULL;
  show((uint64_t)apr_filepath_merge(&merged, "/a/b", text, APR_FILEPATH_NOTABOVEROOT, pool));
  free(text);
}

static void run_apr_filepath_list_split(void) {
  char *text = symbolic_text("paths");
  apr_array_header_t *parts = NULL;
  show((uint64_t)apr_filepath_list_split(&parts, text, pool));
  if (parts) show((uint64_t)parts->nelts);
  free(text);
}

/* ---- tables ---- */
static void run_apr_table_get(void) {
  char *text = symbolic_text("key");
  apr_table_t *table = apr_table_make(pool, 4);
  apr_table_set(table, "Accept", "1");
  apr_table_set(table, "Host", "2");
  apr_table_set(table, "Content-Length", "3");
  show_found(apr_table_get(table, text));
  free(text);
}

static void run_apr_table_merge(void) {
  char *text = symbolic_text("key");
  apr_table_t *table = apr_table_make(pool, 4);
  apr_table_set(table, "Accept", "1");
  apr_table_merge(table, text, "2");
  show((uint64_t)apr_table_elts(table)->nelts);
  free(text);
}

static void run_apr_hash_get(void) {
  char *text = symbolic_text("key");
  apr_hash_t *hash = apr_hash_make(pool);
  apr_hash_set(hash, "a", APR_HASH_KEY_STRING, "1");
  apr_hash_set(hash, "bc", APR_HASH_KEY_STRING, "2");
  show_found(apr_hash_get(hash, text, APR_HASH_KEY_STRING));
  free(text);
}

const struct driver drivers[] = {DRIVER(apr_strnatcmp),
                                 DRIVER(apr_collapse_spaces),
                                 DRIVER(apr_tokenize_to_argv),
                                 DRIVER(apr_strtok),
                                 DRIVER(apr_cpystrn),
                                 DRIVER(apr_fnmatch),
                                 DRIVER(apr_cstr_split),
                                 DRIVER(apr_cstr_count_newlines),
                                 DRIVER(apr_cstr_casecmp),
                                 DRIVER(apr_strtoi64),
                                 DRIVER(apr_parse_addr_port),
                                 DRIVER(apr_pescape_shell),
                                 DRIVER(apr_punescape_url),
                                 DRIVER(apr_pescape_path),
                                 DRIVER(apr_pescape_entity),
                                 DRIVER(apr_punescape_entity),
                                 DRIVER(apr_punescape_hex),
                                 DRIVER(apr_pdecode_base64),
                                 DRIVER(apr_filepath_root),
                                 DRIVER(apr_filepath_merge),
                                 DRIVER(apr_filepath_list_split),
                                 DRIVER(apr_table_get),
                                 DRIVER(apr_table_merge),
                                 DRIVER(apr_hash_get),
                                 {NULL, NULL}};
