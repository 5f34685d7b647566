// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct StoreLeasesTests {
    private let `extension` = StoreLeases.Writer(provider: .builtIn, client: nil)
    private let app = StoreLeases.Writer(provider: .builtIn, client: 7)
    private let patience = StoreLeases.patience

    @Test func oneProcessWritesAsOftenAsItLikes() {
        var leases = StoreLeases()
        var isTaken: Bool
        isTaken = leases.begin(app, at: start)
        #expect(isTaken)
        isTaken = leases.begin(app, at: start)
        #expect(isTaken)
        leases.end(app)
        leases.end(app)
        isTaken = leases.begin(`extension`, at: start)
        #expect(isTaken)
    }

    @Test func secondProcessWaitsForTheFirst() {
        var leases = StoreLeases()
        var isTaken: Bool
        isTaken = leases.begin(app, at: start)
        #expect(isTaken)
        isTaken = !leases.begin(`extension`, at: start)
        #expect(isTaken)
        isTaken = !leases.touchBatch(`extension`, at: start + patience)
        #expect(isTaken)
        leases.end(app)
        isTaken = leases.begin(`extension`, at: start)
        #expect(isTaken)
    }

    @Test func batchKeepsOthersOutUntilItIsCommitted() {
        var leases = StoreLeases()
        var isTaken: Bool
        isTaken = leases.touchBatch(app, at: start)
        #expect(isTaken)
        isTaken = !leases.begin(`extension`, at: start)
        #expect(isTaken)
        isTaken = !leases.touchBatch(`extension`, at: start + .seconds(29))
        #expect(isTaken)
        leases.endBatch(app)
        isTaken = leases.touchBatch(`extension`, at: start)
        #expect(isTaken)
    }

    @Test func batchThatNobodyAddsToEnds() {
        var leases = StoreLeases()
        var isTaken: Bool
        isTaken = leases.touchBatch(app, at: start)
        #expect(isTaken)
        isTaken = leases.touchBatch(app, at: start + .seconds(20))
        #expect(isTaken)
        isTaken = !leases.begin(`extension`, at: start + .seconds(40))
        #expect(isTaken)
        isTaken = leases.begin(`extension`, at: start + .seconds(20) + patience)
        #expect(isTaken)
    }

    @Test func writeThatRunsIsNotOverdue() {
        var leases = StoreLeases()
        var isTaken: Bool
        isTaken = leases.touchBatch(app, at: start)
        #expect(isTaken)
        isTaken = leases.begin(app, at: start)
        #expect(isTaken)
        isTaken = !leases.begin(`extension`, at: start + .seconds(3600))
        #expect(isTaken)
    }

    @Test func goneProcessKeepsNobodyOut() {
        var leases = StoreLeases()
        var isTaken: Bool
        isTaken = leases.touchBatch(app, at: start)
        #expect(isTaken)
        leases.forget(app)
        isTaken = leases.begin(`extension`, at: start)
        #expect(isTaken)
        leases.forget(app)
        isTaken = !leases.begin(app, at: start)
        #expect(isTaken)
    }

    @Test func providersDoNotWaitForOneAnother() throws {
        var leases = StoreLeases()
        var isTaken: Bool
        let other = try #require(BundleIdentifier("com.example.other"))
        isTaken = leases.begin(app, at: start)
        #expect(isTaken)
        isTaken = leases.begin(.init(provider: other, client: nil), at: start)
        #expect(isTaken)
    }
}

@Suite struct DeliveryRecordTests {
    private func note(_ record: inout DeliveryRecord, _ code: WireError.Code?) -> Bool {
        record.note(.builtIn, code.map { .failure(WireError($0, "x")) } ?? .success(()))
    }

    @Test func fiveFailuresInARowAreTooMany() {
        var record = DeliveryRecord()
        let codes: [WireError.Code] = [
            .providerExtension(0), .providerExtension(101), .timedOut, .providerUnavailable,
        ]
        for code in codes { #expect(!note(&record, code)) }
        #expect(note(&record, .timedOut))
        #expect(!note(&record, .timedOut))
    }

    @Test func oneDeliveryForgivesTheFailures() {
        var record = DeliveryRecord()
        for _ in 0..<4 { #expect(!note(&record, .timedOut)) }
        #expect(!note(&record, nil))
        for _ in 0..<4 { #expect(!note(&record, .timedOut)) }
        #expect(note(&record, .timedOut))
    }

    @Test(arguments: [WireError.Code.userCanceled, .locked, .busy, .providerExtension(1), .providerExtension(100)])
    func whatIsNotTheProvidersFaultDoesNotCount(code: WireError.Code) {
        var record = DeliveryRecord()
        for _ in 0..<20 { #expect(!note(&record, code)) }
    }
}
