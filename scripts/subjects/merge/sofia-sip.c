/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Sofia-SIP: the parsers of SIP's headers, of URLs, session descriptions and whole messages. */
#include "driver.h"

#include <sofia-sip/msg_date.h>
#include <sofia-sip/sdp.h>
#include <sofia-sip/sip_extra.h>
#include <sofia-sip/sip_header.h>
#include <sofia-sip/sip_parser.h>
#include <sofia-sip/su_alloc.h>
#include <sofia-sip/url.h>
#include <stdlib.h>
#include <string.h>

void prepare(void) {}

/* One header's text, parsed. */
#define HEADERS(X)                                                                                 \
  X(via)                                                                                           \
  X(from)                                                                                          \
  X(to)                                                                                            \
  X(contact)                                                                                       \
  X(route)                                                                                         \
  X(cseq)                                                                                          \
  X(call_id)                                                                                       \
  X(max_forwards)                                                                                  \
  X(expires)                                                                                       \
  X(content_length)                                                                                \
  X(content_type)                                                                                  \
  X(content_disposition)                                                                           \
  X(accept)                                                                                        \
  X(allow)                                                                                         \
  X(date)                                                                                          \
  X(timestamp)                                                                                     \
  X(retry_after)                                                                                   \
  X(event)                                                                                         \
  X(subscription_state)                                                                            \
  X(refer_to)                                                                                      \
  X(replaces)                                                                                      \
  X(reason)                                                                                        \
  X(rack)                                                                                          \
  X(rseq)                                                                                          \
  X(session_expires)                                                                               \
  X(min_se)                                                                                        \
  X(privacy)                                                                                       \
  X(security_client) X(authorization) X(call_info) X(warning) X(user_agent) X(request) X(status)

#define RUN(header)                                                                                \
  static void run_sip_##header(void) {                                                             \
    char *text = symbolic_text("text");                                                            \
    su_home_t *home = su_home_new(sizeof *home);                                                   \
    show_found(sip_##header##_make(home, text));                                                   \
    su_home_unref(home);                                                                           \
    free(text);                                                                                    \
  }
HEADERS(RUN)

static void run_url_make(void) {
  char *text = symbolic_text("text");
  su_home_t *home = su_home_new(sizeof *home);
  show_found(url_make(home, text));
  su_home_unref(home);
  free(text);
}

static void run_url_unescape(void) {
  char *text = symbolic_text("text");
  char *to = malloc(room_for(1, 1));
  show_found(url_unescape(to, text));
  free(to);
  free(text);
}

static void run_msg_date_d(void) {
  char *text = symbolic_text("text");
  const char *at = text;
  msg_time_t date = 0;
  show((uint64_t)msg_date_d(&at, &date));
  free(text);
}

/* A description that has what is required before the symbolic part. */
static void run_sdp_parse(void) {
  static const char kHead[] = "v=0\r\no=- 1 1 IN IP4 h\r\ns=-\r\nc=IN IP4 h\r\nt=0 0\r\n";
  char *text = symbolic_text("text"), *whole = malloc(sizeof kHead + room_for(1, 1)), *to = whole;
  for (const char *from = kHead; *from; from++) *to++ = *from;
  for (const char *from = text; (*to = *from); from++) to++;
  sdp_parser_t *parser = sdp_parse(NULL, whole, to - whole, 0);
  show_found(sdp_session(parser));
  sdp_parser_free(parser);
  free(whole);
  free(text);
}

/* A request whose further headers are symbolic. */
static void run_msg_make(void) {
  static const char kHead[] = "OPTIONS sip:h SIP/2.0\r\nCSeq: 1 OPTIONS\r\n";
  char *text = symbolic_text("text"), *whole = malloc(sizeof kHead + room_for(1, 1)), *to = whole;
  for (const char *from = kHead; *from; from++) *to++ = *from;
  for (const char *from = text; (*to = *from); from++) to++;
  msg_t *message = msg_make(sip_default_mclass(), 0, whole, to - whole);
  show_found(message);
  msg_destroy(message);
  free(whole);
  free(text);
}

#define ENTRY(header) DRIVER(sip_##header),
const struct driver drivers[] = {HEADERS(ENTRY) DRIVER(url_make),
                                 DRIVER(url_unescape),
                                 DRIVER(msg_date_d),
                                 DRIVER(sdp_parse),
                                 DRIVER(msg_make),
                                 {NULL, NULL}};
