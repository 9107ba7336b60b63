// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ElfSections.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <map>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::cc {

static constexpr char kEmbedded[] = ".llvmbc", kFatLto[] = ".llvm.lto";
static_assert(sizeof kEmbedded == sizeof kOwnBitcode && sizeof kEmbedded == sizeof kLibcBitcode);
static_assert(sizeof kFatLto == sizeof kOwnOptimizedBitcode &&
              sizeof kFatLto == sizeof kLibcOptimizedBitcode);

namespace {

/// A 64-bit ELF file mapped for reading and writing; every access is checked against its size.
class ElfFile {
public:
  explicit ElfFile(const std::string &path) : path_(path) {
    fd_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat info;
    if (fd_ < 0 || fstat(fd_, &info) < 0) {
      error_ = "cannot open " + path + ": " + std::strerror(errno);
      return;
    }
    size_ = static_cast<size_t>(info.st_size);
    if (size_ < sizeof(Elf64_Ehdr)) return;
    void *map = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (map == MAP_FAILED) {
      error_ = "cannot map " + path + ": " + std::strerror(errno);
      return;
    }
    data_ = static_cast<char *>(map);
    if (std::memcmp(data_, ELFMAG, SELFMAG) != 0 || data_[EI_CLASS] != ELFCLASS64) return;
    Elf64_Ehdr &header = *at<Elf64_Ehdr>(0);
    count_ = header.e_shnum;
    if (!header.e_shoff || !fits(header.e_shoff, sizeof(Elf64_Shdr))) return;
    if (count_ == 0) count_ = at<Elf64_Shdr>(header.e_shoff)->sh_size; // more than 65279 sections
    if (!fits(header.e_shoff, count_ * sizeof(Elf64_Shdr))) return;
    sections_ = at<Elf64_Shdr>(header.e_shoff);
    size_t names = header.e_shstrndx;
    if (names == SHN_XINDEX) names = sections_[0].sh_link;
    if (names >= count_ || !fits(sections_[names].sh_offset, sections_[names].sh_size)) {
      sections_ = nullptr;
      return;
    }
    names_ = data_ + sections_[names].sh_offset;
    namesSize_ = sections_[names].sh_size;
  }
  ~ElfFile() {
    if (data_) munmap(data_, size_);
    if (fd_ >= 0) close(fd_);
  }
  ElfFile(const ElfFile &) = delete;
  ElfFile &operator=(const ElfFile &) = delete;

  const std::string &error() const { return error_; }
  /// False for anything that is not a 64-bit ELF file (an archive, a script, LLVM bitcode).
  bool isElf() const { return sections_ != nullptr; }
  size_t count() const { return count_; }
  Elf64_Shdr &section(size_t index) { return sections_[index]; }
  bool fits(uint64_t offset, uint64_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }
  template <typename T> T *at(uint64_t offset) { return reinterpret_cast<T *>(data_ + offset); }
  char *nameOf(const Elf64_Shdr &section) {
    static char none[1] = "";
    if (section.sh_name >= namesSize_ ||
        !memchr(names_ + section.sh_name, 0, namesSize_ - section.sh_name))
      return none;
    return names_ + section.sh_name;
  }
  Elf64_Shdr *find(const char *name) {
    for (size_t i = 0; i < count_; i++)
      if (std::strcmp(nameOf(sections_[i]), name) == 0 &&
          fits(sections_[i].sh_offset, sections_[i].sh_size))
        return &sections_[i];
    return nullptr;
  }

  /// Shrinks a section that is not loaded to newSize (rounded up so that what follows stays
  /// aligned) and moves the rest of the file up.
  void shrink(Elf64_Shdr &section, uint64_t newSize) {
    const uint64_t kAlign = 64;
    uint64_t removed =
        section.sh_size < newSize ? 0 : (section.sh_size - newSize) / kAlign * kAlign;
    if (!removed) return;
    uint64_t end = section.sh_offset + section.sh_size;
    section.sh_size -= removed;
    for (size_t i = 0; i < count_; i++)
      if (sections_[i].sh_offset >= end) sections_[i].sh_offset -= removed;
    Elf64_Ehdr &header = *at<Elf64_Ehdr>(0);
    if (header.e_shoff >= end) header.e_shoff -= removed;
    std::memmove(data_ + end - removed, data_ + end, size_ - end);
    size_t newFileSize = size_ - removed;
    munmap(data_, size_);
    data_ = nullptr, sections_ = nullptr;
    if (ftruncate(fd_, static_cast<off_t>(newFileSize)) < 0)
      error_ = "cannot shorten " + path_ + ": " + std::strerror(errno);
  }

  /// Moves a section that is not loaded to the end of the file, with other contents.
  void replace(Elf64_Shdr &section, const std::string &contents) {
    const uint64_t kAlign = 64, end = (size_ + kAlign - 1) / kAlign * kAlign;
    section.sh_offset = end;
    section.sh_size = contents.size();
    if (pwrite(fd_, contents.data(), contents.size(), static_cast<off_t>(end)) !=
        static_cast<ssize_t>(contents.size()))
      error_ = "cannot write " + path_ + ": " + std::strerror(errno);
  }

private:
  std::string path_, error_;
  int fd_ = -1;
  size_t size_ = 0, count_ = 0, namesSize_ = 0;
  char *data_ = nullptr, *names_ = nullptr;
  Elf64_Shdr *sections_ = nullptr;
};

} // namespace

std::string sealObject(const std::string &path, bool libc) {
  ElfFile file(path);
  if (!file.error().empty() || !file.isElf()) return file.error();
  auto rename = [&](const char *from, const char *to) {
    Elf64_Shdr *section = file.find(from);
    if (!section) return;
    std::memcpy(file.nameOf(*section), to, std::strlen(to));
    section->sh_type = SHT_PROGBITS; // .llvm.lto has a type that linkers treat specially
    section->sh_flags = 0;           // and the flag to be dropped
    section->sh_addralign = 4;       // bitcode is made of 32-bit words
  };
  rename(kEmbedded, libc ? kLibcBitcode : kOwnBitcode);
  rename(kFatLto, libc ? kLibcOptimizedBitcode : kOwnOptimizedBitcode);
  return "";
}

std::string bitcodeOf(const std::string &object) {
  ElfFile file(object);
  if (!file.error().empty() || !file.isElf()) return "";
  const Elf64_Shdr *section = file.find(kOwnBitcode);
  return section ? std::string(file.at<char>(section->sh_offset), section->sh_size) : "";
}

std::string replaceBitcode(const std::string &object, const std::string &bitcode) {
  ElfFile file(object);
  if (!file.error().empty() || !file.isElf()) return file.error();
  if (Elf64_Shdr *section = file.find(kOwnBitcode)) file.replace(*section, bitcode);
  return file.error();
}

static void readSymbols(ElfFile &file, std::vector<NativeSymbol> &symbols) {
  for (size_t i = 0; i < file.count(); i++) {
    Elf64_Shdr &table = file.section(i);
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= file.count()) continue;
    Elf64_Shdr &strings = file.section(table.sh_link);
    if (!file.fits(table.sh_offset, table.sh_size) ||
        !file.fits(strings.sh_offset, strings.sh_size) || strings.sh_size == 0)
      continue;
    const char *names = file.at<char>(strings.sh_offset);
    auto *symbol = file.at<Elf64_Sym>(table.sh_offset);
    for (size_t n = table.sh_size / sizeof(Elf64_Sym); n; n--, symbol++) {
      if (symbol->st_shndx == SHN_UNDEF || symbol->st_name == 0 ||
          symbol->st_name >= strings.sh_size)
        continue;
      unsigned type = ELF64_ST_TYPE(symbol->st_info);
      bool local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
      bool code = symbol->st_shndx < file.count() &&
                  (file.section(symbol->st_shndx).sh_flags & SHF_EXECINSTR) != 0;
      // Assembly often forgets .type: a global label in code counts as a function.
      bool function =
          type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && code && !local);
      bool variable = (type == STT_OBJECT || type == STT_TLS) && !local;
      if (function || variable) symbols.push_back({names + symbol->st_name, function, local});
    }
  }
}

/// The linker's note: a head, the owner's name ("GNU"), and the id.
static std::string buildIdOf(ElfFile &file) {
  Elf64_Shdr *section = file.find(".note.gnu.build-id");
  constexpr size_t kNameBytes = 4;
  if (!section || section->sh_size < sizeof(Elf64_Nhdr) + kNameBytes) return "";
  auto *head = file.at<Elf64_Nhdr>(section->sh_offset);
  const size_t start = sizeof *head + kNameBytes;
  if (head->n_namesz != kNameBytes || head->n_descsz > section->sh_size - start) return "";
  std::string id;
  for (size_t i = 0; i < head->n_descsz; i++) {
    const auto byte = *file.at<unsigned char>(section->sh_offset + start + i);
    for (int digit : {byte >> 4, byte & 15}) id += "0123456789abcdef"[digit];
  }
  return id;
}

LinkedProgram extract(const std::string &path, const std::string &note) {
  LinkedProgram program;
  {
    ElfFile file(path);
    program.error = file.error();
    if (!program.error.empty() || !file.isElf()) return program;
    auto take = [&](const char *section, std::string &bitcode) {
      if (Elf64_Shdr *found = file.find(section))
        bitcode.append(file.at<char>(found->sh_offset), found->sh_size);
    };
    take(kOwnBitcode, program.ownBitcode);
    take(kOwnOptimizedBitcode, program.ownBitcode);
    take(kLibcBitcode, program.libcBitcode);
    take(kLibcOptimizedBitcode, program.libcBitcode);
    readSymbols(file, program.symbols);
    program.buildId = buildIdOf(file);
  }
  auto keepOnly = [&](const char *section, const std::string &contents) {
    ElfFile file(path);
    Elf64_Shdr *found = file.isElf() ? file.find(section) : nullptr;
    if (!found) return;
    uint64_t size = found->sh_size;
    std::memset(file.at<char>(found->sh_offset), 0, size);
    std::memcpy(file.at<char>(found->sh_offset), contents.data(),
                std::min<uint64_t>(size, contents.size()));
    file.shrink(*found, contents.size() + 1);
    if (!file.error().empty()) program.error = file.error();
  };
  keepOnly(kLibcBitcode, "");
  keepOnly(kLibcOptimizedBitcode, "");
  keepOnly(kOwnOptimizedBitcode, "");
  keepOnly(kOwnBitcode, note);
  return program;
}

// A bitcode file is the magic and a sequence of blocks, each with its length in its head. The
// layout is part of LLVM's stable container format (BitCodeFormat, "ENTER_SUBBLOCK Encoding").
std::vector<std::string_view> splitModules(std::string_view all) {
  constexpr uint32_t kMagic = 0xdec04342; // 'B' 'C' 0xc0 0xde
  auto word = [&](size_t offset) {
    uint32_t value;
    std::memcpy(&value, all.data() + offset, sizeof value);
    return value;
  };
  std::vector<std::string_view> modules;
  size_t start = 0, at = 0;
  while (at + 4 <= all.size()) {
    if (word(at) == kMagic) {
      if (at > start) modules.push_back(all.substr(start, at - start));
      start = at;
      at += 4;
      continue;
    }
    if (word(at) == 0) { // padding between objects
      at += 4;
      continue;
    }
    // ENTER_SUBBLOCK at abbreviation width 2: [1:2][block id: vbr8][new width: vbr4], align,
    // length. Block ids of the top level fit one vbr8 chunk, so the head is one word.
    if (at + 8 > all.size()) return {};
    uint64_t words = word(at + 4);
    if ((word(at) & 3) != 1 || words * 4 > all.size() - at - 8) return {};
    at += 8 + words * 4;
  }
  if (all.size() > start) modules.push_back(all.substr(start));
  return modules;
}

} // namespace fathom::cc
