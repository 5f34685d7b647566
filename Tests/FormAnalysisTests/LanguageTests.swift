// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

/// Forms whose names say nothing, so that labels and buttons in each language have to.
@Suite struct LanguageTests {
    struct Words: Sendable, CustomStringConvertible {
        let language: String
        let userName: String
        let password: String
        let signIn: String
        let signUp: String
        let current: String
        let new: String
        var description: String { language }

        init(
            _ language: String,
            _ userName: String,
            _ password: String,
            _ signIn: String,
            _ signUp: String,
            _ current: String,
            _ new: String
        ) {
            (self.language, self.userName, self.password) = (language, userName, password)
            (self.signIn, self.signUp, self.current, self.new) = (signIn, signUp, current, new)
        }
    }

    static let languages = [
        Words("en", "Username", "Password", "Sign in", "Sign up", "Current password", "New password"),
        Words(
            "es",
            "Nombre de usuario",
            "Contraseña",
            "Iniciar sesión",
            "Registrarse",
            "Contraseña actual",
            "Nueva contraseña"
        ),
        Words("pt", "Nome de usuário", "Senha", "Entrar", "Criar conta", "Senha atual", "Nova senha"),
        Words(
            "fr",
            "Identifiant",
            "Mot de passe",
            "Se connecter",
            "Créer un compte",
            "Mot de passe actuel",
            "Nouveau mot de passe"
        ),
        Words("de", "Benutzername", "Passwort", "Anmelden", "Registrieren", "Aktuelles Passwort", "Neues Passwort"),
        Words("it", "Nome utente", "Password", "Accedi", "Registrati", "Password attuale", "Nuova password"),
        Words(
            "nl",
            "Gebruikersnaam",
            "Wachtwoord",
            "Inloggen",
            "Account aanmaken",
            "Huidig wachtwoord",
            "Nieuw wachtwoord"
        ),
        Words("pl", "Nazwa użytkownika", "Hasło", "Zaloguj się", "Zarejestruj się", "Aktualne hasło", "Nowe hasło"),
        Words("ru", "Имя пользователя", "Пароль", "Войти", "Зарегистрироваться", "Текущий пароль", "Новый пароль"),
        Words("tr", "Kullanıcı adı", "Şifre", "Giriş yap", "Kayıt ol", "Mevcut şifre", "Yeni şifre"),
        Words(
            "ar",
            "اسم المستخدم",
            "كلمة المرور",
            "تسجيل الدخول",
            "إنشاء حساب",
            "كلمة المرور الحالية",
            "كلمة المرور الجديدة"
        ),
        Words("zh", "用户名", "密码", "登录", "注册", "当前密码", "新密码"),
        Words("zh-Hant", "使用者名稱", "密碼", "登入", "註冊", "目前密碼", "新密碼"),
        Words("ja", "ユーザー名", "パスワード", "ログイン", "新規登録", "現在のパスワード", "新しいパスワード"),
        Words("ko", "아이디", "비밀번호", "로그인", "회원가입", "현재 비밀번호", "새 비밀번호"),
        Words("vi", "Tên đăng nhập", "Mật khẩu", "Đăng nhập", "Đăng ký", "Mật khẩu hiện tại", "Mật khẩu mới"),
        Words("id", "Nama pengguna", "Kata sandi", "Masuk", "Daftar", "Kata sandi lama", "Kata sandi baru"),
        Words("cs", "Uživatelské jméno", "Heslo", "Přihlásit se", "Registrovat", "Současné heslo", "Nové heslo"),
        Words("sv", "Användarnamn", "Lösenord", "Logga in", "Skapa konto", "Nuvarande lösenord", "Nytt lösenord"),
    ]

    private func roles(_ fields: [FieldDescription], _ button: String) -> [FieldRole?] {
        SamplePage("", fields, form: .button(button), roles: []).analysis.fields.map(\.role)
    }

    @Test(arguments: languages)
    func tellsSigningInFromSigningUp(_ words: Words) {
        let fields: [FieldDescription] = [
            .text("f1", label: words.userName), .text("f2"), .password("f3", label: words.password),
        ]
        #expect(roles(fields, words.signIn) == [.username, nil, .currentPassword])
        #expect(roles(fields, words.signUp) == [.username, nil, .newPassword])
    }

    @Test(arguments: languages)
    func tellsCurrentFromNewPasswords(_ words: Words) {
        let new = FieldDescription.password("f1", label: words.new)
        let current = FieldDescription.password("f2", label: words.current)
        // New before current, so that the order is of no help.
        #expect(roles([new, current], "OK") == [.newPassword, .currentPassword])
    }

    @Test(arguments: languages)
    func findsUserNamesOnFirstStep(_ words: Words) {
        #expect(roles([.text("f1", label: words.userName)], words.signIn) == [.username])
        #expect(roles([.text("f1")], words.signIn) == [nil])
    }

    @Test(arguments: languages)
    func findsRevealedPasswordsByNameOnly(_ words: Words) {
        #expect(roles([.text(words.password)], words.signIn) == [.currentPassword])
        #expect(roles([.text("f1", label: words.password)], words.signIn) == [nil])
    }
}
