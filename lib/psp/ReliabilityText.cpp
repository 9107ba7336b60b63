// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/ReliabilityText.h"

#include <fmt/format.h>

namespace fathom::psp {

std::string binsText(const std::vector<Labelled> &alarms) {
  std::string out = "bin         alarms  real  predicted  observed  90 % interval\n";
  unsigned used = 0, held = 0;
  for (const ReliabilityBin &bin : reliability(alarms)) {
    if (!bin.alarms) continue;
    ++used, held += bin.holds();
    out += fmt::format("{:.1f} to {:.1f}  {:6}  {:4}     {:.4f}    {:.4f}  {:.4f} to {:.4f}{}\n",
                       bin.lo, bin.hi, bin.alarms, bin.real, bin.predicted,
                       double(bin.real) / double(bin.alarms), bin.least, bin.most,
                       bin.holds() ? "" : "  missed");
  }
  return out + fmt::format("{} of {} bins with alarms hold their prediction\n\n", held, used);
}

static std::string rowText(const std::string &name, const Confusion &c) {
  return fmt::format("{:<24} {:4} {:4}     {:.3f}   {:.3f}  {:.3f}  {:6.3f}\n", name,
                     c.truePositives, c.falsePositives, c.precision(), c.truePositiveRate(), c.f1(),
                     c.mcc());
}

std::string decisionsText(const std::vector<Labelled> &alarms, const Confusion &unscored,
                          const char *which) {
  std::string out = fmt::format("{:<24} true false precision recall     F1     MCC\n", which);
  auto with = [&](Confusion c) {
    c.trueNegatives += unscored.trueNegatives;
    c.falseNegatives += unscored.falseNegatives;
    return c;
  };
  Confusion all = confusion(alarms, 0);
  all.truePositives += unscored.falseNegatives;
  all.falsePositives += unscored.trueNegatives;
  out += rowText("abstract interpreter", all);
  out += rowText("campaign (seen)", with(confusion(alarms, 1)));
  for (const double theta : {0.1, 0.5, 0.7})
    out += rowText(fmt::format("theta {}", theta), with(confusion(alarms, theta)));
  return out;
}

} // namespace fathom::psp
