// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words that on their own mean a code for signing in, for proving who one is, or for approving a payment.
    static let strongWords = Entry(
        [.code, .strong],
        """
        otp, otps, otac, otp code, otp pin, sms otp, one time password*, one time pass*, one time code, one time pin
        one time sms
        one time key, onetime password, onetime code, onetime pin, single use code, single use password
        single use passcode
        verification code, verification pin, verification number, verification key, verification passcode, verify code
        verification password, verification otp, verification token, authentication code, authentication pin
        authentication number
        authentication token, authenticator code, security code, security pin, security passcode, security key code
        login code, log in code, login pin, login otp, login password code, login passcode, log on code, logon code
        logon pin
        sign in code, signin code, sign in pin, sign in passcode, sign on code, sign up code, signup code, sign in otp
        verification codes are, 2fa code, mfa code, 2fa, mfa, two factor code, two step code, 2 step code
        2 step verification code
        step code, activation code, activation pin, registration code, enrollment code, enrolment code, reset code
        recovery code
        backup code, sms code, smscode, sms pin, sms passcode, text code, mtan, m tan, smstan, sms tan, phototan
        chiptan, pushtan
        validation code, device code, authorization code, authorisation code, authorization pin, authorisation pin
        authorization number, authorisation number, temporary password, temporary passcode, temporary code
        temporary pin
        dynamic password, dynamic code, dynamic pin, payment code, transfer code, signing code, signature code
        identity code
        pairing code, linking code, magic code, unlock code, e pin, mpin, one time verification code
        one time security code
        one time access code, one time login code, one time authorization code, account code, password reset code
        device pin
        secret code, secure code, securecode, tac code, identification code, passcode for your login
        sms verification code
        transaction password, transaction pin, transaction otp, net code, netcode, safety code, trust code, step up code
        bestatigungscode*, bestatigungs code*, bestatigungspin*, verifizierungscode*, verifizierungs code*
        verifikationscode*
        sicherheitscode*, sicherheits code*, anmeldecode*, anmelde code*, login pin, logincode*, einmalcode*
        einmal code*
        einmalpasswort*, einmal passwort*, einmalkennwort*, einmalpin*, einmal pin*, einmaliger code, einmaligen code
        authentifizierungscode*, freischaltcode*, freischalt code*, freigabecode*, aktivierungscode*
        registrierungscode*
        transaktionscode*, sms code*, zugangscode*, prufcode*, bestatigungsnummer fur die anmeldung
        wiederherstellungscode*
        code de verification, code de securite, code de connexion, code de confirmation, code d authentification
        code unique
        code a usage unique, mot de passe a usage unique, mot de passe unique, mot de passe temporaire
        code de validation
        code d activation, code d autorisation, code sms, code d identification, code confidentiel, code secret
        cle digitale
        code temporaire, code personnel a usage unique, code de reinitialisation, code d inscription
        code de verification unique
        codigo de verificacion, codigo de seguridad, codigo de confirmacion, codigo de acceso, codigo de autenticacion
        codigo de activacion, codigo de autorizacion, codigo de inicio de sesion, codigo de un solo uso
        codigo de uso unico
        codigo unico, codigo otp, codigo sms, codigo temporal, codigo de validacion, codigo de registro
        clave de un solo uso
        contrasena de un solo uso, contrasena temporal, clave temporal, clave dinamica, clave sms, clave de acceso
        clave de verificacion, clave de seguridad, clave de autorizacion, token digital, codigo de recuperacion
        codigo para iniciar
        codigo de verificacao, codigo de seguranca, codigo de confirmacao, codigo de acesso, codigo de autenticacao
        codigo de ativacao, codigo de autorizacao, codigo de login, codigo unico, codigo de uso unico
        senha de uso unico
        senha temporaria, codigo temporario, codigo de validacao, codigo de recuperacao, codigo de cadastro
        senha descartavel
        palavra passe temporaria, palavra passe de uso unico, codigo de redefinicao, codigo de registo
        codice di verifica, codice di sicurezza, codice di conferma, codice di accesso, codice di autenticazione
        codice di attivazione, codice di autorizzazione, codice otp, codice sms, codice temporaneo, codice monouso
        password monouso, password temporanea, password usa e getta, codice usa e getta, codice di login
        codice di recupero
        codice dispositivo, codice di convalida, codice univoco, pin temporaneo, pin dispositivo
        verificatiecode*, verificatie code*, beveiligingscode*, inlogcode*, inlog code*, bevestigingscode*
        eenmalige code
        eenmalig wachtwoord, toegangscode*, activeringscode*, activatiecode*, authenticatiecode*, sms code*, tan code*
        herstelcode*
        kod* weryfikacyjn*, kod* potwierdzajac*, kod* bezpieczenstwa, kod* autoryzacyjn*, kod* logowania
        kod* aktywacyjn*
        kod* jednorazow*, kod* sms, kod* dostepu, kod* uwierzytelniajac*, haslo jednorazowe, hasla jednorazowego
        haslem jednorazowym
        haslo sms, jednorazowy kod, jednorazowe haslo, smskod*, kod* autoryzacji, kod* rejestracyjn*
        overovaci kod*, bezpecnostni kod*, potvrzovaci kod*, prihlasovaci kod*, autorizacni kod*, autorizacni sms
        jednorazovy kod*
        jednorazove heslo, aktivacni kod*, sms kod*, sms klic*, overovaci pin, pristupovy kod*, docasne heslo, sms heslo
        bezpecnostny kod*, potvrdzovaci kod*, autorizacny kod*, aktivacny kod*, overovaci sms, prihlasovaci pin
        ellenorzo kod*, biztonsagi kod*, megerosito kod*, belepesi kod*, egyszeri kod*, egyszeri jelszo*
        egyszer hasznalatos*
        sms kod*, aktivalo kod*, hitelesito kod*, azonosito kod*, bejelentkezesi kod*, visszaigazolo kod*
        jovahagyo kod*
        hitelesitesi kod*, megerositesi kod*, ellenorzokod*, biztonsagikod*, ideiglenes jelszo*
        cod de verificare, codul de verificare, codul tau de verificare, cod de securitate, codul de securitate
        cod de confirmare
        codul de confirmare, cod de autentificare, codul de autentificare, cod unic, codul unic, parola unica
        parola de unica folosinta
        cod de activare, codul de activare, codul sms, cod sms, cod de autorizare, codul de autorizare, cod de acces
        codul de acces
        cod otp, codul otp, cod de unica folosinta, codul de unica folosinta, parola temporara, cod de logare
        codul de logare
        verifieringskod*, sakerhetskod*, inloggningskod*, bekraftelsekod*, engangskod*, engangslosenord*, sms kod*
        aktiveringskod*
        autentiseringskod*, atkomstkod*, aterstallningskod*, svarskod*, tillfalligt losenord
        bekreftelseskode*, verifiseringskode*, sikkerhetskode*, innloggingskode*, engangskode*, engangspassord*
        pålogingskode*
        palogingskode*, paloggingskode*, sms kode*, aktiveringskode*, godkjenningskode*, verifikasjonskode*
        tilgangskode*
        bekraeftelseskode*, sikkerhedskode*, engangsadgangskode*, loginkode*, log ind kode*, verifikationskode*
        verificeringskode*
        adgangskode til engangsbrug, godkendelseskode*, aktiveringskode*, engangskodeord*, nulstillingskode*
        vahvistuskoodi*, turvakoodi*, kirjautumiskoodi*, kertakayttoi*, kertakoodi*, kertasalasana*, varmennuskoodi*
        tekstiviestikoodi*
        aktivointikoodi*, todennuskoodi*, tarkistuskoodi*, avainluku*, tunnusluku, tunnuslukusi, vahvistustunnus*
        kertakayttokoodi*
        dogrulama kodu*, dogrulama sifre*, guvenlik kodu*, onay kodu*, onay sifre*, giris kodu*, giris sifre*
        tek kullanimlik*
        tek seferlik*, aktivasyon kodu*, sms sifre*, sms kodu*, islem sifre*, gecici sifre*, mobil onay, 3d sifre*
        dogrulama kodunuz*
        dinamik sifre*, teyit kodu*, uyelik kodu*, sifre sifirlama kodu*
        код* подтверждени*, код* безопасност*, код* доступ*, код* авторизаци*, код* активаци*, код* верификаци*
        код* проверки
        код* регистраци*, код* входа, код* для входа, код* для регистрации, код* для подтверждения, код* восстановления
        проверочный код, одноразов*, временный пароль, смс код*, sms код*, код* из смс, код* из sms, защитный код
        секретный код
        код* для оплаты, код* аутентификации, пароль для входа, пароль для подтверждения, код* для авторизации
        код* для смены
        код* підтвердження, код* безпеки, код* доступу, код* входу, код* для входу, код* авторизації, код* активації
        код* перевірки
        код* верифікації, тимчасовий пароль, код* реєстрації, код* для реєстрації, код* для підтвердження
        код* відновлення
        код* за потвърждение, код* за сигурност, код* за вход, код* за достъп, еднократн*, код* за активация
        код* за верификация
        код* за потвърждаване, код* за проверка, временна парола, код* за регистрация, код* за оторизация
        динамичн* парол*
        κωδικο* επαληθευσησ*, κωδικο* ασφαλειασ*, κωδικο* επιβεβαιωσησ*, κωδικο* μιασ χρησησ*, κωδικο* συνδεσησ*
        κωδικο* προσβασησ*
        κωδικο* ενεργοποιησησ*, κωδικο* ταυτοποιησησ*, προσωρινοσ κωδικοσ, κωδικο* otp, κωδικο* εγγραφησ
        κωδικο* εγκρισησ
        κωδικο* sms, κωδικο* εισοδου
        קוד אימות, קוד האימות, קוד אבטחה, קוד האבטחה, קוד חד פעמי, קוד כניסה, קוד הכניסה, קוד התחברות, קוד ההתחברות
        קוד גישה, קוד הגישה
        סיסמה חד פעמית, קוד זיהוי, קוד הזיהוי, קוד הפעלה, קוד ההפעלה, קוד זמני, סיסמה זמנית, קוד אישור, קוד האישור
        סיסמא חד פעמית, קוד וידוא
        הקוד החד פעמי, הקוד הזמני
        رمز التحقق, رمز تحقق, رمز الامان, رمز امان, رمز الدخول, رمز دخول, رمز التفعيل, رمز تفعيل, رمز التاكيد
        رمز تاكيد, كود التحقق, كود تحقق
        كود التفعيل, كود تفعيل, كود الدخول, كود التاكيد, كلمه المرور لمره واحده, كلمه مرور لمره واحده
        كلمه السر لمره واحده, كلمه مرور مؤقته
        كلمه المرور المؤقته, الرمز السري, رمز المصادقه, رمز مصادقه, الرقم السري المؤقت, رمز التوثيق, رمز التعريف
        رمز لمره واحده, رمز المرور
        كود الامان, كود المصادقه, رمز تسجيل الدخول, رمز الاستخدام لمره واحده, رمز اعاده, رقم التحقق, الرقم المؤقت
        رمز سري
        كد تاييد, كد تأييد, كد ورود, كد امنيتي, كد فعال سازي, كد فعالسازي, رمز يكبار مصرف, رمز يكبارمصرف, رمز پويا
        رمز دوم پويا, رمز موقت, كد يكبار مصرف
        كد احراز هويت, رمز ورود, كد اعتبارسنجي, كد عضويت, رمز يك بار مصرف, كد يك بار مصرف, رمز دوم, كد تائيد
        كد ثبت نام, كد بازيابي
        ओटीपी, सत्यापन कोड, वेरिफिकेशन कोड, सुरक्षा कोड, वन टाइम पासवर्ड, वन टाइम पिन, लॉगिन कोड, लॉगइन कोड
        एकमुश्त पासवर्ड, एक बार का पासवर्ड
        पुष्टिकरण कोड, एक्टिवेशन कोड, प्रमाणीकरण कोड, वन-टाइम पासवर्ड, साइन इन कोड, पुष्टि कोड, एक्सेस कोड
        ওটিপি, যাচাইকরণ কোড, যাচাই কোড, নিরাপত্তা কোড, ভেরিফিকেশন কোড, সিকিউরিটি কোড, লগইন কোড, ওয়ান টাইম
        একবার ব্যবহারযোগ্য, নিশ্চিতকরণ কোড
        অ্যাক্টিভেশন কোড, ভেরিফিকেশন পিন, একটিভেশন কোড
        รหัสยืนยัน, รหัสความปลอดภัย, รหัสรักษาความปลอดภัย, รหัสใช้ครั้งเดียว, รหัสผ่านครั้งเดียว, รหัสผ่านชั่วคราว
        รหัสเข้าสู่ระบบ, รหัสเปิดใช้งาน, รหัสตรวจสอบ
        รหัสลับ, รหัส otp, รหัสotp, รหัสเข้าใช้งาน, รหัสล็อกอิน, รหัสอ้างอิงการยืนยัน, โอทีพี, รหัสทำรายการ
        ma xac thuc, ma xac minh, ma otp, ma bao mat, ma dang nhap, ma xac nhan, mat khau mot lan
        mat khau dung mot lan, ma kich hoat
        mat khau tam thoi, ma truy cap, ma giao dich otp, ma kiem tra, ma dang ky, mat khau otp, ma so bi mat
        ma khoi phuc
        kode verifikasi, kode otp, kode keamanan, kode masuk, kode konfirmasi, kode aktivasi, kode akses
        kode sekali pakai, kata sandi sekali
        password sekali pakai, kode rahasia, kode autentikasi, kode login, kode otorisasi, pin sementara
        kode pendaftaran, kode pemulihan
        kod pengesahan, kod keselamatan, kod sekali guna, kod otp, kod pengaktifan, kata laluan sekali, kod log masuk
        kod tac, no tac
        kod akses, kata laluan sementara, nombor pengesahan, kod verifikasi, tac anda, kod kebenaran transaksi
        認証コード, 認証番号, 確認コード, 検証コード, セキュリティコード, セキュリティ コード, ログインコード, ワンタイムパスワード, ワンタイムコード, ワンタイムパスコード, 認証キー
        本人確認コード, 確認番号, ワンタイム, 二段階認証コード, アクセスコード, 認証用コード, 認証用番号, 一時パスワード, 仮パスワード, 使い捨てパスワード, サインインコード, 登録コード
        アクティベーションコード, 承認番号コード, ログイン用コード, ログイン コード, 認証ｺｰﾄﾞ
        인증번호, 인증코드, 인증 번호, 인증 코드, 확인코드, 확인 코드, 보안코드, 보안 코드, 로그인 코드, 로그인코드, 일회용 비밀번호, 일회용비밀번호, 일회용 코드, 승인 코드 입력
        일회용 인증, 본인확인번호, 임시 비밀번호, 임시비밀번호, 인증키, 일회성 코드, 일회용 패스코드, 보안번호, 1회용 비밀번호, 인증문자, 접속 코드, 본인인증 번호, 확인번호, 액세스 코드
        验证码, 校验码, 动态密码, 动态码, 安全码, 登录码, 确认码, 一次性密码, 短信密码, 激活码, 认证码, 临时密码, 随机码, 动态口令, 一次性验证码, 身份码, 短信口令, 授权码, 一次性代码
        验证代码, 安全代码, 登录代码, 口令码, 注册码, 随机密码, 检验码, 验证密码, 识别码, 一次性口令, 交易密码, 手机动态码, 安全验证码, 确认代码, 认证代码, 一次性动态
        驗證碼, 校驗碼, 動態密碼, 動態碼, 安全碼, 登入碼, 確認碼, 一次性密碼, 簡訊密碼, 啟用碼, 認證碼, 臨時密碼, 驗證密碼, 認證密碼, 一次性驗證碼, 短訊密碼, 保安編碼, 保安碼
        一次性代碼, 驗證代碼, 安全代碼, 登入代碼, 註冊碼, 授權碼, 隨機碼, 檢核碼, 安全驗證碼, 簡訊驗證碼, 一次性短訊, 啟動碼, 認證代碼, 交易驗證碼
        sikkerhedskoden, vahvistuskoodisi, kontrolni kod, potvrdni kod*, verifikacijski kod*, sigurnosni kod*
        jednokratni kod*, jednokratna lozinka
        potrditvena koda, varnostna koda, enkratno geslo, enkratna koda, patvirtinimo kodas, saugos kodas
        vienkartinis kodas, apstiprinajuma kods
        vienreizejais kods, drosibas kods, kinnituskood, turvakood, uhekordne kood, kodi i verifikimit
        код за верификација, верификациони код
        """)

    /// Words with capitals only: in small letters they are words of other meanings.
    static let capitalWords = Entry([.code, .strong, .capitals], "tan, tac, ivr otp, otk, opt, sca, oob")

    /// Words for a code of any kind.
    static let codeWords = Entry(
        .code,
        """
        code, pin, pin code, pincode, passcode, pass code, password, passwd, pwd, token, code number, secret number
        access code
        pin number, confirmation code, confirmation pin, confirm code, auth code, keycode, key code, access pin
        otp pin, passkey code
        number for signing in, sign in number, login number, confirmation passcode, the digits, following digits
        code below
        *code, *passwort, *kennwort, *passworts, passworter, kennziffer, geheimzahl, geheimnummer, zugangsnummer
        mot de passe, code pin, cle, jeton, codes confidentiels, code d acces
        codigo, clave, contrasena, token, pin de acceso, palabra clave, codigo pin
        senha, palavra passe, chave, pin de acesso, codigo pin
        codice, codice pin, parola d ordine, parola chiave
        wachtwoord, pincode, toegangscode, *wachtwoord
        kod, kodu, kodem, kody, kodow, kodowi, kodzie, haslo, hasla, haslem
        kodom, heslo, hesla, heslem, heslom, kodu, kode
        kodja, kodjat, kodot, kodod, kodjaval, kodszam, jelszo*, kodok, koddal, kodunk, kodra, kodszamot, *kodja, *kod
        cod, codul, codului, coduri, codurile, parola, parolei
        koden, koderna, kodens, losenord*, *losenord, *koden, pinkod*, kodord
        kode, kodene, kodens, passord*, *kode, *koden, kodeord*, adgangskode*, pinkode*, koder
        koodi*, *koodi, *koodisi, *koodin, salasana*, *salasana, pin koodi*, *koodilla, *koodia
        kodunuz*, kodunu*, kodu, koduyla, kodlar*, kodun, kodla, sifre*, sifreniz*, parola*, pin kodu*
        код, кода, коду, кодом, коде, коды, кодов, кодами, пароль*, паролем, пароля, пароли, паролей, пин, пин код*
        пінкод*
        коди, кодів, пароль*, кодът, кодовете, кодове, парол*, кодот
        κωδικοσ, κωδικο, κωδικου, κωδικων, κωδικουσ, κωδικοι, συνθηματικο, pin, κωδικοσ pin
        קוד, הקוד, קודים, סיסמה, הסיסמה, סיסמא, הסיסמא, סיסמת, קודן
        رمز, الرمز, كود, الكود, كلمه المرور, كلمه مرور, كلمه السر, رمزك, كودك, رموز, الرموز, الرقم السري, رمزا, كودا
        شفره, رقم سري
        كد, كدي, كدها, كد شما, رمز عبور, رمزها, كلمه عبور, گذرواژه, كدهاي
        कोड, पिन, पासवर्ड, पासकोड, कोड्स, कूट, otp कोड
        কোড*, পিন, পাসওয়ার্ড*, পাসকোড
        รหัส, รหัสผ่าน, พิน, พาสเวิร์ด, โค้ด
        ma, ma so, mat khau, ma pin, ma cua ban, ma cua quy khach
        kode, kata sandi, sandi, kodenya, pin anda, kata laluan, kod
        コード, 暗証番号, パスワード, パスコード, 番号コード, ピンコード
        코드, 비밀번호, 패스워드, 암호, 핀번호, 핀 번호, 패스코드
        密码, 代码, 口令, 码为, 码是, 密码为, 密碼, 代碼, 碼為, 碼是, 編碼, 口令, 您的码
        lozink*, geslo, koda, kodas, kods, parole, kood, fjalekalim*, лозинк*
        """)

    /// Several codes: what is said about them is said about codes.
    static let talkWords = Entry(
        .talk,
        """
        codes, pins, passcodes, passwords, otps, verification codes, security codes, one time codes, one time passwords
        codigos, claves, contrasenas, senhas, codici, mots de passe, codici otp, passworter, tans, kennworter
        codes confidentiels
        coduri, codurile, kody, kodow, koder, koderna, kodene, hesla, kodok, kodjait, kodlar*, коды, кодов, коди, кодів
        кодове, паролей, пароли
        κωδικων, κωδικουσ, κωδικοι, קודים, הקודים, رموز, الرموز, كدها, tunnuslukuja, koodeja, salasanoja, tunnuslukujasi
        """)
}
