// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of one state: copy-on-write objects in a persistent table.
//
// An address names its object by itself (program/Address.h): size class and slot. A persistent
// radix tree per class maps the slot to the object. Forking a Memory is O(1): trees, objects and
// pages are shared and reference counted, and a write copies only the path to the page it touches
// (up to a few 256-byte nodes, the object's header and a page of at most 4 KiB).
//
// A page has a concrete plane (bytes) and, only where needed, two sparse planes: terms of symbolic
// bytes, and a bit per byte that was never written. A byte is *plain* when it has neither. The
// interpreter's fast path (MemoryAccess::TlbEntry) sees only pages that are plain throughout.
//
// A freed object leaves a tombstone in its slot, so that a later access is a use after free and not
// a stray address. Slots are reused in a cyclic order, at the earliest after half a window of other
// allocations of the same kind (at least 512): the quarantine.
#ifndef FATHOM_EXPLORE_INTERPRETER_MEMORY_H
#define FATHOM_EXPLORE_INTERPRETER_MEMORY_H

#include "expr/ExprContext.h"
#include "fathom/slots.h"
#include "program/Address.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace fathom::explore {

using expr::ExprPtr;

inline constexpr unsigned kPageShift = 12;
inline constexpr uint64_t kPageSize = uint64_t(1) << kPageShift;

enum class ObjectKind : uint8_t { Global, Constant, Stack, Heap, Map };
const char *name(ObjectKind kind);

/// What never changes about an object, shared by all states that have it.
/// Whose counterpart frees a heap block.
enum class AllocationFamily : uint8_t { Malloc, New, NewArray };

struct ObjectInfo {
  uint32_t refs = 1;
  ObjectKind kind = ObjectKind::Heap;
  bool zeroed = false; ///< Pages that were never written read as 0; otherwise as uninitialised.
  AllocationFamily family = AllocationFamily::Malloc;
  bool assumed = false; ///< Stands for what callers made: of unknown size (AssumedMemory.h).
  uint64_t base = 0, size = 0;
  uint32_t function = ~0u; ///< Where it was allocated: function and instruction (Stack, Heap).
  uint32_t inst = 0;
  uint32_t stack =
      0;            ///< ... and from where it was called (CallStacks.h); 0: not asked (Heap, Map).
  std::string name; ///< Global's or local variable's name; may be empty.
  /// Becomes true when some of its bytes are read, which is why its pages are not cached. Null:
  /// reads are not noted.
  bool *isRead = nullptr;
  void noteRead() const {
    if (isRead) [[unlikely]]
      *isRead = true;
  }
  /// Likewise of writes and of a release: until it is true, pages are cached for reading only.
  bool *isWritten = nullptr;
  void noteWrite() const {
    if (isWritten) [[unlikely]]
      *isWritten = true;
  }
};

/// Terms of the symbolic bytes of a page, in chunks that exist only where there are some.
class SymPlane {
public:
  static constexpr unsigned kChunk = 32;
  explicit SymPlane(unsigned sizeBytes);
  SymPlane(const SymPlane &other);
  SymPlane &operator=(const SymPlane &) = delete;
  ~SymPlane();
  ExprPtr get(unsigned i) const {
    ExprPtr *c = chunks_[i / kChunk];
    return c ? c[i % kChunk] : nullptr;
  }
  void set(unsigned i, ExprPtr e); ///< null clears
  unsigned count() const { return count_; }
  template <typename F> void forEach(F f) const {
    for (unsigned c = 0; c < numChunks_; c++)
      if (chunks_[c])
        for (unsigned i = 0; i < kChunk; i++)
          if (chunks_[c][i]) f(c * kChunk + i, chunks_[c][i]);
  }
  bool anyIn(unsigned from, unsigned to) const;

private:
  unsigned numChunks_, count_ = 0;
  ExprPtr **chunks_;
};

struct Page {
  uint32_t refs = 1;
  uint16_t size = 0;          ///< Bytes of the object in this page: 1..4096.
  uint16_t numUninit = 0;     ///< Bytes never written.
  SymPlane *syms = nullptr;   ///< Null when no byte is symbolic.
  uint64_t *uninit = nullptr; ///< A bit per byte, null when numUninit == 0.
  static constexpr unsigned kFew = 64;
  uint64_t few; ///< Those bits themselves, of a page of up to kFew bytes.
  uint8_t data[1];

  bool plain() const { return !syms && !uninit; }
  /// Are these bytes concrete? count <= 64.
  bool plain(unsigned from, unsigned count) const {
    return (!uninit || !uninitBits(from, count)) && (!syms || !syms->anyIn(from, from + count));
  }
  /// The bits of up to 64 bytes; the lowest bit belongs to the first byte.
  uint64_t uninitBits(unsigned from, unsigned count) const {
    const unsigned shift = from % 64;
    uint64_t bits = uninit[from / 64] >> shift;
    if (shift + count > 64) bits |= uninit[from / 64 + 1] << (64 - shift);
    return count < 64 ? bits & ((uint64_t(1) << count) - 1) : bits;
  }
  /// How many bytes from the start on were written.
  unsigned writtenPrefix() const {
    unsigned i = 0;
    while (i < size && !uninit[i / 64]) i += 64;
    return i < size ? i + static_cast<unsigned>(std::countr_zero(uninit[i / 64])) : size;
  }
  bool isUninit(unsigned i) const { return uninit && (uninit[i / 64] >> (i % 64) & 1); }
  ExprPtr sym(unsigned i) const { return syms ? syms->get(i) : nullptr; }

  static Page *create(unsigned size, bool zeroed);
  static Page *copy(const Page &other);
  static void release(Page *page);
  void reset(bool zeroed); ///< as it was created
  /// Copies bytes of another page, or of this one if the ranges do not overlap; null: a page that
  /// was never written. True: some of the bytes were never written.
  bool copyFrom(unsigned to, const Page *from, unsigned at, unsigned count);
  void setConcrete(unsigned i, uint8_t v);
  void setSym(unsigned i, ExprPtr e, uint8_t v = 0);
  void setUninit(unsigned i);
  void markWritten(unsigned from, unsigned count); ///< clears terms and uninitialised bits

private:
  uint64_t *newBitmap(); ///< for all bytes, none of them set
  void dropBitmap();
};

/// An object as one state (or several that share it) sees it.
struct ObjectState {
  uint32_t refs = 1;
  bool freed = false;
  /// A local variable whose block has ended and can be entered again: it is freed, but keeps its
  /// slot.
  bool outOfScope = false;
  uint32_t freeFunction = ~0u, freeInst = 0, freeStack = 0; ///< Where it was freed.
  uint32_t numPages = 0;
  /// The last copy that left unwritten bytes here, which tells their origin (Unwritten::originOf).
  struct Copied {
    uint64_t to = 0, bytes = 0; ///< the range here
    uint64_t object = 0,
             from = 0;    ///< the other object, as Unwritten knows it, and the offset there
    uint64_t address = 0; ///< where that was
  } copied;
  /// The object's length if that is a term (64 bits); then info->size is its capacity. Null: the
  /// length is info->size.
  ExprPtr length = nullptr;
  uint64_t known = 0; ///< bytes that it certainly has on this path; without a length: all
  ObjectInfo *info = nullptr;
  Page *pages[1]; ///< numPages of them; null: never written

  uint64_t base() const { return info->base; }
  uint64_t size() const { return info->size; } ///< its capacity, where it has a length
  unsigned pageSize(uint32_t p) const {
    uint64_t left = info->size - (uint64_t(p) << kPageShift);
    return static_cast<unsigned>(left < kPageSize ? left : kPageSize);
  }
};

/// One byte as the engine sees it.
struct ByteValue {
  uint8_t value = 0;
  ExprPtr sym = nullptr;
  bool uninit = false;
};

class Memory {
public:
  Memory();
  Memory(const Memory &other); ///< O(1)
  Memory &operator=(const Memory &) = delete;
  Memory(Memory &&other) noexcept;
  Memory &operator=(Memory &&other) noexcept {
    std::swap(spaces_, other.spaces_);
    return *this;
  }
  ~Memory();

  struct AllocSite {
    uint32_t function = ~0u, inst = 0;
    uint32_t stack = 0; ///< see ObjectInfo
    AllocationFamily family = AllocationFamily::Malloc;
  };
  /// Creates an object in a fresh slot. Its address is a multiple of `align` (a power of two). If
  /// all slots of its usual class are taken, it gets a smaller one, and lies closer to others
  /// (isCrowded). `lane`: of fathom/slots.h, if it is not that of the kind. With lanes of their
  /// own, objects of the engine and of the model do not move those of the program, which have the
  /// same addresses in a native run (runtime/native). Null when no class has room (or size is over
  /// the limit).
  const ObjectState *allocate(uint64_t size, ObjectKind kind, bool zeroed, AllocSite site,
                              std::string name = {}, uint64_t align = 1,
                              std::optional<unsigned> lane = {});
  /// Puts an object at an address chosen by the program's layout (globals, before anything else is
  /// allocated).
  void place(uint64_t address, uint64_t size, ObjectKind kind, const std::vector<uint8_t> &init,
             std::string name);
  /// Tells the allocator that slots below slotsUsed[k] of class k are taken.
  void reserve(const std::vector<uint64_t> &slotsUsed);
  /// The live object gets more bytes after its own, in its slot; they are zero, or unwritten.
  /// False: the slot has no room for them. size: not less than it has. O(pages).
  bool grow(uint64_t address, uint64_t size);
  /// Turns the object into a tombstone.
  void free(uint64_t address, AllocSite site);
  /// A local variable's block ends, or begins again, with the variable unwritten. Nothing happens
  /// if it has ended already, or has not ended. The address is one that a variable has or had, or
  /// null. leaveScope returns the variable if it has ended now.
  const ObjectState *leaveScope(uint64_t address, AllocSite site);
  void enterScope(uint64_t address);
  /// Sets ObjectState::copied.
  void noteCopy(uint64_t to, ObjectState::Copied copied);

  /// The object (live or freed) whose slot the address is in, or null.
  const ObjectState *find(uint64_t address) const;
  /// How much of an object counts: the bytes that it certainly has, or those that it may have
  /// (ObjectState::length).
  enum class Extent : uint8_t { Known, Capacity };
  /// The live object that has [address, address + size) in bounds, or null.
  const ObjectState *resolve(uint64_t address, uint64_t size, Extent extent = Extent::Known) const {
    const ObjectState *o = find(address);
    if (!o || o->freed) return nullptr;
    const uint64_t bytes = extent == Extent::Known ? o->known : o->size();
    const uint64_t offset = address - o->base();
    return offset <= bytes && size <= bytes - offset ? o : nullptr;
  }
  /// Sets a live object's length, of which `known` bytes are certain.
  void setLength(uint64_t address, ExprPtr length, uint64_t known);

  /// Has an object been given a smaller slot than is usual for its size?
  bool isCrowded() const { return spaces_->crowded; }

  /// The slot that the address is in, or, if no object was ever there, the gap up to the next slots
  /// that have had one: [first, end). Linear in the number of objects.
  std::pair<uint64_t, uint64_t> surroundings(uint64_t address) const;

  // --- bytes; the object must be live and the offset in bounds
  // --------------------------------------------
  ByteValue read(const ObjectState &object, uint64_t offset) const;
  /// This page, ready to be written by this state alone. Invalidates ObjectState pointers obtained
  /// before.
  Page *writablePage(uint64_t address, const ObjectState **object = nullptr);
  void writeConcrete(uint64_t address, const uint8_t *bytes, uint64_t size);
  void writeSym(uint64_t address, ExprPtr byte);

  /// Calls visit for every term in memory, except through parts already in `seen`.
  void visitTerms(const std::function<void(ExprPtr)> &visit,
                  std::unordered_set<const void *> &seen) const;
  /// Calls f for every object, live or freed, in address order.
  void forEachObject(const std::function<void(const ObjectState &)> &f) const;

  /// The live objects, in bytes as asked for.
  struct Usage {
    uint32_t heapObjects = 0;
    uint64_t heapBytes = 0, stackBytes = 0;
  };
  const Usage &usage() const { return spaces_->usage; }

  /// Bytes of pages that exist in this process.
  static uint64_t pageBytes();

private:
  struct Node;
  struct Root {
    Node *node = nullptr;
    unsigned height = 0;
  };
  /// The objects of one size class.
  struct Class {
    Root root;
    uint32_t first = 1; ///< slots below it are the program's globals
    std::array<fathom_cursor, FATHOM_LANES> lanes = newLanes();
    static constexpr std::array<fathom_cursor, FATHOM_LANES> newLanes() {
      std::array<fathom_cursor, FATHOM_LANES> out{};
      for (fathom_cursor &c : out) c.window = FATHOM_FIRST_WINDOW;
      return out;
    }
    unsigned laneOf(uint64_t slot) const {
      return static_cast<unsigned>((slot - first) % FATHOM_LANES);
    }
    /// How many objects a lane can have.
    uint64_t room(unsigned k, unsigned lane) const;
  };
  /// Classes are shared in groups: most states allocate in a few of them only.
  static constexpr unsigned kGroup = 4;
  struct Group {
    uint32_t refs = 1;
    std::array<Class, kGroup> classes;
  };
  struct Spaces {
    uint32_t refs = 1;
    bool crowded = false;
    Usage usage;
    std::array<Group *, program::kMaxClass / kGroup + 1> groups{}; ///< null: as new
  };
  Spaces *spaces_;

  void copySpaces();
  const Class &classAt(unsigned k) const {
    static const Class kNew;
    const Group *g = spaces_->groups[k / kGroup];
    return g ? g->classes[k % kGroup] : kNew;
  }
  /// For writing.
  Class &ownClass(unsigned k) {
    if (spaces_->refs > 1) copySpaces();
    Group *&g = spaces_->groups[k / kGroup];
    if (!g || g->refs > 1) [[unlikely]]
      ownGroup(g);
    return g->classes[k % kGroup];
  }
  static void ownGroup(Group *&group);
  ObjectState *writableObject(uint64_t address);
  void **leaf(unsigned k, uint64_t slot); ///< for writing: copies shared nodes, makes missing ones
  static Node *copyNode(Node *node, unsigned height);
  static ObjectState *copyObject(ObjectState *object);
  static void releaseNode(Node *node, unsigned height);
  static void releaseObject(ObjectState *object);
  static ObjectState *newObject(ObjectInfo *info);
  void release();
};

} // namespace fathom::explore
#endif
