// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of external functions as symcretes: symbols with values of their own, what they stand
// for, and questions about them (ExternalPolicy.h).
//
// The exact path is the path condition over the inputs alone, with applications of the operations
// in the place of their results.
#ifndef FATHOM_EXPLORE_EXTERNAL_SYMCRETES_H
#define FATHOM_EXPLORE_EXTERNAL_SYMCRETES_H

#include "explore/decide/EngineComponent.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;
struct ForeignCode;
class LogFollower;
class Places;
class Symbols;
class Witnesses;

class Symcretes : private EngineComponent {
public:
  explicit Symcretes(Engine &engine);

  ExprPtr addSymcrete(State &s, ExprPtr apply);
  ExprPtr exactTerm(State &s, ExprPtr e);
  bool mentionsResult(State &s, ExprPtr e);
  Feasible feasibleExactly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  Feasible askExactly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                      uint32_t branchId, LossIfUnknown lost);
  bool wantsExact(State &s, ExprPtr condition);
  void fitResults(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  void assumeExactly(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  bool agrees(State &s, ExprPtr condition, expr::Model &model);
  /// Is there an input that takes the path, with the condition, whatever operations give for it?
  /// lessTime: there was none to answer, for the run is about to end.
  Feasible takesPath(State &s, ExprPtr condition, uint32_t number,
                     std::shared_ptr<const expr::Model> &model, bool &lessTime);
  /// Gives a state that ends an input that takes its path, where one is found.
  void confirmPath(State &s);

  std::shared_ptr<const expr::Model> opening; ///< the last model found for another result

private:
  bool settleResults(const State &s, expr::Model &model);
  bool changesResults(State &s, ExprPtr condition, const expr::Model &model);
  bool validateExternals(State &s, ExprPtr condition, const expr::Model &model);
  void noteSearchFaults(State &s);

  ForeignCode &foreign_;
  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  Symbols &symbols_;
  FeasibilityChecks &feasibility_;
};

} // namespace fathom::explore
#endif
