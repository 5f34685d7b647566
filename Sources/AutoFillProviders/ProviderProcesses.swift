// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CLinux
internal import ChildProcesses
internal import Glibc

/// Starts each provider as a process of its own, in bubblewrap if the launch has a working isolation.
package struct ProviderProcesses: ProviderLaunching {

    package init() {
    }
    package func start(_ launch: ProviderSupervisor.Launch, environment: [String: String]) async throws
        -> LaunchedProvider
    {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw WireError(.internalError, "No socket pair can be made.")
        }
        var environment = environment
        environment["LATCHKEY_PROVIDER_FD"] = "3"
        var descriptors = [(from: ends[1], to: Int32(3))]
        let output = launch.debugLog.flatMap(OutputLog.make)
        if let output { descriptors += [(output, 1), (output, 2)] }
        let (isolation, rooms) = (launch.isolation?.0, launch.isolation?.1)
        let process: Int32?
        var networkExit: Int32?
        if let isolation, let rooms, isolation.program != nil {
            (process, networkExit) = await startIsolated(isolation, rooms, descriptors, environment)
        } else {
            process = await Spawner.shared.spawn(
                launch.program, arguments: [], descriptors: descriptors, environment: environment)
        }
        close(ends[1])
        if let output { close(output) }
        guard let process else {
            close(ends[0])
            throw WireError(.providerUnavailable, "\(launch.program) cannot be started.")
        }
        // The provider's author continues the process from a debugger.
        if launch.debugLog != nil { kill(process, SIGSTOP) }
        return LaunchedProvider(socket: ends[0]) { [networkExit] in
            Self.end(process)
            if let networkExit { Self.end(networkExit) }
        }
    }

    /// Starts the provider in its sandbox, and the process for its network access. Starts neither if one of them cannot be started.
    private func startIsolated(
        _ isolation: Isolation, _ rooms: Isolation.Rooms, _ descriptors: [(from: Int32, to: Int32)],
        _ environment: [String: String]
    ) async -> (process: Int32?, networkExit: Int32?) {
        var descriptors = descriptors
        var networkExit: Int32?
        let exit: NetworkExit?
        if let policy = rooms.network {
            guard let prepared = try? NetworkExit(policy, in: isolation.sandbox) else { return (nil, nil) }
            exit = prepared
            descriptors.append((prepared.channel, 4))
            networkExit = await Spawner.shared.spawn(
                prepared.program, arguments: prepared.arguments, descriptors: prepared.descriptors,
                environment: NetworkExit.environment)
        } else {
            exit = nil
        }
        defer { exit?.close() }
        // The numbers have no gap, because a number left out here could be open by chance.
        let first: Int32 = exit == nil ? 4 : 5
        let granted = isolation.granted(rooms.grants, environment).enumerated().map { ($1, first + Int32($0)) }
        defer { withExtendedLifetime(granted) {} }
        descriptors += granted.map { (from: $0.openDescriptor, to: $1) }
        guard exit == nil || networkExit != nil,
            let (program, arguments) = isolation.command(
                for: rooms, environment: environment, channel: exit == nil ? nil : 4, granted: granted),
            let process = await Spawner.shared.spawn(
                program, arguments: arguments, descriptors: descriptors, environment: environment)
        else {
            if let networkExit {
                Self.end(networkExit)
            }
            return (nil, nil)
        }
        return (process, networkExit)
    }

    private static func end(_ process: Int32) {
        // It has not been waited for, so its number still names it.
        ChildProcess.killGroup(process)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
}
