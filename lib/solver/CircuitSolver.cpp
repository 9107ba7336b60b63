// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/CircuitSolver.h"

#include "solver/Deadline.h"

#include <algorithm>
#include <cadical.hpp>

namespace fathom::solver {

/// Estimated memory per gate of the circuit in bytes, with its share of the tables of terms
/// (measured: 40 to 75).
static constexpr size_t kGateBytes = 64;
/// Estimated memory per encoded gate in CaDiCaL in bytes: clauses, watches, clauses learned in
/// 30,000 conflicts, copies made by inprocessing (measured on multipliers, dividers, table look-ups
/// and sums: 600 to 1,050).
static constexpr size_t kEncodedBytes = 1000;
/// The circuit may take the available memory divided by this. A larger circuit is begun anew.
static constexpr size_t kCircuitDivisor = 4;
/// The SAT solver assigns all its gates in each query. So it is kept for the next query, with what
/// it learned, only while it has at most kSmallCircuit gates, or at most kMaxSurplus times the
/// gates of the query.
static constexpr size_t kSmallCircuit = 4000, kMaxSurplus = 3;
/// What CaDiCaL answers (IPASIR's numbers).
static constexpr int kSatisfiable = 10, kUnsatisfiable = 20;

namespace {
class Terminator final : public CaDiCaL::Terminator {
public:
  explicit Terminator(const Deadline &deadline) : deadline_(deadline) {}
  bool terminate() override { // is asked after every tenth step only
    Clock::spend(StepKind::SatLook);
    return deadline_.passed();
  }

private:
  Deadline deadline_;
};
} // namespace

CircuitSolver::CircuitSolver(const expr::ExprContext &context, uint64_t maxBytes,
                             const std::atomic<bool> *stop, const Isolation *isolation)
    : context_(context), maxGates_(maxBytes / kCircuitDivisor / kGateBytes),
      maxEncoded_((maxBytes - maxBytes / kCircuitDivisor) / kEncodedBytes), stop_(stop),
      isolation_(isolation), supportTable_(context) {
  stats_.name = "sat";
}

CircuitSolver::~CircuitSolver() = default;

static unsigned inputsOf(const Gate &gate) {
  return gate.kind == Gate::Input ? 0 : gate.kind == Gate::And || gate.kind == Gate::Xor ? 2 : 3;
}

void CircuitSolver::addGate(uint32_t index) {
  const Gate &gate = blaster_.circuit().gate(index);
  const int o = literal(index * 2);
  auto clause = [this](int x, int y, int z) {
    sat_->add(x);
    sat_->add(y);
    if (z) sat_->add(z);
    sat_->add(0);
  };
  if (gate.kind == Gate::Input) return;
  const int a = literal(gate.in[0]), b = literal(gate.in[1]);
  switch (gate.kind) {
  case Gate::And:
    clause(-o, a, 0);
    clause(-o, b, 0);
    clause(o, -a, -b);
    return;
  case Gate::Xor:
    clause(-o, a, b);
    clause(-o, -a, -b);
    clause(o, -a, b);
    clause(o, a, -b);
    return;
  case Gate::Mux: {
    const int c = literal(gate.in[2]);
    clause(-a, -b, o);
    clause(-a, b, -o);
    clause(a, -c, o);
    clause(a, c, -o);
    clause(-b, -c, o); // follow from the others, but not by propagation
    clause(b, c, -o);
    return;
  }
  default: { // Majority
    const int c = literal(gate.in[2]);
    clause(-a, -b, o);
    clause(-a, -c, o);
    clause(-b, -c, o);
    clause(a, b, -o);
    clause(a, c, -o);
    clause(b, c, -o);
  }
  }
}

/// Collects in cone_ the gates that the wires depend on, each after its inputs.
void CircuitSolver::findCone(const std::vector<Wire> &wires) {
  const Circuit &circuit = blaster_.circuit();
  cone_.clear();
  inCone_.resize(circuit.size());
  for (Wire w : wires)
    if (w != kTrue) stack_.push_back(w >> 1);
  while (!stack_.empty()) {
    const uint32_t index = stack_.back();
    if (inCone_[index]) {
      stack_.pop_back();
      continue;
    }
    const Gate &gate = circuit.gate(index);
    const size_t before = stack_.size();
    for (unsigned i = 0; i < inputsOf(gate); ++i)
      if (!inCone_[gate.in[i] >> 1]) stack_.push_back(gate.in[i] >> 1);
    if (stack_.size() != before) continue;
    stack_.pop_back();
    inCone_[index] = true;
    cone_.push_back(index);
  }
  for (uint32_t index : cone_) inCone_[index] = false;
}

void CircuitSolver::encode(bool isAlone) {
  variables_.resize(blaster_.circuit().size());
  const auto missing = static_cast<size_t>(std::count_if(
      cone_.begin(), cone_.end(), [this](uint32_t gate) { return !variables_[gate]; }));
  if (encoded_.size() + missing > std::max(kSmallCircuit, kMaxSurplus * cone_.size())) restart();
  if (!sat_) {
    sat_ = std::make_unique<CaDiCaL::Solver>();
    // A large formula costs more to simplify than to decide once.
    if (isAlone) sat_->configure("plain");
  }
  for (uint32_t gate : cone_) {
    if (variables_[gate]) continue;
    encoded_.push_back(gate);
    Clock::spend(StepKind::Gate);
    variables_[gate] = static_cast<uint32_t>(encoded_.size());
    addGate(gate);
  }
}

void CircuitSolver::restart() {
  sat_.reset();
  for (uint32_t gate : encoded_) variables_[gate] = 0;
  encoded_.clear();
}

Model CircuitSolver::modelOf(const Support &support) const {
  Model model;
  auto set = [&](Cell cell) {
    const Wire *bits = blaster_.byteOf(cell);
    uint8_t value = 0;
    for (unsigned i = 0; bits && i < 8; ++i)
      if (variables_[bits[i] >> 1] && sat_->val(literal(bits[i])) > 0)
        value |= static_cast<uint8_t>(1u << i);
    model.setByte(context_.symbols()[cell.symbol()], cell.index(), value);
  };
  for (Cell cell : support)
    if (!cell.isWhole())
      set(cell);
    else
      for (uint64_t i = 0; i < context_.symbols()[cell.symbol()]->array().sizeBytes; ++i)
        set(Cell::of(cell.symbol(), i));
  return model;
}

void CircuitSolver::forget() {
  restart();
  blaster_.clear();
  variables_ = {};
  inCone_ = {};
}

/// Whether encoding the query takes at most `newGates` new gates, by an estimate that builds
/// nothing.
bool CircuitSolver::isWithin(const Conjunction &query, uint64_t newGates) {
  uint64_t gates = 0;
  for (ExprPtr e : query.constraints) {
    const Wire *known = blaster_.find(e);
    if (known && (*known <= kTrue || hasVariable(*known))) continue;
    gates += supportTable_.gates(e);
    if (gates > newGates || !blaster_.canEncode(e)) return false;
  }
  return true;
}

/// The wires of the constraints, up to one that is false by itself. False: the circuit would be
/// too large.
bool CircuitSolver::translate(const Conjunction &query, std::vector<Wire> &wires) {
  // If gates of earlier queries fill a large part of the circuit, it is cleared, and one more
  // attempt is made.
  for (bool hasOthers = blaster_.circuit().size() > maxGates_ / 8;; hasOthers = false) {
    wires.clear();
    for (ExprPtr e : query.constraints) {
      const Wire *wire = blaster_.wireOf(e, maxGates_);
      if (!wire) break;
      wires.push_back(*wire);
      if (*wire == kFalse) return true;
    }
    if (wires.size() == query.constraints.size()) return true;
    forget();
    if (!hasOthers) return false;
  }
}

/// How large a circuit may be for there to be time left for a search. A short attempt is not spent
/// on making clauses: the query is asked again with more time.
static size_t roomFor(const Conjunction &query) {
  constexpr int64_t kGatesPerMs = 1000;
  if (!query.asksAgain) return ~size_t(0);
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(query.deadline - Clock::now()).count();
  return static_cast<size_t>(std::max<int64_t>(left, 0) * kGatesPerMs);
}

Answer CircuitSolver::decide(const Conjunction &query, const Effort &effort) {
  if (collections_ != context_.collections()) {
    forget();
    collections_ = context_.collections();
  }
  const uint64_t hash = hashOf(query);
  const size_t room = roomFor(query);
  const bool isSmall =
      effort.isAlone
          ? std::ranges::all_of(query.constraints, [&](ExprPtr e) { return blaster_.canEncode(e); })
          : isWithin(query, std::min(effort.newGates, room));
  if (!isSmall || (isolation_ && (isolation_->all || isolation_->isolated.contains(hash))))
    return Answer::unknown("");
  QueryHeartbeat announced(isolation_, hash, /*isIsolated=*/false, query.deadline, query.asksAgain);
  std::vector<Wire> wires;
  if (!translate(query, wires)) return Answer::unknown("");
  if (!wires.empty() && wires.back() == kFalse)
    return Answer::unsat({query.constraints[wires.size() - 1]});
  findCone(wires);
  if (cone_.size() > std::min(maxEncoded_, room)) return Answer::unknown("");
  encode(effort.isAlone);
  for (Wire w : wires)
    if (w != kTrue) sat_->assume(literal(w));
  Terminator terminator({query.deadline, stop_});
  sat_->connect_terminator(&terminator);
  sat_->limit("conflicts", effort.conflicts);
  Clock::spend(StepKind::SatGate, encoded_.size());
  const int result = sat_->solve();
  sat_->disconnect_terminator();
  if (result == kUnsatisfiable) {
    Answer answer = Answer::unsat();
    for (size_t i = 0; i < wires.size(); ++i)
      if (wires[i] != kTrue && sat_->failed(literal(wires[i])))
        answer.core.push_back(query.constraints[i]);
    return answer;
  }
  if (result != kSatisfiable) return Answer::unknown("");
  if (effort.isAlone) return Answer::sat({});
  Support support;
  for (ExprPtr e : query.constraints) mergeInto(support, supportTable_.of(e));
  return Answer::sat(modelOf(support));
}

Answer CircuitSolver::solve(const Conjunction &query, const Effort &effort) {
  StageTimer timer(stats_);
  Answer answer = decide(query, effort);
  if (answer.kind == AnswerKind::Sat && !effort.isAlone &&
      !check_.satisfies(answer.model, query.constraints))
    answer = Answer::unknown("");
  if (answer.kind != AnswerKind::Unknown) return timer.answered(std::move(answer));
  ++stats_.passedOn;
  return answer;
}

void CircuitSolver::dropCaches() {
  forget();
  supportTable_.clear();
}

} // namespace fathom::solver
