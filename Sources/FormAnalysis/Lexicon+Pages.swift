// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for what a form or a page is for: on buttons, in headings, titles, paths and names of forms.
    static let pageWords: [Entry] = [
        Entry(
            .signIn,
            "access my account, access your account, enter my account, login, log in, logging in, log me in, sign me in, log into, signing in, logon, log on, signin, sign in, signon, sign on, auth, authenticate"
        ),
        Entry(.signIn, "authentication, sso, session, sessions, iniciar sesion, inicia sesion, inicie sesion"),
        Entry(
            .signIn,
            "inicio de sesion, ingresar, ingresa, ingreso, acceder, accedir, accede, acceso, iniciar sessao, entrar, entre"
        ),
        Entry(
            .signIn,
            "acessar, acesso, aceder, se connecter, connexion, connectez*, connecter, connecte, identifiez*"
        ),
        Entry(.signIn, "s identifier, *anmelden*, *anmeldung*, *einloggen*, melden sie sich an, melde dich an, accedi"),
        Entry(
            .signIn,
            "accesso, entra, autenticazione, inloggen, log je in, aanmelden, meld je aan, logowanie, logowania"
        ),
        Entry(
            .signIn,
            "zaloguj*, войти, вход, вхід, увійти, авториз*, giris, giris yap, oturum, oturum ac*, تسجيل الدخول*"
        ),
        Entry(.signIn, "الدخول, دخول, سجل الدخول, ورود, *登录*, *登入*, *登陆*, *ログイン*, *サインイン*, *로그인*, dang nhap"),
        Entry(
            .signIn,
            "masuk, prihlas*, *logga in*, *inloggning*, log ind, logg inn, kirjaudu*, bejelentkez*, belepes"
        ),
        Entry(
            .signIn,
            "autentificare, conectare, intra in cont, συνδεση, εισοδος, *เข้าสู่ระบบ*, *התחבר*, *כניסה*, prijava"
        ),

        Entry(
            .signIn, "daxil ol*, giris et, iniciar la sesion, accedir, inicia la sessio, kirish, kiru, войти в аккаунт"),
        Entry(.signUp, "qeydiyyat*, registra t, crear compte, royxatdan"),
        Entry(
            .signUp,
            "signup, sign up, regist*, create free account, make an account, create profile, create your profile, reg, create account, create an account, create your account"
        ),
        Entry(
            .signUp,
            "create my account, create a new account, new account, open account, open an account, join, join now"
        ),
        Entry(.signUp, "join us, join free, get started, enroll*, new user, new customer, registrarse, registrate"),
        Entry(.signUp, "crear cuenta, crea tu cuenta, crear una cuenta, crea una cuenta, unete, cadastr*, criar conta"),
        Entry(
            .signUp,
            "crie sua conta, criar uma conta, inscri*, creer un compte, creer mon compte, creer votre compte"
        ),
        Entry(.signUp, "creation de compte, konto erstellen, konto anlegen, neues konto, kundenkonto anlegen, iscri*"),
        Entry(.signUp, "crea account, crea un account, crea il tuo account, account aanmaken, maak een account"),
        Entry(.signUp, "account maken, rejestr*, zarejestr*, zaloz konto, utworz konto, регистр*, зарегистр*"),
        Entry(
            .signUp,
            "создать аккаунт, создать учетную запись, создайте аккаунт, реєстрац*, зареєстр*, kayit ol*, kayit"
        ),
        Entry(
            .signUp,
            "kaydol*, uye ol*, uyelik, hesap olustur*, تسجيل, انشاء حساب*, حساب جديد, سجل الان, اشتراك, *注册*"
        ),
        Entry(.signUp, "*註冊*, *创建账*, *建立帳*, *新規登録*, *会員登録*, *新規会員*, *アカウント作成*, *アカウントを作成*, *회원가입*"),
        Entry(.signUp, "*계정만들기*, dang ky, tao tai khoan, daftar, mendaftar, buat akun, vytvorit ucet, zalozit ucet"),
        Entry(
            .signUp,
            "vytvorte si ucet, skapa konto, skapa ett konto, bli medlem, opret konto, opprett konto, rekistero*"
        ),
        Entry(.signUp, "luo tili, fiok letrehoz*, inregistr*, creeaza cont, εγγραφη*, *สมัครสมาชิก*, *הרשמ*, ثبت نام"),

        Entry(.changePassword, "change password, change your password, change pass, changepwd, update password"),
        Entry(
            .changePassword,
            "update your password, reset password, reset your password, password reset, password change"
        ),
        Entry(
            .changePassword,
            "change my password, edit password, cambiar contrasena, cambiar la contrasena, cambiar clave"
        ),
        Entry(
            .changePassword,
            "cambia tu contrasena, restablecer contrasena, restablecer la contrasena, alterar senha"
        ),
        Entry(
            .changePassword,
            "mudar senha, trocar senha, redefinir senha, alterar palavra passe, changer le mot de passe"
        ),
        Entry(.changePassword, "changer mon mot de passe, modifier le mot de passe, modifier mon mot de passe"),
        Entry(.changePassword, "changer de mot de passe, changement de mot de passe, reinitialiser le mot de passe"),
        Entry(
            .changePassword,
            "passwort andern, passwort aendern, kennwort andern, passwort zurucksetzen, cambia password"
        ),
        Entry(.changePassword, "cambia la password, modifica password, reimposta password, wachtwoord wijzigen"),
        Entry(
            .changePassword,
            "wachtwoord veranderen, wijzig wachtwoord, zmien haslo, zmiana hasla, resetowanie hasla"
        ),
        Entry(.changePassword, "сменить пароль, смена пароля, изменить пароль, изменение пароля, сброс пароля"),
        Entry(
            .changePassword,
            "восстановление пароля, sifre degistir*, sifreyi degistir, sifre sifirla*, sifremi degistir"
        ),
        Entry(
            .changePassword,
            "تغيير كلمة المرور*, تغيير كلمة السر*, اعادة تعيين كلمة المرور*, *修改密码*, *更改密码*, *重置密码*"
        ),
        Entry(.changePassword, "*變更密碼*, *重設密碼*, *修改密碼*, *パスワード変更*, *パスワードの変更*, *パスワードを変更*"),
        Entry(.changePassword, "*パスワード再設定*, *비밀번호변경*, *비밀번호재설정*, doi mat khau, dat lai mat khau"),
        Entry(
            .changePassword,
            "ubah kata sandi, ganti kata sandi, ganti password, atur ulang kata sandi, zmenit heslo"
        ),
        Entry(.changePassword, "zmena hesla, obnoveni hesla, byt losenord, andra losenord, aterstall losenord"),

        Entry(
            .forgotten,
            "forgot*, forget*, lost password, lost your password, olvid*, esquec*, oubli*, *vergessen*, dimenticat*"
        ),
        Entry(.forgotten, "vergeten, zapomn*, zapomen*, забыл*, восстанов*, unuttum, نسيت*, *忘记*, *忘記*, *忘れ*, *찾기*"),
        Entry(.forgotten, "quen mat khau, lupa, glomt, recover*, recuperar*, recuperer, recupera, glemt, unohd*"),
        Entry(.remember, "remember*, keep me signed in, keep me logged in, stay signed in, stay logged in, rememberme"),
        Entry(
            .remember,
            "recordar*, recuerd*, recorda*, lembrar*, manter conectado, se souvenir*, souvenir, rester connecte"
        ),
        Entry(.remember, "angemeldet bleiben, eingeloggt bleiben, ricordami, ricorda*, onthoud*, ingelogd blijven"),
        Entry(.remember, "zapamietaj*, запомнить*, beni hatirla*, تذكرني, *记住*, *記住*, *自動ログイン*, *ログイン状態*"),
        Entry(.remember, "*자동로그인*, *로그인상태*, ghi nho, ingat*, zapamatovat*, kom ihag*, husk mig, muista*"),
        Entry(
            .terms,
            "terms, tos, agree*, conditions, privacy, gdpr, consent, terminos, condiciones, acepto, termos, aceito"
        ),
        Entry(
            .terms,
            "cgu, j accepte, agb, datenschutz*, termini, voorwaarden, regulamin*, rodo, услови*, соглас*, sozlesme*"
        ),
        Entry(.terms, "الشروط*, *同意*, *동의*, dieu khoan, setuju, podmink*, villkor*"),
        Entry(.newsletter, "*newsletter*, news letter, subscri*, mailing list, mailinglist, mailing, email updates"),
        Entry(
            .newsletter,
            "get updates, our updates, exclusive offers, special offers, stay informed, stay in touch, boletin*"
        ),
        Entry(
            .newsletter,
            "suscri*, inscrevase, infolettre, abonnez*, *abonnieren*, nieuwsbrief*, *рассылк*, подпис*, bulten*"
        ),
        Entry(.newsletter, "النشرة*, *订阅*, *訂閱*, *電子報*, *メルマガ*, *ニュースレター*, *구독*, *뉴스레터*, ban tin, berlangganan"),
        Entry(
            .newsletter,
            "inbox, unsubscribe*, briefing, digest, bulletin, sign me up, weekly news, latest news, stay in the loop"),
        Entry(
            .newsletter,
            "stay updated, stay connected, keep in touch, keep me posted, be the first to know, join our list"),
        Entry(
            .newsletter, "product updates, product news, announcements, marketing, marketing emails, news and offers"),
        Entry(.newsletter, "odber*, novinky, *nyhetsbrev*, *nyhedsbrev*, uutiskirje*"),
        Entry(
            .checkout,
            "checkout, check out, billing, shipping, delivery, cart, basket, payment, pay, donate, donation"
        ),
        Entry(
            .checkout,
            "order, place order, pedido, paiement, panier, *warenkorb*, *zahlung*, *bestellung*, carrello"
        ),
        Entry(
            .checkout,
            "pagamento, betaling, bestelling, koszyk, zamow*, оплат*, корзин*, заказ*, odeme, sepet, *支付*, *付款*"
        ),
        Entry(.checkout, "*購入*, *注文*, *결제*, thanh toan, pembayaran, objednavk*, kassa*, betala*"),
        Entry(
            .contact,
            "contact us, contact, message, enquiry, rsvp, webinar*, attendee*, this event, request a demo, request demo, inquiry, feedback, support request, contacto, contato"
        ),
        Entry(
            .contact,
            "book a demo, get a quote, request a quote, call you back, callback, request a call, leave a reply"),
        Entry(
            .contact, "post comment, leave a comment, ask a question, how may we help*, how can we help*, your concern"),
        Entry(
            .contact,
            "*kontakt*, contatto, contattaci, свяжитесь, обратная связь, iletisim, *お問い合わせ*, *문의*, lien he, hubungi*"
        ),
    ]
}
