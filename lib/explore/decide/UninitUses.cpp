// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of memory that was never written, when something is decided by it.
//
// Its bytes are terms, so that copying them around is no error. Where one decides (a branch, an
// address, a size) it is reported: once, whatever else is decided by it later, and from then on it
// may be anything, the same at all later uses. Then it is a symbol of the path as an input is, but
// that no test can set it: the test says so (TestCase::usesUninit).
// Until then no constraint of the path mentions such a byte, which makes it easy to find out
// whether a value really depends on one: any values will do as long as they give another result.
#include "explore/decide/UninitUses.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Decisions.h"

#include "explore/decide/BugReports.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/UninitBytes.h"
#include "explore/decide/Witnesses.h"
#include "support/Rng.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>

namespace fathom::explore {

using evidence::BugKind;
using evidence::LedgerCategory;

namespace {

/// Values with so many operations on such bytes are not left to grow: see settleState.
constexpr size_t kLargeValue = 200;

constexpr unsigned kTries = 8;

} // namespace

std::shared_ptr<const expr::Model> UninitUses::modelThatDiffers(State &s, ExprPtr differs,
                                                                std::span<const ExprPtr> reads) {
  Rng rng(1); // the same on every run, and when the path is followed again
  for (unsigned n = 0; n < kTries; n++) {
    auto model = std::make_shared<expr::Model>(*s.witness);
    for (ExprPtr read : reads)
      if (read->op(1)->isConst())
        model->setByte(read->op(0), read->op(1)->value(),
                       static_cast<uint8_t>(n == 0 ? 0xff : rng.next()));
    if (witnesses_.holdsUnder(*model, differs)) return model;
  }
  return nullptr;
}

ExprPtr UninitUses::whereNoneMatters(State &s, ExprPtr e) {
  UninitBytes bytes;
  bytes.collect(e);
  expr::TermImages images;
  for (ExprPtr read : bytes.reads) images[read] = ctx_.constant(0, 8);
  ExprPtr settled = ctx_.substitute(e, images);
  ExprPtr differs = ctx_.ne(e, settled);
  std::shared_ptr<const expr::Model> model;
  const bool isSame = differs->isFalse() ||
                      feasibility_.probe(s, differs, model, LossIfUnknown::Nothing) == Feasible::No;
  return isSame ? settled : e;
}

ExprPtr UninitUses::settleUninit(State &s, ExprPtr e, const char *use) {
  UninitBytes bytes;
  bytes.collect(e);
  const std::vector<Unwritten::Source> before = settledSources(s, ctx_, bytes);
  bytes.forgetSettled(s, ctx_);
  if (bytes.reads.empty()) return e; // all that it depends on has been reported
  expr::TermImages images;
  for (ExprPtr read : bytes.reads) images[read] = ctx_.constant(0, 8);
  ExprPtr settled = ctx_.substitute(e, images);
  // Does the value really depend on them? (x & 0, or a bit-field's neighbours, do not.) Yes exactly
  // when giving them other values than 0 can change it.
  ExprPtr differs = ctx_.ne(e, settled);
  if (differs->isFalse()) return settled;
  if (bugs_.looksFor(s, BugKind::UninitializedRead)) {
    std::shared_ptr<const expr::Model> model = modelThatDiffers(s, differs, bytes.reads);
    Feasible answer = Feasible::Yes;
    if (!model && settled->isConst()) // of unwritten memory alone: easy
      answer = feasibility_.probe(s, differs, model, LossIfUnknown::Bug);
    else if (!model)
      answer = feasibility_.feasibleOrLater(s, differs, model, kNoBranch, LossIfUnknown::Bug);
    // Left for later, the path goes on as if 0 had been written: one of the values it can have.
    if (answer == Feasible::Later)
      addUnwritten(forks_.leave(s, Pending::Kind::Check, differs), bytes.reads);
    const bool isZero = answer == Feasible::No || answer == Feasible::Later;
    if (isZero) {
      decisions_.took(
          s, isZero); // where it was reported, before or here, the path is the one that goes on
      return settled;
    }
    if (answer == Feasible::Yes) reportUnwritten(s, bytes.numbers, before, use, model, differs);
  }
  if (bytes.seen.size() > kLargeValue) {
    const bool isWanted = bugs_.isWanted(BugKind::UninitializedRead);
    ledger_.add(LedgerCategory::ConcretizedValue, places_.where(s),
                isWanted ? "unwritten memory counts as 0 from here on: too many values are "
                           "computed from it"
                         : "unwritten memory counts as 0 here");
    if (isWanted) settleState(s);
    return settled;
  }
  addUnwritten(s, bytes.reads);
  s.unwritten.settle(bytes.numbers);
  return e;
}

/// The arrays of these bytes become symbols of the path. No witness says anything of them: all are
/// 0.
void UninitUses::addUnwritten(State &s, std::span<const ExprPtr> reads) {
  std::set<ExprPtr> known;
  for (auto *n = s.symbols.last.get(); n; n = n->previous.get())
    if (n->value->has(expr::kHasUninit)) known.insert(n->value);
  for (ExprPtr read : reads)
    if (known.insert(read->op(0)).second) s.symbols.push(read->op(0));
}

/// One report for what comes from one place, where it was used first. What uses it elsewhere is no
/// other bug, but a place that the report has as well: of each once. So is what depends on further
/// bytes together with those of `before`.
void UninitUses::reportUnwritten(State &s, std::span<const uint32_t> numbers,
                                 std::span<const Unwritten::Source> before, const char *use,
                                 const std::shared_ptr<const expr::Model> &model, ExprPtr differs) {
  if (LogFollower::isFollowed(s)) return;
  bool isNew = false;
  std::vector<Unwritten::Source> sources;
  for (uint32_t number : numbers) {
    sources.push_back(s.unwritten.sourceOf(number));
    isNew |= !reportedSources_.contains(sources.back());
  }
  const std::vector<Unwritten::Source> own = sources;
  sources.insert(sources.end(), before.begin(), before.end());
  const bool isValue =
      std::ranges::all_of(numbers, [&](uint32_t n) { return s.unwritten.isValue(n); });
  const std::string message =
      fmt::format("{} depends on {}", use,
                  isValue ? "a value that is undefined" : "memory that was never written");
  if (isNew || options_.allBugInputs)
    bugs_.report(s, BugKind::UninitializedRead, message, model, nullptr, differs,
                 /*pathGoesOn=*/true, std::move(sources));
  else if (!options_.wantsBug &&
           followed_
               .emplace(own.front(), bugs_.bugKey(s, BugKind::UninitializedRead, nullptr).place)
               .second)
    bugs_.reportFollowing(s, BugKind::UninitializedRead, message, *model, std::move(sources));
  reportedSources_.insert(own.begin(), own.end());
}

/// All bytes never written that have become part of something count as 0 from now on, in memory and
/// in the running function, and with them the rest of their objects: a program that mixes them over
/// and over (a random generator that takes its seed from them) would build larger and larger terms.
void UninitUses::settleState(State &s) {
  UninitBytes bytes;
  auto unsettled = [](ExprPtr e) { return e && e->has(expr::kHasUninit); };
  Calls::ownTopFrame(s);
  Frame &frame = *s.top;
  for (uint32_t i = 0; frame.syms && i < frame.slots; i++)
    if (unsettled(frame.syms[i])) bytes.collect(frame.syms[i]);
  std::vector<std::pair<uint64_t, ExprPtr>> inMemory;
  std::vector<uint64_t> unwritten; // addresses
  s.memory.forEachObject([&](const ObjectState &o) {
    const size_t before = inMemory.size();
    for (uint32_t p = 0; p < o.numPages && !o.freed; p++)
      if (o.pages[p] && o.pages[p]->syms)
        o.pages[p]->syms->forEach([&](unsigned i, ExprPtr e) {
          if (!unsettled(e)) return;
          bytes.collect(e);
          inMemory.emplace_back(o.base() + (uint64_t(p) << kPageShift) + i, e);
        });
    for (uint64_t at = 0; inMemory.size() > before && at < o.size(); at++)
      if (s.memory.read(o, at).uninit) unwritten.push_back(o.base() + at);
  });
  const uint8_t zero = 0;
  for (uint64_t address : unwritten) s.memory.writeConcrete(address, &zero, 1);
  interpreter_.memory.flushTlb(); // what it knows of pages that were copied
  bytes.forgetSettled(s, ctx_);
  expr::TermImages images;
  for (ExprPtr read : bytes.reads) images[read] = ctx_.constant(0, 8);
  for (auto [address, e] : inMemory) {
    ExprPtr settled = ctx_.substitute(e, images);
    if (settled->isConst()) {
      const auto value = static_cast<uint8_t>(settled->value());
      s.memory.writeConcrete(address, &value, 1);
    } else {
      s.memory.writeSym(address, settled);
    }
  }
  for (uint32_t i = 0; frame.syms && i < frame.slots; i++)
    if (unsettled(frame.syms[i]))
      interpreter_.registers.setRegister(frame, i, ctx_.substitute(frame.syms[i], images));
}

} // namespace fathom::explore
