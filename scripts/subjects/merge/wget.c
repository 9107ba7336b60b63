/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * wget: what takes apart URLs, headers, cookies, HTML, robots.txt, names of hosts and files. */
#include "driver.h"

#include "wget.h"

#include "convert.h"
#include "cookies.h"
#include "hash.h"
#include "host.h"
#include "hsts.h"
#include "html-parse.h"
#include "http-ntlm.h"
#include "http.h"
#include "iri.h"
#include "res.h"
#include "url.h"
#include "utils.h"
#include <stdlib.h>
#include <string.h>

extern struct options opt;

/* What wget's main has set before any of these is called, as far as they look at it. */
void prepare(void) {
  opt.restrict_files_os = restrict_unix;
  opt.restrict_files_case = restrict_no_case_restriction;
}

/* A function that takes a text and tells one number. */
static void tell(uint64_t (*of)(const char *)) {
  char *text = symbolic_text("text");
  show(of(text));
  free(text);
}

/* ... or a new text, or none. */
static void tell_new(char *(*of)(const char *)) {
  char *text = symbolic_text("text");
  char *result = of(text);
  show_found(result);
  free(result);
  free(text);
}

/* ... or changes it. */
static void tell_changed(void (*of)(char *)) {
  char *text = symbolic_text("text");
  of(text);
  show((unsigned char)text[0]);
  free(text);
}

/* ---- url.c ---- */
static void run_url_escape(void) { tell_new(url_escape); }
static void run_url_escape_unsafe_and_reserved(void) { tell_new(url_escape_unsafe_and_reserved); }
static void run_url_unescape(void) { tell_changed(url_unescape); }
static void run_url_unescape_except_reserved(void) { tell_changed(url_unescape_except_reserved); }
static void run_rewrite_shorthand_url(void) { tell_new(rewrite_shorthand_url); }

static uint64_t scheme(const char *text) { return url_scheme(text); }
static void run_url_scheme(void) { tell(scheme); }
static uint64_t has_scheme(const char *text) { return url_has_scheme(text); }
static void run_url_has_scheme(void) { tell(has_scheme); }
static uint64_t valid_scheme(const char *text) { return url_valid_scheme(text); }
static void run_url_valid_scheme(void) { tell(valid_scheme); }

/* "http://" and the text: what else it could begin with is url_scheme's. */
static struct url *parse(char **kept) {
  char *text = symbolic_text("text"), *whole = malloc(room_for(1, 8));
  int error = 0;
  struct iri iri;
  memset(&iri, 0, sizeof iri);
  memcpy(whole, "http://", 7);
  char *to = whole + 7;
  for (const char *from = text; (*to = *from); from++) to++;
  free(text);
  *kept = whole;
  struct url *url = url_parse(whole, &error, &iri, false);
  show((uint64_t)error);
  return url;
}

static void run_url_parse(void) {
  char *text;
  struct url *url = parse(&text);
  if (url) show((uint64_t)url->port);
  if (url) url_free(url);
  free(text);
}

static void run_url_string(void) {
  char *text;
  struct url *url = parse(&text);
  if (url) {
    char *string = url_string(url, URL_AUTH_HIDE_PASSWD);
    show_found(string);
    free(string);
    url_free(url);
  }
  free(text);
}

static void run_url_full_path(void) {
  char *text;
  struct url *url = parse(&text);
  if (url) {
    char *path = url_full_path(url);
    show_found(path);
    free(path);
    url_free(url);
  }
  free(text);
}

/* A URL whose path is the text, to a name of a file. */
static void run_url_file_name(void) {
  char *text = symbolic_text("text"), host[] = "host", empty[] = "";
  struct url url;
  memset(&url, 0, sizeof url);
  url.scheme = SCHEME_HTTP, url.host = host, url.port = 80, url.dir = empty, url.file = text;
  opt.no_dirstruct = true;
  opt.noclobber = true;
  char *name = url_file_name(&url, NULL);
  show_found(name);
  free(name);
  free(text);
}

static void run_uri_merge(void) {
  char *text = symbolic_text("text");
  char *merged = uri_merge("http://host/a/b/c", text);
  show_found(merged);
  free(merged);
  free(text);
}

static void run_are_urls_equal(void) {
  char *text = symbolic_text("text");
  show(are_urls_equal("http://h/%41b", text));
  free(text);
}

/* ---- http.c, http-ntlm.c, cookies.c ---- */
static uint64_t when(const char *text) { return (uint64_t)http_atotm(text); }
static void run_http_atotm(void) { tell(when); }

static void run_extract_param(void) {
  char *text = symbolic_text("text");
  const char *at = text;
  param_token name, value;
  bool isEncoded;
  int count = 0;
  while (extract_param(&at, &name, &value, ';', &isEncoded)) count++;
  show((uint64_t)count);
  free(text);
}

static void run_cookie_handle_set_cookie(void) {
  char *text = symbolic_text("text");
  struct cookie_jar *jar = cookie_jar_new();
  cookie_handle_set_cookie(jar, "host.org", 80, "/a", text);
  cookie_jar_delete(jar);
  free(text);
}

static void run_cookie_header(void) {
  char *text = symbolic_text("path");
  struct cookie_jar *jar = cookie_jar_new();
  cookie_handle_set_cookie(jar, "host.org", 80, "/a/b", "x=1; path=/a");
  cookie_handle_set_cookie(jar, "host.org", 80, "/", "y=2; path=/");
  char *header = cookie_header(jar, "host.org", 80, text, false);
  show_found(header);
  free(header);
  cookie_jar_delete(jar);
  free(text);
}

/* ---- html-parse.c, convert.c, res.c ---- */
static void countTag(struct taginfo *tag, void *count) { *(int *)count += 1 + tag->nattrs; }

static void run_map_html_tags(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("html", &length);
  int count = 0;
  map_html_tags((const char *)bytes, (int)length, countTag, &count, MHT_TRIM_VALUES, NULL, NULL);
  show((uint64_t)count);
  free(bytes);
}

static void run_html_quote_string(void) { tell_new(html_quote_string); }

static void run_res_parse(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("robots", &length);
  show_found(res_parse((const char *)bytes, (int)length));
  free(bytes);
}

static void run_res_match_path(void) {
  static const char kRobots[] = "User-agent: *\nDisallow: /a%2fb\nAllow: /c\nDisallow: /d/\n";
  char *text = symbolic_text("path");
  struct robot_specs *specs = res_parse(kRobots, sizeof kRobots - 1);
  show(res_match_path(specs, text));
  free(text);
}

static uint64_t isRobots(const char *text) { return is_robots_txt_url(text); }
static void run_is_robots_txt_url(void) { tell(isRobots); }

/* ---- host.c ---- */
static void run_is_valid_ipv6_address(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("address", &length);
  show(is_valid_ipv6_address((const char *)bytes, (const char *)bytes + length));
  free(bytes);
}

static uint64_t isAddress(const char *text) { return is_valid_ip_address(text); }
static void run_is_valid_ip_address(void) { tell(isAddress); }

static uint64_t isInDomains(const char *text) {
  static const char *domains[] = {"host.org", ".net", NULL};
  return sufmatch(domains, text);
}
static void run_sufmatch(void) { tell(isInDomains); }

/* ---- utils.c ---- */
static void run_sepstring(void) {
  char *text = symbolic_text("text");
  char **parts = sepstring(text);
  show_found(parts);
  free_vec(parts);
  free(text);
}

static void run_wget_base64_encode(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("bytes", &length);
  char *out = malloc(room_for(2, 8));
  show(wget_base64_encode(bytes, length, out));
  free(out);
  free(bytes);
}

static void run_wget_base64_decode(void) {
  char *text = symbolic_text("text");
  size_t room = room_for(1, 3);
  char *out = malloc(room);
  show((uint64_t)wget_base64_decode(text, out, room));
  free(out);
  free(text);
}

static uint64_t isBelow(const char *text) { return subdir_p("/a/b", text); }
static void run_subdir_p(void) { tell(isBelow); }
static uint64_t endsWith(const char *text) { return match_tail(text, ".HtMl", true); }
static void run_match_tail(void) { tell(endsWith); }
static uint64_t isHtml(const char *text) { return has_html_suffix_p(text); }
static void run_has_html_suffix_p(void) { tell(isHtml); }
static uint64_t matches(const char *text) { return (uint64_t)fnmatch_nocase("a*[b-d]?E", text, 0); }
static void run_fnmatch_nocase(void) { tell(matches); }
static char *mergeFile(const char *text) { return file_merge("/a/b", text); }
static void run_file_merge(void) { tell_new(mergeFile); }
static void run_xstrdup_lower(void) { tell_new(xstrdup_lower); }

const struct driver drivers[] = {DRIVER(url_escape),
                                 DRIVER(url_escape_unsafe_and_reserved),
                                 DRIVER(url_unescape),
                                 DRIVER(url_unescape_except_reserved),
                                 DRIVER(rewrite_shorthand_url),
                                 DRIVER(url_scheme),
                                 DRIVER(url_has_scheme),
                                 DRIVER(url_valid_scheme),
                                 DRIVER(url_parse),
                                 DRIVER(url_string),
                                 DRIVER(url_full_path),
                                 DRIVER(url_file_name),
                                 DRIVER(uri_merge),
                                 DRIVER(are_urls_equal),
                                 DRIVER(http_atotm),
                                 DRIVER(extract_param),
                                 DRIVER(cookie_handle_set_cookie),
                                 DRIVER(cookie_header),
                                 DRIVER(map_html_tags),
                                 DRIVER(html_quote_string),
                                 DRIVER(res_parse),
                                 DRIVER(res_match_path),
                                 DRIVER(is_robots_txt_url),
                                 DRIVER(is_valid_ipv6_address),
                                 DRIVER(is_valid_ip_address),
                                 DRIVER(sufmatch),
                                 DRIVER(sepstring),
                                 DRIVER(wget_base64_encode),
                                 DRIVER(wget_base64_decode),
                                 DRIVER(subdir_p),
                                 DRIVER(match_tail),
                                 DRIVER(has_html_suffix_p),
                                 DRIVER(fnmatch_nocase),
                                 DRIVER(file_merge),
                                 DRIVER(xstrdup_lower),
                                 {NULL, NULL}};
