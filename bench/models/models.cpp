// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the five models of [psp23] Sec. VI-E say of states that were not seen. It knows no truth:
// `./dev bench psp --models` (scripts/pspmodels.py) draws the questions and judges the answers.
//
//   psp-models <POINTS >ANSWERS
//
// A point says how many variables it has, then what was seen and how often, then what is asked:
//
//   point 1
//   seen 12 40
//   ask 41
//
// Its first question is answered by a line `point SHARE`: the share of its seen states with enough
// samples around them for the forest (Eq. 3). Each question gets a line: 1 or 0, whether there are
// enough around that state, and the probabilities by forest and diffusion, forest and density,
// forest, diffusion, density.
//
//   psp-models --patterns SEED COUNT
//
// prints generated patterns (psp/Patterns.h): kind, which values belong, which were seen.
#include "psp/Model.h"
#include "psp/Patterns.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>

namespace {

using namespace fathom;
using namespace fathom::psp;

enum Kind : size_t { ForestDiffusion, ForestDensity, ForestAlone, DiffusionAlone, DensityAlone };
constexpr size_t kKinds = 5;

ModelOptions optionsOf(size_t kind) {
  ModelOptions out;
  if (kind == ForestDensity || kind == DensityAlone) out.sparse = Sparse::Density;
  if (kind == DiffusionAlone || kind == DensityAlone) out.hasForest = false;
  if (kind == ForestAlone) out.dense = 0;
  return out;
}

/// The five models of one point.
class Models {
public:
  /// REQUIRES samples.
  explicit Models(const Samples &samples) {
    for (size_t kind = 0; kind < kKinds; ++kind)
      models_.push_back(*Model::learn(samples, {}, Forest::shipped(), optionsOf(kind)));
  }

  bool isDense(const State &state) const {
    const Model &model = models_[ForestDiffusion];
    const ModelOptions &options = model.options();
    return model.near().size(state, static_cast<double>(options.neighbourhood), options.dense) >=
           options.dense;
  }

  /// Of at most a thousand seen states, evenly chosen: a look around costs up to all of them.
  double denseShare() const {
    const Samples &samples = models_[ForestDiffusion].samples();
    const size_t stride = (samples.distinct() + 999) / 1000;
    size_t at = 0, looked = 0, dense = 0;
    for (const auto &[state, count] : samples.counts()) {
      if (at++ % stride) continue;
      ++looked;
      dense += isDense(state);
    }
    return static_cast<double>(dense) / static_cast<double>(looked);
  }

  std::array<double, kKinds> at(const State &state) const {
    std::array<double, kKinds> out{};
    for (size_t kind = ForestDensity; kind < kKinds; ++kind)
      out[kind] = models_[kind].at(state).probability;
    // Heat costs most. Where it answers (Eq. 3), it says the same alone, so one model computes it.
    out[ForestDiffusion] =
        isDense(state) ? models_[ForestDiffusion].at(state).probability : out[DiffusionAlone];
    return out;
  }

private:
  std::vector<Model> models_;
};

/// Reads points, and answers as it goes.
class Reader {
public:
  /// "": all was understood.
  std::string read(std::istream &in) {
    std::string line;
    for (size_t number = 1; std::getline(in, line); ++number)
      if (std::string problem = take(line); !problem.empty())
        return "line " + std::to_string(number) + ": " + problem;
    return "";
  }

private:
  std::string take(const std::string &line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    std::vector<int64_t> numbers;
    for (int64_t number; words >> number;) numbers.push_back(number);
    if (!words.eof()) return "expected numbers";
    if (word == "point") return begin(numbers);
    if (word == "seen") return see(numbers);
    if (word == "ask") return ask(numbers);
    return "expected point, seen or ask";
  }

  std::string begin(const std::vector<int64_t> &numbers) {
    if (numbers.size() != 1 || numbers[0] < 1 || numbers[0] > 8)
      return "expected the number of variables, 1 to 8";
    samples_ = Samples();
    for (int64_t i = 0; i < numbers[0]; ++i) samples_.variable("v" + std::to_string(i));
    models_.reset();
    return "";
  }

  std::string see(const std::vector<int64_t> &numbers) {
    if (samples_.names().empty() || numbers.size() != samples_.names().size() + 1 || numbers[0] < 1)
      return "expected how often, and the value of each variable";
    if (models_) return "what was seen comes before what is asked";
    samples_.add(stateOf(std::span(numbers).subspan(1)), static_cast<uint64_t>(numbers[0]));
    return "";
  }

  std::string ask(const std::vector<int64_t> &numbers) {
    if (samples_.names().empty() || numbers.size() != samples_.names().size())
      return "expected the value of each variable";
    if (samples_.isEmpty()) return "nothing was seen at this point";
    const State state = stateOf(numbers);
    if (samples_.contains(state)) return "this state was seen";
    if (!models_) {
      models_.emplace(samples_);
      std::printf("point %.6f\n", models_->denseShare());
    }
    std::printf("%d", models_->isDense(state) ? 1 : 0);
    for (const double p : models_->at(state)) std::printf(" %.6f", p);
    std::printf("\n");
    return "";
  }

  static State stateOf(std::span<const int64_t> values) {
    State out;
    for (VariableId v = 0; v < values.size(); ++v) out.bindings.emplace_back(v, values[v]);
    return out;
  }

  Samples samples_;
  std::optional<Models> models_; ///< from the first question on
};

std::optional<uint64_t> numberFrom(std::string_view text) {
  uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

std::string digits(const std::vector<uint8_t> &bits) {
  std::string out;
  for (const uint8_t bit : bits) out += bit ? '1' : '0';
  return out;
}

void printPatterns(uint64_t seed, uint64_t count) {
  Rng rng(seed);
  for (uint64_t i = 0; i < count; ++i) {
    const auto kind = static_cast<PatternKind>(i % kPatternKinds);
    const Pattern pattern = drawPattern(kind, 2 * Forest::shipped().k(), rng);
    std::printf("%s %s %s\n", textOf(kind), digits(pattern.belongs).c_str(),
                digits(pattern.seen).c_str());
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 1) {
    const std::string problem = Reader().read(std::cin);
    if (problem.empty()) return 0;
    std::fprintf(stderr, "psp-models: %s\n", problem.c_str());
    return 2;
  }
  const std::optional<uint64_t> seed = argc == 4 ? numberFrom(argv[2]) : std::nullopt;
  const std::optional<uint64_t> count = argc == 4 ? numberFrom(argv[3]) : std::nullopt;
  if (!seed || !count || std::string_view(argv[1]) != "--patterns") {
    std::fprintf(stderr,
                 "psp-models: expected points on standard input, or --patterns SEED COUNT\n");
    return 2;
  }
  printPatterns(*seed, *count);
  return 0;
}
