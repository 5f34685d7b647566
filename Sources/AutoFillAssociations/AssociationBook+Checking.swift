// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension AssociationBook {
    /// What a check that somebody asked for has found.
    public struct Report: Hashable, Sendable {
        /// What was asked and what was said, in lines as `swcd` writes them.
        public var lines: [String] = []
        /// What each question found.
        public var answers: [AssociationAnswer] = []
        /// How what was asked about stands now.
        public var standings: [Standing] = []
    }

    /// Sites that are asked at once.
    private static let width = 4
    /// A launch asks sites that have not approved the app again, but not more often than this, in seconds.
    private static let launchSpan: Int64 = 600

    /// When the next site is to be asked; nothing where there is none.
    public var nextCheck: Int64? {
        let moment = now()
        return everything.filter { question(for: $0.domain, of: $0.app) != nil }
            .map { $0.domain.state.isDue(at: moment) ? moment : $0.domain.state.next }.min()
    }

    /// Asks the sites whose time has come.
    public func checkDue() async {
        let moment = now()
        await ask(
            everything.filter { $0.domain.state.isDue(at: moment) }.compactMap { question(for: $0.domain, of: $0.app) })
    }

    /// Asks the sites of an app that was installed or started: those that are due and those that have not approved it.
    ///
    /// - Returns: How its domains stand then.
    public func check(_ app: AppIdentifier) async -> [Standing] {
        let moment = now()
        await ask(
            everything.filter { record in
                guard record.app.identifier == app else { return false }
                let state = record.domain.state
                if state.isDue(at: moment) { return true }
                return (state.approved == nil || state.trouble != nil)
                    && moment - (state.checked ?? 0) >= Self.launchSpan
            }.compactMap { question(for: $0.domain, of: $0.app) })
        return standings(of: app)
    }

    /// Asks about a host now, whether it is due or not, and whether anybody states it or not.
    ///
    /// - Parameter app: Only this one's domains, where it is something.
    public func check(host: String, app: AppIdentifier? = nil) async -> Report {
        func isMeant(_ association: UnverifiedAssociation) -> Bool {
            (association.domain.host == host || association.domain.covers(host: host))
                && (app == nil || association.app == app)
        }
        let stated = everything.filter {
            isMeant(UnverifiedAssociation(app: $0.app.identifier, domain: $0.domain.domain))
        }
        var questions: [AssociationQuestion] = []
        for question in stated.compactMap({ question(for: $0.domain, of: $0.app) }) where !questions.contains(question)
        {
            questions.append(question)
        }
        if stated.isEmpty { questions = [AssociationQuestion(host: host, source: content.source)] }
        var report = Report()
        for question in questions {
            let answer = await answer(to: question)
            report.answers.append(answer)
            report.lines += AssociationText.lines(answer)
        }
        report.standings = standings().filter { isMeant($0.association) }
        report.lines += report.standings.map(AssociationText.line)
        return report
    }

    /// What is asked for a domain; nothing where no site may be asked.
    func question(for domain: Domain, of app: App) -> AssociationQuestion? {
        guard refusedMode(domain, of: app) == nil else { return nil }
        let mode = domain.domain.mode
        return AssociationQuestion(
            host: domain.domain.host, mode: mode, source: mode.isEmpty ? content.source : .direct)
    }

    private var everything: [(app: App, domain: Domain)] {
        content.apps.flatMap { app in app.domains.map { (app, $0) } }
    }

    private func ask(_ questions: [AssociationQuestion]) async {
        var waiting = Array(Set(questions))
        await withTaskGroup { group in
            for _ in 0..<min(Self.width, waiting.count) {
                let question = waiting.removeLast()
                group.addTask { _ = await self.answer(to: question) }
            }
            while await group.next() != nil {
                guard let question = waiting.popLast() else { continue }
                group.addTask { _ = await self.answer(to: question) }
            }
        }
    }

    /// Asks, or waits for who asks already. When this returns, what was found is noted.
    private func answer(to question: AssociationQuestion) async -> AssociationAnswer {
        if let running = questions[question] { return await running.value }
        guard key != nil else {
            return AssociationAnswer(requests: [], finding: .trouble(AssociationTrouble(reason: "Latchkey was locked")))
        }
        let task = Task {
            let answer = await fetcher.ask(question)
            note(answer, to: question)
            return answer
        }
        questions[question] = task
        return await task.value
    }

    private func note(_ answer: AssociationAnswer, to question: AssociationQuestion) {
        // After `close` nothing is noted: what was being asked then is asked again when the book is next open.
        guard key != nil else { return }
        questions[question] = nil
        let moment = now()
        for request in answer.requests where request.kind != .delivered {
            content.log.add(AssociationText.line(request), at: moment)
        }
        for index in content.apps.indices {
            for place in content.apps[index].domains.indices {
                let app = content.apps[index]
                var domain = app.domains[place]
                guard self.question(for: domain, of: app) == question else { continue }
                let old = domain.state.verdict
                domain.state.take(answer.finding(for: app.identifier), host: question.host, at: moment)
                content.apps[index].domains[place] = domain
                let new = domain.state.verdict
                if AssociationText.word(old) != AssociationText.word(new) {
                    content.log.add(AssociationText.line(app.identifier, domain.domain, new), at: moment)
                }
            }
        }
        // What was found counts even where it cannot be written: a site that withdrew has withdrawn.
        do {
            try save()
            fault = nil
        } catch {
            fault = "\(error)"
        }
    }
}
