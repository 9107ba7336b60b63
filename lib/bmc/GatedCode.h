// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function's runs as terms. Control flow is followed in topological order: each block once for
// each round of the loops that it is in, with the states of all ways to it joined, so the work is
// linear in the code that is followed, not in its paths.
//
// No run of the code is left out, except under an assumption (Question.h): what is not followed
// changes whatever Knowledge says, and after the last round of a loop that is followed, all that
// the loop may change has any value, and its body is followed once more, for all rounds that are
// left.
#ifndef FATHOM_BMC_GATEDCODE_H
#define FATHOM_BMC_GATEDCODE_H

#include "bmc/Accesses.h"
#include "program/CodeFlow.h"

#include <map>
#include <optional>

namespace fathom::bmc {

/// Of a value in one slot that is so wide by its declaration; 0: that does not say.
constexpr unsigned slotWidth(uint32_t declaredBits) {
  return declaredBits && declaredBits <= 64 ? declaredBits : 64;
}

class GatedCode {
public:
  GatedCode(expr::ExprContext &context, const program::Program &program, const Knowledge &knowledge,
            const Question &question, const std::atomic<bool> *stop);

  /// Follows the entry. REQUIRES: once.
  void run();
  /// When the defect shows, and what was assumed.
  const Accesses &accesses() const { return accesses_; }
  /// Was a function followed that has code of the place?
  bool meetsSink() const { return meetsSink_; }
  uint64_t instructions() const { return instructions_; }
  /// Why the terms do not cover all runs, as one clause; "": they do.
  const std::string &failure() const { return failure_; }

private:
  /// A region of a function: a loop, or all of it. Its parts are blocks and the loops right in it.
  struct Part {
    bool isLoop;
    uint32_t index; ///< block, or loop
  };
  struct Region {
    std::vector<Part> parts;           ///< in topological order
    std::map<uint32_t, size_t> partOf; ///< by block, those of inner loops too
    uint32_t header = 0;
  };
  /// What is found out once of a function.
  struct Shape {
    explicit Shape(const program::FunctionCode &f) : flow(f) {}
    program::CodeFlow flow;
    std::map<uint32_t, Region> regions; ///< by loop; kNoIndex: the function
    std::vector<bool> toSink;           ///< by block: the activation may come to the place
    std::vector<bool> matters;          ///< by loop: Bounds::rounds is for it
  };
  struct Activation {
    const program::FunctionCode &f;
    Shape &shape;
    const Activation *caller;
    bool isOfSink;  ///< the place is a call that led here
    uint32_t depth; ///< of calls that are followed though they do not lead to the place
    bool goesOn;    ///< what comes after its return may come to the place
    /// May control come to the place from the block?
    bool isOnWay(uint32_t block) const { return isOfSink || goesOn || shape.toSink[block]; }
    std::optional<Flow> returned{};
    std::vector<ExprPtr> results{};
  };
  struct Edge {
    uint32_t block;
    Flow flow;
  };
  struct CallSite {
    const program::Inst &inst;
    uint32_t index;
    bool isSink;
  };

  bool isOver() const { return !failure_.empty(); }
  void fail(std::string why);
  Shape &shapeOf(const program::FunctionCode &f);
  bool mayHit(const program::FunctionCode &f, uint32_t index) const;
  void findWays(const program::FunctionCode &f, Shape &shape) const;
  /// May control come to the place from behind there? If not, what happens there does not matter.
  bool isOnWayAfter(const Activation &activation, uint32_t index) const;
  const Region &regionOf(Shape &shape, uint32_t loop);

  // GatedCode.cpp: control flow
  void follow(Activation &activation, Flow flow);
  void followRegion(Activation &activation, uint32_t loop, Flow flow, std::vector<Edge> &exits,
                    std::optional<Flow> &back);
  void followLoop(Activation &activation, uint32_t loop, Flow flow, std::vector<Edge> &exits);
  void forgetLoop(Activation &activation, uint32_t loop, Flow &flow);
  void followBlock(Activation &activation, uint32_t block, Flow flow, std::vector<Edge> &out);
  void branch(Activation &activation, const program::CodeBlock &block, Flow flow,
              std::vector<Edge> &out);
  void leave(Activation &activation, const program::Inst &inst, Flow flow);
  void join(std::optional<Flow> &into, Flow flow);

  // GatedOperations.cpp: what single instructions do
  void execute(Activation &activation, uint32_t index, Flow &flow);
  void forgetResults(Activation &activation, const program::Inst &inst, Flow &flow);
  bool dependsOnAddresses(const program::Inst &inst, Flow &flow);
  ExprPtr addressOf(Flow &flow, const program::Inst &inst);
  void load(Flow &flow, const program::Inst &inst, bool isSink);
  void store(const program::FunctionCode &f, Flow &flow, const program::Inst &inst, bool isSink);
  void copy(Flow &flow, const program::Inst &inst, bool isSink);
  void giveAwayRead(const program::FunctionCode &f, const program::Inst &inst, Flow &flow);

  // GatedCalls.cpp
  void call(Activation &activation, uint32_t index, Flow &flow);
  void callFunction(Activation &activation, const CallSite &at, uint32_t callee, Flow &flow);
  void callPointer(Activation &activation, const CallSite &at, Flow &flow);
  bool callMemory(const std::string &name, Activation &activation, const CallSite &at, Flow &flow);
  void enter(Activation &activation, const CallSite &at, uint32_t callee, Flow &flow);
  void skip(Activation &activation, const CallSite &at, uint32_t callee, Flow &flow);
  void giveAwayArguments(const Activation &activation, const CallSite &at, Flow &flow);
  void showArguments(Activation &activation, const CallSite &at, Flow &flow);
  std::string calleeName(const program::Inst &inst) const;
  bool isPointer(const program::Inst &inst, uint32_t slot) const;
  bool mayFree(const program::Inst &inst) const;

  expr::ExprContext &context_;
  const program::Program &program_;
  const Knowledge &knowledge_;
  const Question &question_;
  const std::atomic<bool> *stop_;
  Accesses accesses_;
  Objects &objects_; ///< theirs
  std::map<uint32_t, Shape> shapes_;
  bool meetsSink_ = false;
  uint64_t instructions_ = 0;
  std::string failure_;
};

} // namespace fathom::bmc
#endif
