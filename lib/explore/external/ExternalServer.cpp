// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/external/ExternalServer.h"

#include "explore/external/ExternalRows.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fathom::explore {

using native::ExternalArgument;
using native::ExternalResult;
using native::ExternalType;

/// A function that has hung gets less time for other inputs: a search tries thousands.
static constexpr std::chrono::milliseconds kAfterHang{200};
static constexpr int kPatience = 4;        // times the time, on the second try
static constexpr unsigned kFaultsKept = 8; // of one function, until takeFaults()

const char *text(ExternalStatus status) {
  switch (status) {
  case ExternalStatus::Returned: return "returned";
  case ExternalStatus::Crashed: return "crashed";
  case ExternalStatus::Exited: return "ended the process";
  case ExternalStatus::TimedOut: return "did not return in time";
  case ExternalStatus::WroteOutside: return "wrote beside the memory that it was given";
  case ExternalStatus::ForeignPointer: return "returned a pointer into its own memory";
  case ExternalStatus::NotFound: return "is in no library that was named";
  case ExternalStatus::NotRun: return "could not be executed";
  }
  return "?";
}

// --- layout
// ----------------------------------------------------------------------------------------

uint64_t ExternalSignature::contentsAt(size_t block) const {
  uint64_t at = 8 * (arguments.size() + blocks.size());
  for (size_t b = 0; b < block; b++) at += blocks[b].size;
  return at;
}

uint64_t ExternalSignature::resultsAt(size_t block) const {
  uint64_t at = kFixed;
  for (size_t b = 0; b < block; b++)
    if (blocks[b].written) at += blocks[b].size;
  return at;
}

uint64_t ExternalSignature::inputBytes() const {
  uint64_t bytes = ownBytes();
  for (auto &call : before) bytes += call->ownBytes();
  return bytes;
}

std::string ExternalSignature::name() const {
  std::string out = function + (ofProgram ? ":" : "@");
  for (ExternalType t : arguments)
    out += t == ExternalType::Double ? 'd' : t == ExternalType::Float ? 'f' : 'i';
  out += result == ExternalType::Void     ? "v"
         : result == ExternalType::Double ? "d"
         : result == ExternalType::Float  ? "f"
         : returnsPointer                 ? "p"
                                          : "i";
  for (const Block &b : blocks) out += fmt::format("_{}{}", b.size, b.written ? "w" : "");
  if (errnoBlock >= 0) out += fmt::format("_e{}", errnoBlock);
  if (stateful) out += "!";
  for (auto &call : before) out += "," + call->name();
  return out;
}

static uint64_t wordAt(std::span<const uint8_t> bytes, uint64_t at) {
  uint64_t v;
  memcpy(&v, bytes.data() + at, 8);
  return v;
}

// --- operations
// ------------------------------------------------------------------------------------

ExternalServer::ExternalServer(const ExploreOptions &options) : options_(options) {}
ExternalServer::~ExternalServer() = default;

std::shared_ptr<expr::ExternalOperation>
ExternalServer::operation(const ExternalSignature &signature) {
  auto &known = operations_[signature.name()];
  if (!known) known = std::make_shared<Operation>(*this, signature);
  return known;
}

int ExternalServer::detail(const expr::ExternalOperation &operation,
                           std::span<const uint8_t> in) const {
  auto it = operations_.find(operation.name);
  return it == operations_.end() ? 0 : it->second->detail(in);
}

/// The libraries are those of the program that is linked, or the C library: of a function of the
/// program itself the C library's is called, which may differ in what C leaves open.
std::string ExternalServer::Operation::cSource(const std::string &name) const {
  const ExternalSignature &f = signature_;
  if (f.searchedApart) return ""; // a harness is one process
  auto cType = [](ExternalType t) {
    return t == ExternalType::Double ? "double" : t == ExternalType::Float ? "float" : "uint64_t";
  };
  std::string parameters, arguments, out;
  for (size_t i = 0; i < f.arguments.size(); i++) {
    parameters += fmt::format("{}{}", i ? ", " : "", cType(f.arguments[i]));
    arguments += fmt::format("{}*({} *)(in + {})", i ? ", " : "", cType(f.arguments[i]), 8 * i);
  }
  const bool isVoid = f.result == ExternalType::Void;
  out = fmt::format("static void {}(const u8 *in, u8 *out) {{\n"
                    "  static {} (*function)({});\n  memset(out, 0, {});\n",
                    name, isVoid ? "void" : cType(f.result),
                    parameters.empty() ? "void" : parameters, f.outputBytes());
  out += "  if (!function) {\n";
  for (const std::string &library : server_->options_.libraries)
    out +=
        fmt::format("    if (!function) function = dlsym(dlopen(\"{}\", RTLD_NOW | RTLD_GLOBAL), "
                    "\"{}\");\n",
                    library, f.function);
  out += fmt::format("    if (!function) function = dlsym(RTLD_DEFAULT, \"{}\");\n  }}\n"
                     "  if (!function) {{ out[0] = 1; return; }}\n",
                     f.function);
  for (size_t b = 0; b < f.blocks.size(); b++) {
    out +=
        fmt::format("  u64 block{0} = *(u64 *)(in + {1}), size{0} = {2};\n"
                    "  mmap((void *)(block{0} & ~4095ul), size{0} + 4096, PROT_READ | PROT_WRITE,\n"
                    "       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);\n",
                    b, f.addressAt(b), f.blocks[b].size);
  }
  for (size_t b = 0; b < f.blocks.size(); b++)
    out += fmt::format("  memcpy((void *)block{0}, in + {1}, size{0});\n", b, f.contentsAt(b));
  if (f.errnoBlock >= 0) out += fmt::format("  errno = *(int *)block{};\n", f.errnoBlock);
  if (isVoid)
    out += fmt::format("  function({});\n", arguments);
  else
    out += fmt::format("  {} result = function({});\n", cType(f.result), arguments);
  if (f.errnoBlock >= 0) out += fmt::format("  *(int *)block{} = errno;\n", f.errnoBlock);
  if (!isVoid && f.returnsPointer) {
    out += "  out[0] = result ? 1 : 0;\n";
    for (size_t b = 0; b < f.blocks.size(); b++)
      out +=
          fmt::format("  if (out[0] && result - block{0} <= size{0}) out[0] = 0, out[{1}] = {2}, "
                      "result -= block{0};\n",
                      b, ExternalSignature::kBlockAt, b + 1);
  }
  if (!isVoid)
    out +=
        fmt::format("  memcpy(out + {}, &result, sizeof result);\n", ExternalSignature::kValueAt);
  for (size_t b = 0; b < f.blocks.size(); b++)
    if (f.blocks[b].written)
      out += fmt::format("  memcpy(out + {1}, (void *)block{0}, size{0});\n", b, f.resultsAt(b));
  return out + "}\n";
}

// --- executing
// --------------------------------------------------------------------------------------

native::ExternalRunner *ExternalServer::runner(bool ofProgram, bool stateful) {
  auto &slot =
      stateful ? (ofProgram ? statefulProgram_ : statefulHost_) : (ofProgram ? program_ : host_);
  const std::string &helper = ofProgram ? options_.functionsVariant : options_.nativeHelper;
  if (!slot && !helper.empty())
    slot = std::make_unique<native::ExternalRunner>(native::ExternalRunnerOptions{
        .helper = helper,
        .libraries = ofProgram ? std::vector<std::string>() : options_.libraries});
  return slot.get();
}

static ExternalStatus statusOf(ExternalResult::Kind kind) {
  switch (kind) {
  case ExternalResult::Kind::Done: return ExternalStatus::Returned;
  case ExternalResult::Kind::Crash: return ExternalStatus::Crashed;
  case ExternalResult::Kind::Exited: return ExternalStatus::Exited;
  case ExternalResult::Kind::Timeout: return ExternalStatus::TimedOut;
  case ExternalResult::Kind::WroteOutside: return ExternalStatus::WroteOutside;
  case ExternalResult::Kind::NotFound: return ExternalStatus::NotFound;
  case ExternalResult::Kind::Failed: break;
  }
  return ExternalStatus::NotRun;
}

/// What a call that came to its end gave, as the operation's output. `blocks`: the memory, as it
/// was left.
static ExternalStatus store(const ExternalSignature &f, std::span<const uint8_t> in,
                            uint64_t integer, uint64_t realBits,
                            std::span<const uint8_t *const> blocks, std::span<uint8_t> out) {
  uint64_t value = f.result == ExternalType::Integer ? integer : realBits;
  if (f.result == ExternalType::Void) value = 0;
  if (f.result == ExternalType::Float) value &= 0xffffffffu;
  uint8_t block = 0;
  if (f.returnsPointer && value) {
    // One past the end is still a pointer to it.
    for (size_t b = 0; b < f.blocks.size() && !block; b++)
      if (uint64_t offset = value - wordAt(in, f.addressAt(b)); offset <= f.blocks[b].size) {
        block = static_cast<uint8_t>(b + 1);
        value = offset;
      }
    if (!block && !f.stateful) return ExternalStatus::ForeignPointer;
    if (!block) block = ExternalSignature::kForeignBlock;
  }
  out[ExternalSignature::kBlockAt] = block;
  memcpy(out.data() + ExternalSignature::kValueAt, &value, 8);
  for (size_t b = 0; b < f.blocks.size() && b < blocks.size(); b++)
    if (f.blocks[b].written)
      std::copy_n(blocks[b], f.blocks[b].size,
                  out.begin() + static_cast<ptrdiff_t>(f.resultsAt(b)));
  return ExternalStatus::Returned;
}

static native::ExternalRunner::Call callOf(const ExternalSignature &f,
                                           std::span<const uint8_t> in) {
  native::ExternalRunner::Call call{f.function, {}, f.result, f.errnoBlock};
  for (size_t i = 0; i < f.arguments.size(); i++)
    call.arguments.push_back({f.arguments[i], wordAt(in, 8 * i), {}, 0});
  for (size_t b = 0; b < f.blocks.size(); b++) {
    const uint8_t *bytes = in.data() + f.contentsAt(b);
    call.arguments.push_back(
        ExternalArgument::block(wordAt(in, f.addressAt(b)), {bytes, bytes + f.blocks[b].size}));
  }
  return call;
}

void ExternalServer::execute(const ExternalSignature &f, std::span<const uint8_t> in,
                             std::span<uint8_t> out, bool apart) {
  std::fill(out.begin(), out.end(), uint8_t(0));
  auto end = [&](ExternalStatus status) {
    stats_.byStatus[static_cast<size_t>(status)]++;
    out[ExternalSignature::kStatusAt] = static_cast<uint8_t>(status);
    if (status != ExternalStatus::Returned) noteFault(f, in, status, lastDetail_);
  };
  native::ExternalRunner *child = runner(f.ofProgram, f.stateful);
  if (!child) return end(ExternalStatus::NotRun);
  std::vector<native::ExternalRunner::Call> calls;
  uint64_t at = f.ownBytes();
  for (auto &earlier : f.before) {
    calls.push_back(callOf(*earlier, in.subspan(at)));
    at += earlier->ownBytes();
  }
  calls.push_back(callOf(f, in));
  apart |= f.stateful;
  auto run = [&](std::chrono::milliseconds time, bool alone) {
    return alone ? child->callInTurn(calls, time)
                 : child->call(calls.back(), time, /*apart=*/false);
  };
  unsigned &hangs = hangs_[f.function];
  const auto start = std::chrono::steady_clock::now();
  const auto time =
      hangs ? std::min(options_.externalTimeout, kAfterHang) : options_.externalTimeout;
  ExternalResult r = run(time, apart);
  // What comes of it is remembered: a machine that is busy must not make it a hang.
  if (r.kind == ExternalResult::Kind::Timeout) r = run(kPatience * time, /*alone=*/true);
  stats_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stats_.executed++;
  hangs += r.kind == ExternalResult::Kind::Timeout;
  lastDetail_ = r.status;
  if (r.kind != ExternalResult::Kind::Done) return end(statusOf(r.kind));

  std::vector<const uint8_t *> blocks;
  for (const std::vector<uint8_t> &bytes : r.buffers) blocks.push_back(bytes.data());
  end(store(f, in, r.integer, r.realBits, blocks, out));
}

/// All inputs in one exchange with the child, as long as nothing goes wrong; one by one then.
void ExternalServer::executeAll(const ExternalSignature &f, std::span<const uint8_t> in,
                                std::span<uint8_t> out, size_t count) {
  constexpr size_t kAfterFailure = 64;
  const uint64_t inputBytes = f.inputBytes(), outputBytes = f.outputBytes();
  native::ExternalRunner::Many many{f.function, f.arguments, {}, f.errnoBlock};
  for (const auto &block : f.blocks) many.blocks.push_back(block.size);
  std::vector<uint8_t> replies(count * many.replyBytes());
  std::vector<const uint8_t *> blocks(f.blocks.size());
  size_t at = 0;
  native::ExternalRunner *child = runner(f.ofProgram);
  while (at < count) {
    size_t done = 0;
    // An operation without arguments has a byte of input that stands for nothing.
    if (child && many.inputBytes() == inputBytes && !f.searchedApart && !hangs_[f.function]) {
      const auto start = std::chrono::steady_clock::now();
      done = child->callMany(many, in.subspan(at * inputBytes), replies, count - at,
                             options_.externalTimeout);
      stats_.seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    for (size_t i = 0; i < done; i++, at++) {
      const uint8_t *reply = replies.data() + i * many.replyBytes();
      native::ExternalRunner::ManyReply r;
      memcpy(&r, reply, sizeof r);
      reply += sizeof r;
      for (size_t b = 0; b < blocks.size(); reply += f.blocks[b++].size) blocks[b] = reply;
      auto one = in.subspan(at * inputBytes, inputBytes);
      auto result = out.subspan(at * outputBytes, outputBytes);
      std::fill(result.begin(), result.end(), uint8_t(0));
      stats_.executed++;
      const ExternalStatus status = r.kind == ExternalResult::Kind::Done
                                        ? store(f, one, r.integer, r.realBits, blocks, result)
                                        : statusOf(r.kind);
      stats_.byStatus[static_cast<size_t>(status)]++;
      result[ExternalSignature::kStatusAt] = static_cast<uint8_t>(status);
      if (status != ExternalStatus::Returned) noteFault(f, one, status, 0);
    }
    for (size_t i = 0; i < kAfterFailure && at < count; i++, at++)
      execute(f, in.subspan(at * inputBytes, inputBytes),
              out.subspan(at * outputBytes, outputBytes), f.apart);
  }
}

void ExternalServer::Operation::prepare(std::span<const uint8_t> in, size_t count) {
  // What is executed in turn with others is not to be believed of these.
  if (signature_.apart || signature_.stateful) return;
  std::vector<uint8_t> unknown;
  std::unordered_set<std::string> seen;
  for (size_t i = 0; i < count; i++) {
    const auto one = in.subspan(i * inputBytes, inputBytes);
    std::string key(one.begin(), one.end());
    if (known_.count(key) || !seen.insert(std::move(key)).second) continue;
    unknown.insert(unknown.end(), one.begin(), one.end());
  }
  std::vector<uint8_t> out(seen.size() * outputBytes);
  server_->executeAll(signature_, unknown, out, seen.size());
  for (size_t i = 0; i < seen.size(); i++) {
    const auto result = std::span(out).subspan(i * outputBytes, outputBytes);
    // Where something went wrong, apply() finds out what.
    if (result[ExternalSignature::kStatusAt] != uint8_t(ExternalStatus::Returned)) continue;
    const auto *key = reinterpret_cast<const char *>(unknown.data() + i * inputBytes);
    remember(std::string(key, inputBytes), result, 0);
  }
}

void ExternalServer::remember(expr::ExternalOperation &operation, std::span<const uint8_t> in,
                              std::span<const uint8_t> out) {
  if (auto it = operations_.find(operation.name); it != operations_.end())
    it->second->remember(std::string(in.begin(), in.end()), out, 0);
}

bool ExternalServer::validate(expr::ExternalOperation &operation, std::span<const uint8_t> in,
                              std::span<const uint8_t> out) {
  auto it = operations_.find(operation.name);
  if (it == operations_.end()) return true; // not one of ours: computed here
  std::vector<uint8_t> again(out.size());
  execute(it->second->signature(), in, again, /*apart=*/true);
  stats_.validated++;
  const bool agrees = std::equal(again.begin(), again.end(), out.begin());
  stats_.disagreements += !agrees;
  return agrees;
}

// --- what went wrong
// --------------------------------------------------------------------------------

static std::string readable(std::span<const uint8_t> bytes) {
  std::string out = "\"";
  for (size_t i = 0; i < bytes.size() && i < 32; i++) {
    const uint8_t b = bytes[i];
    if (b == 0 && std::all_of(bytes.begin() + static_cast<ptrdiff_t>(i), bytes.end(),
                              [](uint8_t rest) { return rest == 0; }))
      break;
    out += b >= 32 && b < 127 && b != '"' && b != '\\' ? std::string(1, static_cast<char>(b))
                                                       : fmt::format("\\x{:02x}", b);
  }
  return out + (bytes.size() > 32 ? "\"..." : "\"");
}

void ExternalServer::noteFault(const ExternalSignature &f, std::span<const uint8_t> in,
                               ExternalStatus status, int detail) {
  if (faultsOf_[f.function]++ >= kFaultsKept) return;
  std::string arguments = "(";
  for (size_t i = 0; i < f.arguments.size(); i++) {
    if (i) arguments += ", ";
    const uint64_t bits = wordAt(in, 8 * i);
    size_t block = 0;
    while (block < f.blocks.size() && bits - wordAt(in, f.addressAt(block)) > f.blocks[block].size)
      block++;
    if (f.arguments[i] == ExternalType::Double)
      arguments += fmt::format("{}", std::bit_cast<double>(bits));
    else if (f.arguments[i] == ExternalType::Float)
      arguments += fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
    else if (bits && block < f.blocks.size())
      arguments +=
          readable(in.subspan(f.contentsAt(block) + (bits - wordAt(in, f.addressAt(block))),
                              f.blocks[block].size - (bits - wordAt(in, f.addressAt(block)))));
    else
      arguments += fmt::format("{}", static_cast<int64_t>(bits));
  }
  faults_.push_back({f.function, status, detail, arguments + ")"});
}

std::vector<ExternalFault> ExternalServer::takeFaults() {
  faultsOf_.clear();
  return std::exchange(faults_, {});
}

} // namespace fathom::explore
