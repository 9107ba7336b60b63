// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a coordinator and a worker of another process make sure of each other before anything else is
// said. Both have to be the same build, since paths are logs of its very decisions, and both have
// to know one key, which does not travel: each proves that it has it.
//
//   worker                                    coordinator
//   Hello: build, a nonce, what it has   ->
//                                        <-   Challenge: a nonce, a proof for the worker's nonce
//   Proof: for the coordinator's nonce   ->
//                                        <-   Program, or Refused: why
//   Ready: fingerprint of the program    ->
//                                        <-   Start, or Refused
//
// What follows is neither encrypted nor signed.
#ifndef FATHOM_EXPLORE_WORK_GREETING_H
#define FATHOM_EXPLORE_WORK_GREETING_H

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::explore {

struct Hello {
  std::string magic; ///< kWorkerMagic: it is a worker of ours
  std::string build; ///< of which
  std::string nonce; ///< random
  std::string has;   ///< the name of the program that it has (Parcel::name); "": none
};
inline constexpr const char *kWorkerMagic = "fathom-worker";

struct Challenge {
  std::string nonce, proof;
};

/// What a worker needs for its work.
struct Parcel {
  std::string name; ///< no other parcel has this name
  std::string body; ///< for ServeOptions::load; empty: the worker has it
};

inline constexpr size_t kNonceBytes = 32;
std::string makeNonce();
/// Whoever knows the key can say so of a nonce. `role` keeps one side from sending back what the
/// other has said.
std::string proofOf(const std::string &key, const std::string &role, const std::string &theirs,
                    const std::string &ours);
inline constexpr const char *kWorkerRole = "worker", *kCoordinatorRole = "coordinator";
/// In a time that does not depend on where they differ.
bool isSame(const std::string &a, const std::string &b);

std::string encode(const Hello &hello);
std::string encode(const Challenge &challenge);
std::string encode(const Parcel &parcel);
bool decode(const std::string &body, Hello &hello);
bool decode(const std::string &body, Challenge &challenge);
bool decode(const std::string &body, Parcel &parcel);

} // namespace fathom::explore
#endif
