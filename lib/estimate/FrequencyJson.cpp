// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read as a stream of events, not as a document: a key that is there twice is seen, and nothing is
// thrown.
#include "estimate/FrequencyJson.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fathom::estimate {

namespace {

constexpr const char *kShape = R"(expected {"units": 121, "frequencies": {"1": 23, "2": 9}})";

// The library names these functions.
// NOLINTBEGIN(readability-identifier-naming)

/// What nlohmann::json::sax_parse calls. Every function returns false to stop.
struct Events {
  using Json = nlohmann::json;

  std::optional<uint64_t> units;
  std::vector<std::pair<uint64_t, uint64_t>> frequencies;
  bool seenFrequencies = false;
  std::string problem;

  bool null() { return other("null"); }
  bool boolean(bool) { return other("a boolean"); }
  bool number_integer(Json::number_integer_t value) {
    return stop(fmt::format("{} is {}; expected a number that is not negative", place(), value));
  }
  bool number_float(Json::number_float_t, const Json::string_t &text) {
    return stop(fmt::format("{} is {}; expected a whole number", place(), text));
  }
  bool string(Json::string_t &) { return other("a string"); }
  bool binary(Json::binary_t &) { return other("binary data"); }
  bool start_array(size_t) { return other("a list"); }
  bool end_array() { return true; }

  bool number_unsigned(Json::number_unsigned_t value) {
    if (depth_ == 1 && name_ == "units") {
      if (units) return stop("units is given twice");
      if (value == 0) return stop("units is 0; expected at least 1");
      units = value;
      return true;
    }
    if (depth_ == 2) {
      frequencies.emplace_back(frequency_, value);
      return true;
    }
    return other("a number");
  }
  bool start_object(size_t) {
    if (depth_ == 0 || (depth_ == 1 && name_ == "frequencies" && !seenFrequencies)) {
      seenFrequencies |= depth_ == 1;
      depth_++;
      return true;
    }
    return depth_ == 1 && name_ == "frequencies" ? stop("frequencies is given twice")
                                                 : other("an object");
  }
  bool end_object() {
    depth_--;
    return true;
  }
  bool key(Json::string_t &key) {
    name_ = key;
    if (depth_ == 1) {
      if (name_ == "units" || name_ == "frequencies") return true;
      return stop(fmt::format("'{}' is no key of a frequency file; {}", name_, kShape));
    }
    auto [end, error] = std::from_chars(name_.data(), name_.data() + name_.size(), frequency_);
    if (error != std::errc() || end != name_.data() + name_.size())
      return stop(fmt::format("frequency '{}': expected a number of units", name_));
    return true;
  }
  bool parse_error(size_t position, const std::string &, const Json::exception &) {
    return stop(fmt::format("no JSON at byte {}; {}", position, kShape));
  }

private:
  bool stop(std::string message) {
    if (problem.empty()) problem = std::move(message);
    return false;
  }
  std::string place() const {
    if (depth_ == 0) return "the document";
    return depth_ == 1 ? name_ : fmt::format("frequency '{}'", name_);
  }
  bool other(const char *what) { return stop(fmt::format("{} is {}; {}", place(), what, kShape)); }

  int depth_ = 0;
  std::string name_;
  uint64_t frequency_ = 0;
};

// NOLINTEND(readability-identifier-naming)

} // namespace

Result<FrequencyCounts> parseFrequencyJson(std::string_view text) {
  Events events;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &events) || !events.problem.empty())
    return Failure{events.problem.empty() ? fmt::format("no JSON; {}", kShape) : events.problem};
  if (!events.units) return Failure{fmt::format("units is missing; {}", kShape)};
  if (!events.seenFrequencies) return Failure{fmt::format("frequencies is missing; {}", kShape)};
  return FrequencyCounts::make(*events.units, std::move(events.frequencies));
}

} // namespace fathom::estimate
