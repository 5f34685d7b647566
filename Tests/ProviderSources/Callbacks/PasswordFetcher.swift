// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

class PasswordFetcher: NSObject {
    static let didChange = Notification.Name("PasswordFetcherDidChange")

    private let queue = OperationQueue()
    private var cache = NSCache<NSString, NSString>()
    private let defaults = UserDefaults(suiteName: "group.com.example.callbacks")

    override init() {
        super.init()
        queue.maxConcurrentOperationCount = 1
        queue.qualityOfService = .userInitiated
    }

    func fetchPassword(for name: String, completion: @escaping ResultHandler) {
        queue.addOperation { [cache, defaults] in
            if let cached = cache.object(forKey: NSString(string: name)) {
                return completion(cached.description, nil)
            }
            guard let password = defaults?.string(forKey: name) else {
                let error = NSError(
                    domain: "com.example.callbacks", code: 404,
                    userInfo: [NSLocalizedDescriptionKey: "There is no such password."])
                return completion(nil, error)
            }
            cache.setObject(NSString(string: password), forKey: NSString(string: name))
            completion(password, nil)
        }
    }

    func fetchAll(completion: @escaping ([String]?, NSError?) -> Void) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(1)) {
            let names = self.defaults?.stringArray(forKey: "names")
            DispatchQueue.main.async {
                completion(names, nil)
                NotificationCenter.default.post(
                    name: PasswordFetcher.didChange, object: self, userInfo: ["count": names?.count ?? 0])
            }
        }
    }

    /// Two stores at once, and what both said.
    func refreshSuggestions(names: [String], completion: @escaping (Bool) -> Void) {
        let identities = names.map {
            ASPasswordCredentialIdentity(
                serviceIdentifier: ASCredentialServiceIdentifier(identifier: $0, type: .domain), user: $0,
                recordIdentifier: $0)
        }
        let group = DispatchGroup()
        var results: [Bool] = []
        group.enter()
        ASCredentialIdentityStore.shared.getState { state in
            guard state.isEnabled else {
                group.leave()
                return
            }
            ASCredentialIdentityStore.shared.removeAllCredentialIdentities { success, error in
                if let error = error as? ASCredentialIdentityStoreError, error.code == .storeDisabled {
                    results.append(false)
                } else {
                    results.append(success)
                }
                ASCredentialIdentityStore.shared.saveCredentialIdentities(identities) { success, _ in
                    results.append(success)
                    group.leave()
                }
            }
        }
        group.notify(queue: .main) {
            completion(!results.contains(false))
        }
    }

    func forget() {
        cache.removeAllObjects()
    }
}
