// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Greeting.h"

#include "support/Bytes.h"
#include "support/Check.h"

#include "llvm/Support/SHA256.h"

#include <sys/random.h>

namespace fathom::explore {

template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, Hello>
void eachField(S &h, F f) {
  f(h.magic), f(h.build), f(h.nonce), f(h.has);
}
template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, Challenge>
void eachField(S &c, F f) {
  f(c.nonce), f(c.proof);
}
template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, Parcel>
void eachField(S &p, F f) {
  f(p.name), f(p.body);
}

namespace {

std::string sha256(const std::string &a, const std::string &b) {
  llvm::SHA256 hash;
  hash.update(a);
  hash.update(b);
  const auto digest = hash.final();
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

/// HMAC-SHA-256 (RFC 2104).
std::string hmac(const std::string &key, const std::string &message) {
  constexpr size_t kBlock = 64;
  std::string padded = key.size() > kBlock ? sha256(key, "") : key;
  padded.resize(kBlock);
  std::string inner = padded, outer = padded;
  for (char &c : inner) c ^= 0x36;
  for (char &c : outer) c ^= 0x5c;
  return sha256(outer, sha256(inner, message));
}

} // namespace

std::string makeNonce() {
  std::string nonce(kNonceBytes, 0);
  FATHOM_CHECK(getrandom(nonce.data(), nonce.size(), 0) == static_cast<ssize_t>(nonce.size()),
               "the system gives no random bytes");
  return nonce;
}

std::string proofOf(const std::string &key, const std::string &role, const std::string &theirs,
                    const std::string &ours) {
  return hmac(key, role + '\0' + theirs + ours);
}

bool isSame(const std::string &a, const std::string &b) {
  if (a.size() != b.size()) return false;
  unsigned differ = 0;
  for (size_t i = 0; i < a.size(); i++) differ |= static_cast<unsigned char>(a[i] ^ b[i]);
  return !differ;
}

std::string encode(const Hello &hello) { return toBytes(hello); }
std::string encode(const Challenge &challenge) { return toBytes(challenge); }
std::string encode(const Parcel &parcel) { return toBytes(parcel); }
bool decode(const std::string &body, Hello &hello) { return fromBytes(body, hello); }
bool decode(const std::string &body, Challenge &challenge) { return fromBytes(body, challenge); }
bool decode(const std::string &body, Parcel &parcel) { return fromBytes(body, parcel); }

} // namespace fathom::explore
