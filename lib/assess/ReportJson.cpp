// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Report.h"

#include "report/Files.h"

namespace fathom::assess {

namespace json = llvm::json;
using estimate::allEstimators;

static json::Object shareJson(const Share &share) {
  estimate::Interval interval = share.interval();
  return json::Object{{"hits", share.hits},
                      {"of", share.of},
                      {"independent", share.effectiveSize()},
                      {"share", orNull(share.value())},
                      {"interval_95", share.of
                                          ? json::Value(json::Array{interval.lower, interval.upper})
                                          : json::Value(nullptr)}};
}

/// {"published": {"0.90": share, ...}, "blocks": {...}}
static json::Object coverageJson(const std::vector<Share> (&coverage)[std::size(kWidths)],
                                 const MeasureOptions &options) {
  json::Object out;
  for (Width width : kWidths) {
    json::Object levels;
    for (size_t level = 0; level < options.levels.size(); ++level)
      levels[levelName(options.levels[level])] =
          shareJson(coverage[static_cast<size_t>(width)][level]);
    out[widthName(width)] = std::move(levels);
  }
  return out;
}

static json::Array accuracyJson(const std::vector<AccuracyAt> &overTime, const Plan &plan) {
  json::Array out;
  for (const AccuracyAt &at : overTime) {
    const estimate::Accuracy &a = at.accuracy;
    const bool any = a.withValue > 0;
    auto number = [&](double value) { return any ? json::Value(value) : json::Value(nullptr); };
    out.push_back(json::Object{
        {"units", at.units},
        {"seconds", plan.units && plan.trialSeconds() > 0
                        ? json::Value(plan.trialSeconds() * at.units / plan.units)
                        : json::Value(nullptr)},
        {"trials", a.trials},
        {"with_value", a.withValue},
        {"capped", at.capped},
        {"mean_bias", number(a.meanBias)},
        {"median_bias", number(a.medianBias)},
        {"mean_raw_bias", number(at.rawBias)},
        {"imprecision", a.withValue > 1 ? json::Value(a.imprecision) : json::Value(nullptr)},
        {"population_imprecision", number(a.populationImprecision)},
        {"coverage", coverageJson(at.coverage, plan.measure)}});
  }
  return out;
}

static json::Array pairsJson(const std::vector<SizePair> &pairs) {
  json::Array out;
  for (const SizePair &pair : pairs) {
    json::Value test(nullptr);
    if (pair.test)
      test = json::Object{{"name", pair.test->byRanks ? "mann-whitney" : "welch"},
                          {"p", pair.test->p},
                          {"effect", pair.test->effect},
                          {"normality_p", json::Array{orNull(pair.test->normalityA),
                                                      orNull(pair.test->normalityB)}}};
    json::Value paired(nullptr);
    if (pair.paired)
      paired = json::Object{{"name", pair.paired->byRanks ? "signed-ranks" : "t"},
                            {"p", pair.paired->p},
                            {"p_holm", pair.adjusted},
                            {"effect", pair.paired->effect},
                            {"normality_p", orNull(pair.paired->normalityA)},
                            {"significant", pair.significant()}};
    out.push_back(json::Object{{"unit_sizes", json::Array{pair.a, pair.b}},
                               {"trials", pair.trials},
                               {"mean_shift", orNull(pair.shift)},
                               {"mean_shift_shuffled", orNull(pair.shiftShuffled)},
                               {"paired_test", std::move(paired)},
                               {"test", std::move(test)},
                               {"mutual", shareJson(pair.mutual)},
                               {"overlap", shareJson(pair.overlap)},
                               {"mutual_blocks", shareJson(pair.mutualBlocks)},
                               {"overlap_blocks", shareJson(pair.overlapBlocks)}});
  }
  return out;
}

static json::Object programJson(const ProgramFindings &program, const Plan &plan) {
  json::Object accuracy, pairs;
  for (size_t i = 0; i < allEstimators().size(); ++i) {
    const char *key = estimatorKey(allEstimators()[i]);
    if (program.truth) accuracy[key] = accuracyJson(program.accuracy[i], plan);
    pairs[key] = pairsJson(program.pairs[i]);
  }
  return json::Object{
      {"name", program.name},
      {"reachable", program.truth ? json::Value(*program.truth) : json::Value(nullptr)},
      {"trials", program.trials},
      {"mean_covered", program.meanObserved},
      {"stop_rule",
       json::Object{{"trials", program.stopped},
                    {"mean_units", program.stopped ? json::Value(program.stopUnits) : nullptr},
                    {"mean_share_of_reachable", program.stopped && program.truth
                                                    ? json::Value(program.stopCovered)
                                                    : nullptr}}},
      {"rq1", program.truth ? json::Value(std::move(accuracy)) : json::Value(nullptr)},
      {"rq2", std::move(pairs)}};
}

static json::Object pairedJson(const Paired &paired) {
  return json::Object{
      {"trials", paired.trials},
      {"programs", paired.programs},
      {"difference", orNull(paired.difference)},
      {"interval_95", paired.interval
                          ? json::Value(json::Array{paired.interval->lower, paired.interval->upper})
                          : json::Value(nullptr)}};
}

static json::Array overTimeJson(const Verdict &v, const Plan &plan) {
  json::Array out;
  for (const Verdict::OverTime &at : v.overTime)
    out.push_back(json::Object{{"units", at.share * plan.units},
                               {"mean_bias", orNull(at.bias)},
                               {"mean_absolute_bias", orNull(at.absolute)}});
  return out;
}

static json::Object verdictJson(const Verdict &v, const MeasureOptions &options, const Plan &plan) {
  auto number = [&](double value) {
    return v.withValue ? json::Value(value) : json::Value(nullptr);
  };
  return json::Object{{"rq1", json::Object{{"verdict", outcomeName(v.accuracy)},
                                           {"reason", v.accuracyReason},
                                           {"trials", v.trials},
                                           {"with_value", v.withValue},
                                           {"capped", v.capped},
                                           {"mean_bias", number(v.meanBias)},
                                           {"mean_absolute_bias", number(v.meanAbsoluteBias)},
                                           {"worst_bias", number(v.worstBias)},
                                           {"imprecision", orNull(v.imprecision)},
                                           {"against_constant_share", pairedJson(v.paired)},
                                           {"over_time", overTimeJson(v, plan)},
                                           {"coverage", coverageJson(v.coverage, options)}}},
                      {"rq2", json::Object{{"verdict", outcomeName(v.unitSizes)},
                                           {"reason", v.unitSizesReason},
                                           {"each_in_other", outcomeName(v.mutualContainment)},
                                           {"each_in_other_reason", v.mutualContainmentReason},
                                           {"comparisons", v.compared},
                                           {"significant", v.shifts},
                                           {"worst_shift", orNull(v.worstShift)},
                                           {"mutual", shareJson(v.mutual)},
                                           {"overlap", shareJson(v.overlap)},
                                           {"mutual_blocks", shareJson(v.mutualBlocks)},
                                           {"overlap_blocks", shareJson(v.overlapBlocks)}}}};
}

std::string resultsJson(const Findings &findings, const ReportContext &context) {
  json::Array programs, contradictions;
  for (const ProgramFindings &program : findings.programs)
    programs.push_back(programJson(program, context.plan));
  for (const std::string &text : context.contradictions) contradictions.push_back(text);
  json::Object estimators;
  for (size_t i = 0; i < allEstimators().size(); ++i)
    estimators[estimatorKey(allEstimators()[i])] =
        verdictJson(findings.verdicts[i], findings.options, context.plan);
  json::Value whole = json::Object{{"schema", 1},
                                   {"plan", toJson(context.plan)},
                                   {"trials_done", context.done},
                                   {"trials", context.plan.trialCount()},
                                   {"executions", context.executions},
                                   {"contradictions", std::move(contradictions)},
                                   {"estimators", std::move(estimators)},
                                   {"programs", std::move(programs)}};
  return report::jsonText([&](json::OStream &out) { out.value(whole); });
}

} // namespace fathom::assess
