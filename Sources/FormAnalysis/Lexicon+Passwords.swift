// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for passwords, for which password is meant, and for codes.
    static let passwordWords: [Entry] = [
        Entry(.password, "*password*, *passwd*, *passwort*, pass, passw, pwd, pw, psw, pswd, passphrase, userpass"),
        Entry(
            .password,
            "userpwd, loginpass, loginpwd, txtpass, txtpwd, *contrasena*, *contrasenya*, clave, clave de acceso"
        ),
        Entry(.password, "senha*, palavra passe, palavra chave, mot de passe, mdp, *kennwort*, parola chiave"),
        Entry(.password, "*wachtwoord*, hasl*, *парол*, sifre*, parola*, كلمة المرور*, كلمة السر*, كلمه المرور*"),
        Entry(.password, "*密码*, *密碼*, *口令*, *パスワード*, *비밀번호*, *패스워드*, *암호*, mat khau, kata sandi, sandi"),
        Entry(.password, "hesl*, *losenord*, *adgangskode*, kodeord, *passord*, *salasana*, *jelszo*, رمز عبور*"),
        Entry(.password, "κωδικος προσβασης, συνθηματικο, *รหัสผ่าน*, *סיסמ*, *पासवर्ड*, лозинк*, geslo"),

        Entry(
            .password,
            "parol, parolu, sifrə, parool, parole, slaptazod*, пароль, құпия соз, gaslo, kata kunci, katalaluan"),
        Entry([.password, .new], "*new password*, *newpasswd*, new pass, newpwd, new pw, npassword, create password"),
        Entry(
            [.password, .new],
            "create a password, choose a password, choose password, set password, nueva contrasena*"
        ),
        Entry(
            [.password, .new],
            "contrasena nueva, nueva clave, nova senha*, nova palavra passe, nouveau mot de passe"
        ),
        Entry([.password, .new], "neues passwort*, neues kennwort*, nuova password, nieuw wachtwoord*, nowe haslo"),
        Entry([.password, .new], "новый парол*, новыи парол*, придумайте парол*, yeni sifre*, yeni parola*"),
        Entry([.password, .new], "كلمة المرور الجديدة*, كلمة مرور جديدة*, كلمة السر الجديدة*, *新密码*, *新密碼*, *设置密码*"),
        Entry([.password, .new], "*設定密碼*, *新しいパスワード*, *新規パスワード*, *新パスワード*, *새비밀번호*, *새로운비밀번호*"),
        Entry(
            [.password, .new],
            "mat khau moi, kata sandi baru, password baru, nove heslo, nytt losenord*, ny adgangskode"
        ),

        Entry(
            [.password, .current],
            "*current password*, current pass, current pwd, *old password*, old pass, oldpwd"
        ),
        Entry(
            [.password, .current],
            "opassword, existing password, contrasena actual, contrasena anterior, contrasena antigua"
        ),
        Entry(
            [.password, .current],
            "clave actual, senha atual, senha antiga, palavra passe atual, mot de passe actuel"
        ),
        Entry(
            [.password, .current],
            "ancien mot de passe, aktuelles passwort*, altes passwort*, bisheriges passwort*"
        ),
        Entry(
            [.password, .current],
            "password attuale, vecchia password, huidig wachtwoord*, oud wachtwoord*, aktualne haslo"
        ),
        Entry(
            [.password, .current],
            "obecne haslo, stare haslo, текущий парол*, старый парол*, mevcut sifre*, eski sifre*"
        ),
        Entry(
            [.password, .current],
            "كلمة المرور الحالية*, كلمة المرور القديمة*, *当前密码*, *目前密碼*, *原密码*, *旧密码*, *舊密碼*"
        ),
        Entry([.password, .current], "*現在のパスワード*, *旧パスワード*, *현재비밀번호*, *기존비밀번호*, mat khau hien tai, mat khau cu"),
        Entry(
            [.password, .current],
            "kata sandi saat ini, kata sandi lama, soucasne heslo, stavajici heslo, stare heslo"
        ),
        Entry([.password, .current], "nuvarande losenord*, gammalt losenord*"),

        Entry(
            [.password, .again],
            "confirm password, confirm pass, confirm pwd, confirm your password, password confirm*"
        ),
        Entry(
            [.password, .again],
            "pass confirm*, pwd confirm*, verify password, password verify, password again, repassword"
        ),
        Entry(
            [.password, .again],
            "repass, repasswd, repwd, cpassword, cpass, cpwd, rpassword, password2, passwd2, pass2, pwd2"
        ),
        Entry([.password, .again], "confirma senha*, confirmar senha*, confirme a senha*, *确认密码*, *確認密碼*, *重复密码*"),
        Entry([.password, .again], "*パスワード確認*, *パスワードの確認*, *パスワード再入力*, *確認用パスワード*, *비밀번호확인*, *비밀번호재입력*"),
        Entry([.password, .again], "nhap lai mat khau, xac nhan mat khau, konfirmasi kata sandi, ulangi kata sandi"),
        Entry([.password, .again], "تأكيد كلمة المرور*, اعادة كلمة المرور*"),

        Entry(
            .current,
            "current, old, existing, actual, antigua, anterior, atual, antiga, actuel*, ancien*, aktuell*, altes"
        ),
        Entry(
            .current,
            "bisherig*, attuale, vecchi*, huidig*, oude, obecne, aktualne, stare, текущ*, стар*, mevcut, eski"
        ),
        Entry(.current, "الحالية, القديمة, 現在の*, *当前*, 현재*, hien tai, saat ini, lama, soucasn*, stavajici, nuvarande"),
        Entry(
            .new,
            "new, nueva, nuevo, nova, novo, nouveau, nouvelle, neu, neues, neue, nuova, nuovo, nieuw, nieuwe, nowe"
        ),
        Entry(
            .new,
            "nowy, новый, новая, новое, придум*, yeni, جديد*, الجديدة, 新しい*, 새로운*, moi, baru, nove, novy, nytt"
        ),
        Entry(
            .again,
            "*confirm*, conf, repeat*, again, retype, re type, reenter, re enter, repite, repita, repetir, repet*"
        ),
        Entry(
            .again,
            "de nouveau, wiederhol*, *bestatig*, *bestaetig*, erneut, ripeti*, conferma*, herhaal*, bevestig*"
        ),
        Entry(
            .again,
            "powtorz*, potwierdz*, повтор*, подтверд*, tekrar*, onayla*, تاكيد*, اعادة*, *确认*, *確認*, *再次*, *重复*"
        ),
        Entry(.again, "*再入力*, *もう一度*, *확인*, *재입력*, xac nhan, nhap lai, konfirmasi*, ulangi, znovu, potvrd*, potvrz*"),
        Entry(.again, "bekrafta*, upprepa*, verify, gentag, bekreft*, vahvista*"),

        Entry(
            [.oneTimeCode, .secondFactor],
            "otp, totp, hotp, otpcode, 2fa, mfa, tfa, 2fa code, mfa code, two factor*, 2 factor, 2 step"
        ),
        Entry(
            [.oneTimeCode, .secondFactor],
            "two step, one time code, one time password*, one time passcode, one time pin, authenticator*"
        ),
        Entry(
            .oneTimeCode,
            "verification code, verify code, verificationcode, verif code, authentication code, auth code"
        ),
        Entry(
            [.oneTimeCode, .secondFactor],
            "login code, sign in code, sms code, sms otp, code sms, 6 digit code, six digit code, code 2fa"
        ),
        Entry(.oneTimeCode, "codigo de verificacion, codigo verificacion, codigo sms, codigo de verificacao"),
        Entry(
            .oneTimeCode,
            "codigo de confirmacion, codigo de confirmacao, code de verification, code de confirmation"
        ),
        Entry(
            [.oneTimeCode, .secondFactor],
            "code a usage unique, mot de passe a usage unique, *bestatigungscode*, *verifizierungscode*"
        ),
        Entry(
            [.oneTimeCode, .secondFactor],
            "einmalpasswort*, einmalkennwort*, einmalcode*, codice di verifica, codice otp, *verificatiecode*"
        ),
        Entry(
            .oneTimeCode,
            "eenmalige code, kod weryfikacyjny, kod sms, haslo jednorazowe, код подтверждения, код из смс"
        ),
        Entry(.oneTimeCode, "код из sms, код проверки, одноразовый код, одноразовый парол*, dogrulama kod*, onay kod*"),
        Entry(.oneTimeCode, "tek kullanimlik sifre, رمز التحقق*, كود التحقق*, *验证码*, *驗證碼*, *动态码*, *動態密碼*, *动态密码*"),
        Entry(.oneTimeCode, "*認証コード*, *確認コード*, *ワンタイム*, *인증번호*, *인증코드*, *일회용*, ma xac minh, ma xac nhan"),
        Entry(.oneTimeCode, "ma xac thuc, kode verifikasi, kode otp, overovaci kod, jednorazov*, *verifieringskod*"),
        Entry(.oneTimeCode, "*engangskod*, *engangspassord*, code de securite sms, confirmation code"),
        Entry(
            .code,
            "code, codes, codigo, codice, kod, kodu, код, kode, token, passcode, pass code, verification, security code"
        ),
        Entry(.code, "verif*, vcode, رمز*, *认证*, *コード*, *코드*, sikkerhetskode, sicherheitscode, codigo de seguridad"),
    ]
}
