// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// Hands out memory for secrets: small ones from shared locked slabs, large ones as mappings of their own.
///
/// The lock limit counts pages (8 MiB is usual), so one page a secret would use it up after two thousand passwords; that
/// is why small secrets share slabs. A slab stays mapped for the life of its allocator: what is freed is wiped and
/// handed out again.
final class SecretAllocator: Sendable {
    /// One allocation. `capacity` is what is wiped, not only what was asked for.
    struct Block {
        let address: UnsafeMutableRawPointer
        let capacity: Int
        let isLocked: Bool
    }

    /// A free slot of a slab. The address is a number here so that the free lists can cross threads.
    private struct Slot {
        let address: UInt
        let isLocked: Bool
    }

    private struct State {
        var free: [[Slot]]
        var slabs: [UInt] = []
        var lockedSlabs = 0
    }

    static let sizeClasses = [16, 32, 64, 128, 256, 512, 1024, 2048]
    static let slabByteCount = 16 * 1024

    private let state = Mutex(State(free: Array(repeating: [], count: sizeClasses.count)))
    private let budget: LockBudget

    /// - Parameter budget: how much of its memory it may lock; what is beyond is not locked.
    init(budget: LockBudget = LockBudget(limit: .max)) {
        self.budget = budget
    }

    deinit {
        state.withLock { state in
            for slab in state.slabs {
                guard let address = UnsafeMutableRawPointer(bitPattern: slab) else { continue }
                latchkey_unmap_secret(address, Self.slabByteCount)
            }
            budget.giveBack(state.lockedSlabs * Self.slabByteCount)
        }
    }

    /// Zeroed memory of at least `count` bytes, or nil when the system has none left.
    func allocate(_ count: Int) -> Block? {
        guard let index = Self.sizeClasses.firstIndex(where: { $0 >= count }) else { return mapLarge(count) }
        let size = Self.sizeClasses[index]
        let slot: Slot? = state.withLock { state in
            if state.free[index].isEmpty, !addSlab(to: &state, classIndex: index) { return nil }
            return state.free[index].removeLast()
        }
        guard let slot, let address = UnsafeMutableRawPointer(bitPattern: slot.address) else { return nil }
        return Block(address: address, capacity: size, isLocked: slot.isLocked)
    }

    /// Wipes a block, then gives it back.
    ///
    /// Wiping comes first: once the slot is on the free list, another thread may be writing its own secret there.
    func free(_ block: Block) {
        guard let index = Self.sizeClasses.firstIndex(of: block.capacity) else {
            latchkey_unmap_secret(block.address, block.capacity)
            if block.isLocked { budget.giveBack(block.capacity) }
            return
        }
        latchkey_wipe(block.address, block.capacity)
        let slot = Slot(address: UInt(bitPattern: block.address), isLocked: block.isLocked)
        state.withLock { $0.free[index].append(slot) }
    }

    private func addSlab(to state: inout State, classIndex: Int) -> Bool {
        guard let (slab, isLocked) = map(Self.slabByteCount) else { return false }
        let base = UInt(bitPattern: slab)
        let size = UInt(Self.sizeClasses[classIndex])
        state.slabs.append(base)
        if isLocked { state.lockedSlabs += 1 }
        for offset in stride(from: UInt(Self.slabByteCount) - size, through: 0, by: -Int(size)) {
            state.free[classIndex].append(Slot(address: base + offset, isLocked: isLocked))
        }
        return true
    }

    private func mapLarge(_ count: Int) -> Block? {
        let page = latchkey_page_size()
        let (padded, overflow) = count.addingReportingOverflow(page - 1)
        guard !overflow else { return nil }
        let capacity = padded / page * page
        guard let (address, isLocked) = map(capacity) else { return nil }
        return Block(address: address, capacity: capacity, isLocked: isLocked)
    }

    private func map(_ count: Int) -> (address: UnsafeMutableRawPointer, isLocked: Bool)? {
        let isWanted = budget.take(count)
        var locked: Int32 = isWanted ? 1 : 0
        let address = latchkey_map_secret(count, &locked)
        if isWanted, locked == 0 { budget.giveBack(count) }
        return address.map { ($0, locked != 0) }
    }
}
