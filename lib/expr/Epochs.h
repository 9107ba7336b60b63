// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Process-wide epochs for marks that live in nodes: a mark counts only while its epoch is current,
// so starting over costs one increment. When a 32-bit counter wraps, every context clears its nodes
// and the generation changes; holders of an old epoch then take a new one.
#ifndef FATHOM_EXPR_EPOCHS_H
#define FATHOM_EXPR_EPOCHS_H

#include <cstdint>
#include <functional>

namespace fathom::expr {

class Epochs {
public:
  /// An epoch never handed out before in this generation; never 0.
  static uint32_t take();
  /// Makes sure that the next half of all epochs are of one generation: for callers that take many
  /// and must not be interrupted.
  static void reserve();
  static uint32_t generation() { return generation_; }
  /// `clear` is called when the counter wraps.
  static void onRestart(const void *owner, std::function<void()> clear);
  static void forget(const void *owner);
  /// For tests: the next take() is this close to wrapping.
  static void setNextForTest(uint32_t next) { next_ = next; }

private:
  static void restart();
  static inline uint32_t next_ = 1;
  static inline uint32_t generation_ = 1;
};

} // namespace fathom::expr
#endif
