// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// The most needed words of languages that share a script and many words with those of the other tables.
    static let neighbourWords: [Entry] = slavicWords + balticWords + turkicWords + otherWords

    private static let slavicWords: [Entry] = [
        // Slovak, Slovene, Croatian, Serbian, Bulgarian, Macedonian, Belarusian.
        Entry(.password, "heslo*, geslo*, lozink*, лозинк*, zaporka, zaporku, sifra"),
        Entry([.password, .new], "nove heslo, novo geslo, nova lozinka, нова парола, нова лозинка, новы пароль"),
        Entry(
            [.password, .current],
            "trenutna lozinka, stara lozinka, trenutno geslo, staro geslo, текуща парола, тренутна лозинка"),
        Entry(.again, "ponovi*, potvrdi*, zopakuj*, potvrdte, повтори*, потвърди*, поново, znova"),
        Entry(
            .userName,
            "pouzivatelske meno, prihlasovacie meno, uporabnisko ime, korisnicko ime, корисничко име, korisnik"),
        Entry(.userName, "потребителско име, потребител*, имя карыстальніка"),
        Entry(
            .email,
            "e mailova adresa, emailova adresa, elektronska posta, e posta, имейл*, е пошта, адреса е поште, eposta"),
        Entry(.phone, "telefonne cislo, mobilne cislo, telefonska stevilka, broj telefona, mobitel, телефонен номер"),
        Entry(.identity, "rodne cislo, oib, jmbg, егн, фак номер, факултетен номер, broj kartice clana"),
        Entry(.oneTimeCode, "overovaci kod, jednorazovy kod, potvrditveni kod, enkratna koda, код за потвърждение"),
        Entry(
            .signIn,
            "prihlasenie, prihlasit*, prijava, prijavi se, prijavite se, prijavite, пријава, пријави се, вход, влез"),
        Entry(.signIn, "влизане, влезте, увайсці, уваход, najava, најава"),
        Entry(
            .signUp,
            "registracia, registrovat*, registracija, registriraj*, registruj*, регистрац*, регистрир*, рэгістрац*"),
        Entry(
            .signUp,
            "ustvari racun, ustvarite racun, kreiraj racun, otvori racun, нов акаунт, vytvorit konto, нов профил"),
        Entry(
            .changePassword,
            "zmena hesla, zmenit heslo, spremeni geslo, promjena lozinke, promena lozinke, смяна на парола"),
        Entry(
            .forgotten,
            "zabudol*, zabudnut*, zabudli, pozabljen*, pozabili*, zaboravlj*, zaboravili*, забравен*, заборав*"),
        Entry(.remember, "zapamatat*, zapamtaj*, zapomni si, zapamti me, запомни ме, запамти ме"),
        Entry(.personName, "meno, priezvisko, priimek, prezime, презиме, име, фамилия"),
        Entry(.name, "ime"),
        Entry(
            .address, "mesto, grad, град, kraj, ulica, postanski broj, postna stevilka, пощенски код, smerovacie cislo"),
        Entry(.search, "hladat, vyhladat, iskanje, isci, pretraga, pretrazi, търсене, търси, пошук"),
    ]

    private static let balticWords: [Entry] = [
        // Lithuanian, Latvian, Estonian.
        Entry(.password, "slaptazod*, parole, paroli, parool*, salasona, salasona*"),
        Entry([.password, .new], "naujas slaptazodis, jauna parole, uus parool"),
        Entry([.password, .current], "dabartinis slaptazodis, esamais parole, praegune parool"),
        Entry(.again, "pakartok*, patvirtin*, atkartot*, apstiprin*, korda, kinnita*"),
        Entry(
            .userName,
            "vartotojo vardas, prisijungimo vardas, naudotojo vardas, lietotajvards, lietotaj*, kasutajanimi, kasutaja*"
        ),
        Entry(.email, "el pastas, el pasto adresas, e pasts, e pasta adrese, e post, e posti aadress"),
        Entry(.phone, "telefono numeris, mob telefonas, talrunis, talruna numurs, mobiilinumber"),
        Entry(.identity, "asmens kodas, personas kods, isikukood, kliento kodas"),
        Entry(.signIn, "prisijung*, pieslegties, ienakt, ieiet, logi sisse, sisene, sisselogimine"),
        Entry(.signUp, "registruo*, registracija, registreties, registret*, izveidot kontu, registreeri*, loo konto"),
        Entry(.forgotten, "pamirs*, pamirsau, aizmirs*, unustasid*, unustatud"),
        Entry(.remember, "atsiminti*, prisiminti*, atcereties*, jata meelde"),
        Entry(.personName, "vardas, pavarde, vards, uzvards, eesnimi, perekonnanimi"),
        Entry(.search, "paieska, ieskoti, meklet, otsi, otsing"),
    ]

    private static let turkicWords: [Entry] = [
        // Azerbaijani, Kazakh, Uzbek.
        Entry(.password, "sifrə, sifreniz, parolunuz, құпиясөз, құпия сөз, parol*"),
        Entry(.userName, "istifadəci adi, istifadəci kodu, istifadəci, foydalanuvchi nomi, пайдаланушы аты"),
        Entry(.email, "e poct, elektron poct, elektron pochta, электрондық пошта"),
        Entry(.phone, "mobil nomrə, telefon nomrəsi, telefon raqami, телефон нөмірі"),
        Entry(.signIn, "daxil ol*, giris, kirish, кіру"),
        Entry(.signUp, "qeydiyyat*, royxatdan otish, тіркелу"),
        Entry(.forgotten, "unutdun*, unutmus*, unutdingiz*, ұмыттыңыз*"),
        Entry(.oneTimeCode, "təsdiq kodu, təsdiqləmə kodu, tasdiqlash kodi, растау коды"),
    ]

    private static let otherWords: [Entry] = [
        // Catalan, Galician, Basque, Malay, Filipino, Georgian, Armenian, Tamil, Telugu, Urdu.
        Entry(.password, "contrasinal, pasahitza, kata laluan, *პაროლ*, *գաղտնաբառ*, *கடவுச்சொல்*, *పాస్‌వర్డ్*, پاس ورڈ*"),
        Entry(
            .userName,
            "nom d usuari, nome de usuario, erabiltzaile izena, nama pengguna, *მომხმარებლის სახელი*, صارف نام"),
        Entry(
            .email, "correu electronic, correo electronico, helbide elektronikoa, emel, alamat emel, *ელფოსტა*, ای میل*"
        ),
        Entry(.identity, "no kad pengenalan, nombor kad pengenalan, kad pengenalan"),
        Entry(.signIn, "log masuk, inicia sessio, inicia la sessio, entra al campus, saioa hasi, mag log in, *შესვლა*"),
        Entry(.signUp, "daftar akaun, crea un compte, registra t, erregistratu, mag sign up, *რეგისტრაცია*"),
        Entry(.forgotten, "lupa kata laluan, has oblidat, heu oblidat, ahaztu*, nakalimutan*, *დაგავიწყდათ*"),
        Entry(.again, "sahkan, repeteix, confirma, berretsi"),
        Entry(.search, "carian, cerca, bilatu, hanapin, *ძიება*"),
    ]
}
