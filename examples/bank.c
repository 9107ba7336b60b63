/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fathom.h: symbolic values, assumptions and assertions. The transfer checks the sender's balance but not the
 * receiver's: the assertion about the total fails where adding the amount overflows the receiver's account.
 */
#include <fathom.h>

struct account {
  uint32_t balance;
};

static FATHOM_BOOL transfer(struct account *from, struct account *to, uint32_t amount) {
  if (from->balance < amount)
    return 0;
  from->balance -= amount;
  to->balance += amount; /* may wrap around */
  return 1;
}

int main(void) {
  struct account alice = {fathom_uint("alice")}, bob = {fathom_uint("bob")};
  uint32_t amount = fathom_uint("amount");
  fathom_assume(amount > 0);
  uint64_t total = (uint64_t)alice.balance + bob.balance;
  if (!transfer(&alice, &bob, amount))
    return 1;
  fathom_assert((uint64_t)alice.balance + bob.balance == total);
  return 0;
}
