// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An edge of the value-flow graph as a place in the program: which statement, or which way into a
// block, makes it; and how a report tells it.
#ifndef FATHOM_STATICS_CHECKERS_HOPS_H
#define FATHOM_STATICS_CHECKERS_HOPS_H

#include "statics/checkers/FlowSearch.h"

#include <functional>

namespace fathom::statics {

/// Where control is when the content of `from` becomes that of `to`; several for a phi with several
/// ways. \param function  where `from` is.
std::vector<WayEnd> endsOfEdge(const View &view, FlowNode from, FlowNode to, FlowKind kind,
                               uint32_t call);
/// Is one of these ends reached?
bool reachesEdge(const View &view, const Reach &reach, FlowNode from, FlowNode to, FlowKind kind,
                 uint32_t call);
/// The node must not be computed anew on a way along which it keeps what it has.
WayBars barsOf(const View &view, FlowNode node);
/// Steps of a report for the states of a path; those that say nothing to a reader are left out.
/// \param what  "the freed pointer"
void addSteps(const View &view, const FlowSearch &search, uint32_t state, const std::string &what,
              std::vector<ReportStep> &steps);

/// Calls visit(statement, value) for constants and addresses that become the node's content: they
/// have no edges. \param call  by which the function of the node was entered; kNone: any
void forEachConstantInto(const View &view, FlowNode node, uint32_t call,
                         const std::function<void(StatementId, ValueId)> &visit);

} // namespace fathom::statics
#endif
