// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a path does not know any more after code that it left out. All that is forgotten at one
// place has symbols with that place in their names, so that a path tells what it left out, and its
// condition what of that mattered.
#ifndef FATHOM_CONFIRM_FORGET_H
#define FATHOM_CONFIRM_FORGET_H

#include "confirm/Writes.h"
#include "evidence/LedgerCategory.h"
#include "explore/policy/Policy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace fathom::confirm {

/// A call or a branch: its function and its instruction.
struct OmittedSite {
  uint32_t function = 0, inst = 0;
  auto operator<=>(const OmittedSite &) const = default;
};

/// What errno holds after calls that were left out. It is of no site: any of them may have set it.
inline constexpr const char *kErrnoSymbol = "left-out.errno";

/// The name of all symbols of a site; a path numbers them.
std::string symbolName(OmittedSite site);
/// Of a symbol's name; none: it is no such symbol.
std::optional<OmittedSite> siteOf(std::string_view symbol);
bool isErrno(std::string_view symbol);
/// For people: with words for such symbols, and for what they point to.
std::string withoutSites(const std::string &text);

/// The ledger's category for what a path left out without covering every run; the location is the
/// site's symbolName.
inline constexpr auto kLeftOutCategory = evidence::LedgerCategory::LeftOut;
void noteInexact(explore::Engine &engine, OmittedSite site);

/// What of that was left out a path's decisions speak of goes to the ledger, under this category; a
/// location is a site's symbolName, or kErrnoSymbol.
inline constexpr auto kMattersCategory = evidence::LedgerCategory::LeftOutMatters;
class OmissionUseNotes final : public explore::Policy {
public:
  bool keepsDecisions() const override { return true; }
  void decided(explore::Engine &engine, explore::State &s,
               const explore::Decision &decision) override;

private:
  std::unordered_set<explore::ExprPtr> seen_; ///< conditions
};

/// Bytes of which nothing is known. \param mayPoint  a pointer among them gets an object when it
/// is used.
explore::ExprPtr freshBytes(explore::Engine &engine, explore::State &s, const std::string &name,
                            uint64_t size, bool mayPoint);
/// So many bits of such bytes, the first byte the lowest. width <= 8 * size.
explore::ExprPtr numberOf(explore::Engine &engine, explore::ExprPtr bytes, unsigned width);

/// The numbers in this memory are not known any more. Pointers that the path has used, and those
/// to its objects, stay: code that may write pointers is not left out for good (Search.h). Objects
/// of more than 4,096 bytes stay as they are (ledger: bound-size, if a path reads them). Linear in
/// the path's objects.
void forget(explore::Engine &engine, explore::State &s, const Writes &writes,
            const std::string &name);

} // namespace fathom::confirm
#endif
