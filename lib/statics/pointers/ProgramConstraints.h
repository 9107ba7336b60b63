// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints of a program: the statements of each function that can be called, the initial
// contents of memory, summaries instead of code, and copies of wrappers of allocators.
// Constraints.h explains the kinds of constraints, groups and `isSole`; a Move (front/Facts.h) is a
// pointer offset, and kAnywhere an unknown one.
#ifndef FATHOM_STATICS_POINTERS_PROGRAMCONSTRAINTS_H
#define FATHOM_STATICS_POINTERS_PROGRAMCONSTRAINTS_H

#include "statics/pointers/Constraints.h"

#include <map>
#include <set>

namespace fathom::statics {

class ProgramConstraints : public ConstraintSource {
public:
  /// \param facts  outlives this.
  explicit ProgramConstraints(const Facts &facts);

  std::vector<GroupId> entries() override { return {kProgram}; }
  Constraints make(GroupId group) override;
  Constraints bind(const Constraints::Call &call, LocationId location) override;
  const Locations &locations() const override { return locations_; }
  const Move &move(uint32_t index) const override;
  uint32_t numNodes() const override { return numNodes_; }
  NodeId newNode() override { return numNodes_++; }
  NodeId contents(LocationId location) const override { return contents_[location]; }
  NodeId readAnywhere(ObjectId object) const override { return readAnywhere_[object]; }
  /// String literals, most of all, have no pointers in them and are never written.
  bool isReadable(LocationId location) const override {
    return !objects_[locations_.objectOf(location)].isConstant ||
           hasPointers_[locations_.objectOf(location)];
  }
  bool isWritable(LocationId location) const override {
    return !objects_[locations_.objectOf(location)].isConstant;
  }

  /// Those of the facts, and then what copies of wrappers allocate.
  const std::vector<Object> &objects() const { return objects_; }
  /// The first node of each instance of the function; value v has node base + (v - firstValue).
  const std::vector<NodeId> &instanceBases(FunctionId function) const {
    return instanceBases_[function];
  }
  NodeId constantNode(uint32_t address) const { return constants_ + address; }
  bool isReached(FunctionId function) const { return reached_[function]; }
  /// (index into Facts::calls, callee), for calls through pointers and those that summaries make.
  const std::set<std::pair<uint32_t, FunctionId>> &bound() const { return bound_; }

private:
  static constexpr GroupId kProgram = 0, kExternal = 1, kFirstFunction = 2;
  static constexpr uint64_t kMaxExpanded = 512; ///< bytes that are copied word by word

  /// One analysis context of a function: its code with nodes of its own. Each group but the first
  /// two belongs to one.
  struct Instance {
    FunctionId function = kNone;
    NodeId base = kNone;
    GroupId caller = kNone;       ///< that it was made for; kNone: several
    uint32_t depth = 0;           ///< 0: for all callers
    LayoutId layout = 0;          ///< of what it allocates
    bool isBehindPointer = false; ///< made for a call through a pointer
    std::string name{};           ///< where it was called
  };

  ObjectId addObject(Object object);
  void numberMoves();
  void setBase(GroupId group);
  NodeId nodeOf(const Instance &instance, ValueId value) const;
  void makeProgram(Constraints &out);
  void makeExternal(Constraints &out);
  void makeFunction(GroupId group, Constraints &out);
  void addStatement(GroupId group, const Statement &s, Constraints &out);
  void addAccess(const Instance &in, const Statement &s, Constraints &out);
  void addCall(GroupId group, const Statement &s, Constraints &out);
  void addSummary(const Summary &summary, const Constraints::Call &call, ObjectId allocated,
                  uint64_t copiedBytes, Constraints &out);
  void addMemoryCopy(NodeId to, NodeId from, uint64_t bytes, Constraints &out);
  void addExternal(const Constraints::Call &call, Constraints &out);
  void bindGroup(GroupId group, const Constraints::Call &call, Constraints &out);
  GroupId instanceFor(GroupId caller, const CallSite &site);
  GroupId instanceBehindPointer(uint32_t call, FunctionId callee);
  std::string instanceName(const CallSite &site, FunctionId callee) const;
  void addGep(NodeId to, NodeId from, uint32_t by, Constraints &out);
  NodeId moved(NodeId from, uint32_t by, Constraints &out);
  uint32_t moveByWords(uint32_t words) const;

  const Facts &facts_;
  std::vector<bool> wrappers_;
  Locations locations_;
  std::vector<Object> objects_;
  std::vector<NodeId> contents_, readAnywhere_;
  std::vector<Move> wordMoves_;
  std::vector<uint32_t> sameMove_; ///< of each move: the first one that is equal
  uint32_t noMove_ = kNone;        ///< the first one by 0 bytes
  NodeId numNodes_ = 0, constants_ = 0;
  std::vector<Instance> groups_;
  std::vector<std::vector<NodeId>> instanceBases_;
  std::vector<bool> reached_, hasPointers_;
  std::set<std::pair<uint32_t, FunctionId>> bound_;
  std::map<std::pair<uint32_t, FunctionId>, GroupId> behindPointers_; ///< as in bound_
};

} // namespace fathom::statics
#endif
