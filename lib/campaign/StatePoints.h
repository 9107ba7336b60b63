// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of a program at which a campaign samples states: what they are called, where they are, and
// which variables a sample has.
#ifndef FATHOM_CAMPAIGN_STATEPOINTS_H
#define FATHOM_CAMPAIGN_STATEPOINTS_H

#include "llvm/ADT/StringRef.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fathom::campaign {

enum class PointKind : uint8_t {
  Assertion, ///< before the branch that decides it
  Branch,    ///< before any other branch on an integer condition
  Division,  ///< before it
  Entry,     ///< of a function, once its arguments are stored
  Exit,      ///< before it returns
  Access,    ///< before a read or write of memory. `all` leaves it out, and what follows
  Path,      ///< no place: the sides of branches that executions took, each with all that was taken
             ///< before
};
inline constexpr unsigned kPointKinds = 7;
const char *textOf(PointKind kind); ///< "assertion", ...
std::optional<PointKind> pointKindFrom(llvm::StringRef text);

/// A set of kinds.
class PointKinds {
public:
  /// All kinds but accesses, which are everywhere, and paths.
  static PointKinds all() { return PointKinds((1u << unsigned(PointKind::Access)) - 1); }
  static PointKinds none() { return PointKinds(0); }
  bool has(PointKind kind) const { return bits_ >> unsigned(kind) & 1; }
  void add(PointKind kind) { bits_ |= 1u << unsigned(kind); }
  void add(PointKinds kinds) { bits_ |= kinds.bits_; }
  bool any() const { return bits_ != 0; }
  unsigned bits() const { return bits_; }
  bool operator==(const PointKinds &) const = default;

private:
  explicit PointKinds(unsigned bits) : bits_(bits) {}
  unsigned bits_;
};

/// Something at one place.
struct PointPlace {
  PointKind kind = PointKind::Assertion;
  std::string function;
  uint32_t line = 0, column = 0;
  auto operator<=>(const PointPlace &) const = default;
};

/// At which points states are sampled.
struct PointChoice {
  PointKinds kinds = PointKinds::none();
  bool alarms = false;         ///< and at alarms of an analysis, which the caller puts here:
  std::set<PointPlace> places; ///< also these
  bool any() const { return kinds.any() || !places.empty(); }
  bool has(const PointPlace &place) const { return kinds.has(place.kind) || places.count(place); }
  /// Differs for choices that differ; part of a file's name.
  std::string key() const;
};
/// Parses the value of an option: "assertions,branches,divisions,functions,accesses,alarms,paths"
/// or "all", which is the first four. False when it is something else.
bool parsePointChoice(llvm::StringRef text, PointChoice &choice);

struct StatePoint {
  PointKind kind = PointKind::Branch;
  std::string function, file;
  uint32_t line = 0, column = 0;
  /// In the notation of psp/Condition.h: what must hold (assertions, divisions, accesses), or the
  /// condition of the branch. "": there is none, or none in terms of variables.
  std::string condition;
  std::vector<std::string> variables; ///< of a sample, in the order of its values
};

/// Of a point of kind Path: how a sample's three values are called. `before` is the hash of the
/// sides taken so far (runtime/native/states.h), and the other two are the engine's numbers.
std::vector<std::string> pathVariables();

/// The table of points in a file: one line for each.
std::string pointsText(const std::vector<StatePoint> &points);
/// Reads what pointsText wrote; false when it is something else.
bool parsePointTable(llvm::StringRef text, std::vector<StatePoint> &points);

} // namespace fathom::campaign
#endif
