// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"

#include "run/Failure.h"
#include "support/Quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <map>

namespace fathom::tool {

void orThrow(llvm::Error error) {
  if (!error) return;
  const bool isUsage = error.isA<run::UsageError>();
  const std::string text = llvm::toString(std::move(error));
  if (isUsage) throw UsageError(text);
  throw InternalError(text);
}

// ---- messages
// ---------------------------------------------------------------------------------------------------

Log::~Log() {
  if (file_) fclose(file_);
}

void Log::open(const std::string &file) {
  file_ = fopen(file.c_str(), "ae");
  if (!file_)
    throw UsageError(fmt::format("--log {}: cannot be written: {}", file, strerror(errno)));
}

void Log::record(const char *kind, const std::string &text) {
  if (!file_) return;
  time_t now = time(nullptr);
  tm parts{};
  localtime_r(&now, &parts);
  fprintf(file_, "%02d:%02d:%02d %s %s\n", parts.tm_hour, parts.tm_min, parts.tm_sec, kind,
          text.c_str());
  fflush(file_);
}

void Log::warn(const std::string &text) {
  record("warning", text);
  fprintf(stderr, "fathom: %s\n", text.c_str());
}

void Log::note(const std::string &text) { record("info", text); }

void Log::verbose(const std::string &text) {
  record("info", text);
  if (level >= Verbose) fprintf(stderr, "fathom: %s\n", text.c_str());
}

void Log::announce(const std::string &text) {
  if (level != Quiet) fprintf(stderr, "fathom: %s\n", text.c_str());
}

void Log::progress(const std::string &line) {
  if (!status_) status_.emplace(showsProgress && level != Quiet);
  status_->show(line);
}

void Log::endProgress() { status_.reset(); }

void configureLog(const CommonOptions &options, Log &log) {
  if (options.quiet && options.verbose)
    throw UsageError("-q and -v contradict each other: give one of them");
  log.level = options.quiet ? Log::Quiet : options.verbose ? Log::Verbose : Log::Normal;
  if (!options.logFile.empty()) log.open(options.logFile);
}

// ---- common options
// -----------------------------------------------------------------------------------------------

/// What is shown of an option's value; what follows it, checks say of themselves.
static std::string typeOf(const CLI::Option &option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

bool takesNaturalNumber(const CLI::Option &option) {
  const std::string type = typeOf(option);
  return type == "N" || type == "N[,N...]" || type == "K" || type == "I" || type == "UINT" ||
         type == "BYTES";
}

CLI::Validator naturalNumber(const CLI::Option &option, unsigned maxJobs) {
  const std::string range = option.check_lname("jobs") ? fmt::format("1 to {}", maxJobs) : "";
  const uint64_t thousand = typeOf(option) == "BYTES" ? 1024 : 1000;
  return {[thousand, range](std::string &text) {
            const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            static const std::map<std::string, int> kUnits{{"", 0},  {"k", 1}, {"K", 1},
                                                           {"M", 2}, {"G", 3}, {"T", 4}};
            const auto unit = kUnits.find(text.substr(digits));
            if (!digits || unit == kUnits.end())
              return fmt::format(
                  "{}: expected {}", text,
                  range.empty() ? "a number that is not negative, such as 10000 or 10k" : range);
            // JSON's numbers are signed.
            errno = 0;
            uint64_t value = strtoull(text.c_str(), nullptr, 10);
            bool fits = !errno && value <= INT64_MAX;
            for (int i = 0; fits && i < unit->second; i++) {
              fits = value <= INT64_MAX / thousand;
              value *= thousand;
            }
            if (!fits)
              return fmt::format("{}: expected {}", text,
                                 range.empty() ? fmt::format("a number up to {}", INT64_MAX)
                                               : range);
            if (unit->second) text = std::to_string(value);
            return std::string();
          },
          ""};
}

void CommonOptions::add(CLI::App &app, bool withOutput) {
  if (withOutput) {
    app.add_option("-o,--output", output, "the results folder")
        ->capture_default_str()
        ->type_name("DIR");
    app.add_flag("--force", force, "replace the results of an earlier run in that folder");
    app.add_flag("--resume", resume,
                 "continue the run in that folder: same program and options, new budgets");
    app.add_option("--max-memory", maxMemory,
                   "memory limit of all processes together; default: 70 % of free memory")
        ->type_name("SIZE");
    app.add_flag("--fail-on-findings", failOnFindings, "exit with status 1 if there are findings");
  }
  app.add_option("--max-time", maxTime, "stop after this time: 90s, 10m, 2h, 2m30s")
      ->type_name("TIME");
  app.add_option("--jobs", jobs, "number of parallel workers")
      ->capture_default_str()
      ->type_name("N");
  app.add_flag("--json", json, "print the summary as one JSON document");
  app.add_option("--config", configFile,
                 "read long options from a TOML file; the command line overrides it")
      ->type_name("FILE");
  app.add_flag("-v,--verbose", verbose, "print more messages");
  app.add_flag("-q,--quiet", quiet, "print errors only");
  app.add_option("--log", logFile, "append messages to FILE")->type_name("FILE");
}

void CommonOptions::addDismissals(CLI::App &app) {
  app.add_option("--dismissed", dismissed,
                 "the file of dismissals (fathom dismiss); default: fathom-dismissed.jsonl in the "
                 "working directory, the program's folder, or above")
      ->type_name("FILE");
  app.add_flag("--show-dismissed", showsDismissed, "also list what is dismissed");
  app.add_flag("--ids", ids, "print the id of each one, which fathom dismiss takes");
}

std::chrono::milliseconds CommonOptions::time() const {
  return maxTime.empty() ? std::chrono::milliseconds(0) : parseDuration("--max-time", maxTime);
}

run::Limits CommonOptions::limits() const {
  run::Limits out;
  out.time = time();
  if (!maxMemory.empty()) out.memoryBytes = memoryBytes();
  out.timeText = maxTime;
  out.memoryText = maxMemory;
  return out;
}

uint64_t CommonOptions::memoryBytes() const {
  return maxMemory.empty() ? 0 : parseSize("--max-memory", maxMemory);
}

void CommonOptions::checkJobs() const {
  if (!jobs || jobs > kMaxJobs)
    throw UsageError(fmt::format("--jobs {}: expected 1 to {}", jobs, kMaxJobs));
}

std::chrono::milliseconds parseDuration(const std::string &option, const std::string &text) {
  if (const auto time = durationFrom(text)) return *time;
  throw UsageError(fmt::format("{} {}: expected a time such as 90s, 10m or 2h30m", option, text));
}

uint64_t parseSize(const std::string &option, const std::string &text) {
  if (const auto bytes = sizeFrom(text)) return *bytes;
  throw UsageError(fmt::format("{} {}: expected a size such as 512M or 4G", option, text));
}

} // namespace fathom::tool
