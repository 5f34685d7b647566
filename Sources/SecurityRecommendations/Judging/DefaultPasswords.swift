// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Passwords that devices, databases and services come with. That they are common the word lists know as well; here it is said why.
enum DefaultPasswords {
    private static let all: Set<String> = [
        "0000", "00000000", "1111", "11111111", "1234", "12345", "123456", "12345678", "123456789", "8888", "888888",
        "9999",
        "admin", "admin1", "admin12", "admin123", "admin1234", "admin@123", "administrator", "alpine", "apc", "arris",
        "calvin",
        "cable", "changeit", "changeme", "changeme123", "cisco", "cisco123", "default", "demo", "dragonfly",
        "epicrouter",
        "ftp", "guest", "guest123", "hp", "huawei", "install", "ipcam", "letmein", "linksys", "login", "manager",
        "master",
        "meinsm", "motorola", "mysql", "netgear", "netman", "netscreen", "operator", "oracle", "pass", "pass123",
        "password",
        "password1", "password123", "p@ssw0rd", "pi", "postgres", "private", "public", "qwerty", "raspberry", "root",
        "root123", "router", "sa", "scott", "secret", "security", "service", "setup", "smcadmin", "super", "superuser",
        "support", "supervisor", "sysadmin", "system", "tech", "technician", "telnet", "temp", "temp123", "test",
        "test123",
        "tiger", "toor", "ubnt", "user", "user123", "vagrant", "vizxv", "welcome", "welcome1", "welcome123", "xc3511",
        "zhone",
        "zte", "zyxel",
    ]

    /// Whether a password is one of them, or says the user name again.
    static func contain(_ password: SecretBytes, user: String) -> Bool {
        guard (1...256).contains(password.count) else { return false }
        let text = password.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.lowercased()
        let user = user.lowercased()
        return all.contains(text) || !user.isEmpty && (text == user || text == String(user.prefix { $0 != "@" }))
    }
}
