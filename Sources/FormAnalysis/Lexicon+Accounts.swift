// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for user names, email addresses, telephone numbers and numbers of customers.
    static let accountWords: [Entry] = [
        Entry(
            .userName,
            "*username*, user id, userid, login name, login id, loginid, logon id, logon name, account name"
        ),
        Entry(
            .userName,
            "screen name, handle, nickname, nick, user login, uname, usrname, user or email, sign in id, online id, identifier"
        ),
        Entry(
            .userName,
            "usuario, identificador, nombre de usuario, nombre usuario, nome de usuario, nome de utilizador, utilizador"
        ),
        Entry(
            .userName,
            "nome do usuario, identifiant*, nom d utilisateur, utilisateur, nom utilisateur, pseudo, pseudonyme"
        ),
        Entry(
            .userName,
            "nom de compte, *benutzername*, *benutzerkennung*, nutzername, anmeldename, benutzer, kennung"
        ),
        Entry(.userName, "nome utente, utente, codice utente, *gebruikersnaam*, nazwa uzytkownika, uzytkownik*"),
        Entry(.userName, "имя пользователя, пользовател*, логин*, имя користувача, kullanici ad*, kullanici kod*"),
        Entry(.userName, "اسم المستخدم*, اسم مستخدم, نام کاربری, *用户名*, *用戶名*, *使用者名稱*, *登录名*, *账号*, *帐号*, *賬號*"),
        Entry(.userName, "*帳號*, *账户名*, *ユーザー名*, *ユーザ名*, *ユーザーid*, *ユーザid*, *ログインid*, *アカウント名*, *아이디*"),
        Entry(.userName, "*사용자이름*, *사용자명*, ten dang nhap, ten nguoi dung, ten tai khoan, nama pengguna, nama akun"),
        Entry(
            .userName,
            "uzivatelske jmeno, uzivatel*, prihlasovaci jmeno, *anvandarnamn*, *brugernavn*, *brukernavn*"
        ),
        Entry(
            .userName,
            "*kayttajatunnus*, *kayttajanimi*, felhasznalo*, nume de utilizator, nume utilizator, ονομα χρηστη"
        ),
        Entry(.userName, "*ชื่อผู้ใช้*, *שם משתמש*, korisnicko ime, uporabnisko ime, потребителско име"),
        Entry(
            .account,
            "user, usr, login, logon, account, acct, uid, txtuser, benutzerkonto, konto, cuenta, conta"
        ),
        Entry(.account, "compte, tai khoan, akun, *アカウント*, *用户*, *계정*, المستخدم, حساب, hesap, ucet"),

        Entry(
            .email,
            "*email*, mail, e mail, *email address*, e mail address, mail address, email addr, mail addr, mailaddr, mailaddress"
        ),
        Entry(
            .email,
            "correo, correo electronico, correio eletronico, correio electronico, direccion de correo*, direccion de correo electronico, direccion de email"
        ),
        Entry(.email, "endereco de email, endereco de e mail, courriel, adresse mail, adresse e mail, adresse email"),
        Entry(.email, "adresse courriel, adresse electronique, adresse de courriel, adresse de messagerie, messagerie"),
        Entry(
            .email,
            "mailadresse, e mail adresse, email adresse, indirizzo email, indirizzo e mail, posta elettronica"
        ),
        Entry(
            .email,
            "indirizzo di posta elettronica, e mailadres, emailadres, adres email, adres e mail, adresa email"
        ),
        Entry(.email, "adresa e mail, e mailova adresa, emailova adresa, e posta*, eposta*, epost*, e post, почт*"),
        Entry(.email, "электронная почта, адрес электронной почты, эл почта, пошт*"),
        Entry(.email, "البريد الالكتروني*, بريد الكتروني, البريد, بريد, ایمیل, *邮箱*, *郵箱*, *邮件*, *電子郵件*, *信箱*, *電郵*"),
        Entry(.email, "*メール*, *メールアドレス*, *이메일*, *메일*, dia chi email, thu dien tu, surel, alamat email, alamat surel"),
        Entry(.email, "sahkoposti*, ηλεκτρονικο ταχυδρομειο, *อีเมล*, *אימייל*, *דוא*, *ईमेल*, emailid, email id"),

        Entry(
            .phone,
            "phone, phones, *phone number*, *phonenumber*, telephone*, mobile*, cell, cellphone, cell phone, tel"
        ),
        Entry(
            .phone,
            "phoneno, mobileno, msisdn, telefono, celular, movil, telefone, telemovel, telefon*, *handynummer*"
        ),
        Entry(
            .phone,
            "*mobilnummer*, handy, cellulare, telefoon*, gsm, komork*, телефон*, номер телефона, cep telefon*, cep"
        ),
        Entry(.phone, "رقم الهاتف*, رقم الجوال*, هاتف, الهاتف, جوال, الجوال, موبايل, *手机*, *手機*, *电话*, *電話*, *携帯*"),
        Entry(.phone, "*휴대폰*, *휴대전화*, *전화*, so dien thoai, dien thoai, sdt, nomor telepon, nomor hp, no hp, telepon"),
        Entry(.phone, "ponsel, handphone, mobil, mobilni telefon, puhelin*, whatsapp"),

        Entry(
            .identity,
            "member number, membership number, member id, memberid, member no, customer id, customer number"
        ),
        Entry(
            .identity,
            "customerid, client id, clientid, client number, account number, account id, accountid, acctno"
        ),
        Entry(
            .identity,
            "account no, employee id, employee number, student id, student number, badge, access id, userno"
        ),
        Entry(
            .identity,
            "access number, customer no, frequent flyer number, numero de cliente, numero de socio, dni, nif"
        ),
        Entry(
            .identity,
            "nie, cpf, cnpj, rut, cedula, documento, numero de documento, numero client, numero de client"
        ),
        Entry(
            .identity,
            "numero de compte, numero d adherent, *kundennummer*, *kundennr*, zugangsnummer, vertragsnummer"
        ),
        Entry(.identity, "mitgliedsnummer, codice cliente, codice fiscale, numero cliente, klantnummer, klantnr, bsn"),
        Entry(
            .identity,
            "numer klienta, pesel, *personnummer*, medlemsnummer, tc kimlik*, tckn, musteri no*, رقم الهوية*"
        ),
        Entry(.identity, "*会员号*, *学号*, *工号*, *会員番号*, *会員id*, *お客様番号*, *학번*, *사번*, ma so, ma khach hang, ma sinh vien"),
        Entry(.identity, "nik, nim, nomor pelanggan, rodne cislo, zakaznicke cislo, card or username"),
    ]
}
