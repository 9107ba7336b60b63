// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of a model, as [psp23] Fig. 1b: how probable states are over two variables (or one),
// with the sampled states, the abstract region and the condition.
#ifndef FATHOM_PSP_HEATMAP_H
#define FATHOM_PSP_HEATMAP_H

#include "psp/Condition.h"
#include "psp/Model.h"

namespace fathom::psp {

struct HeatMapText {
  std::string title, subtitle;
};

/// An SVG document. Cool colours are improbable; grey is outside of A_f; dots are sampled states;
/// a red line goes along where the condition begins to fail.
/// \param model      of one or two variables; the first is drawn upwards.
/// \param region     what the abstract interpreter admits where the condition fails.
/// \param condition  over the model's variables: what should hold.
/// Cost: one probability for each of at most 80 x 60 cells, and up to four more where a cell has
/// several states.
std::string heatMap(const Model &model, const Region &region, const Condition &condition,
                    const HeatMapText &text);

} // namespace fathom::psp
#endif
