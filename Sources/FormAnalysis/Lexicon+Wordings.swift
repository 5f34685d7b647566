// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Other words for what the other tables say, as pages of many countries put it.
    static let wordingWords: [Entry] = purposeWordings + fieldWordings

    private static let purposeWordings: [Entry] = [
        Entry(
            .signIn, "iniciar, identificarse, identificate, conectarse, conectar, iniciar sessio, logar, identifique se"
        ),
        Entry(
            .signIn, "acesse sua conta, acessar sua conta, acesse a sua conta, entre na sua conta, entra a tu cuenta"),
        Entry(
            .signIn,
            "accede a tu cuenta, ingresa a tu cuenta, acceso clientes, acceso usuarios, m identifier, m authentifier"),
        Entry(
            .signIn,
            "s authentifier, authentifiez vous, ich bin bereits kunde, ich bin schon kunde, kundenlogin, collegati"),
        Entry(
            .signIn,
            "connettiti, loguj, wejdz, логин, girisi, uye girisi, musteri girisi, kullanici girisi, تسجيل دخول*"),
        Entry(
            .signIn, "*登錄*, *เข้าระบบ*, *ลงชื่อเข้า*, vpis, vpisi se, вписване, впишете се, најави се, logg pa, sisaankirj*"
        ),
        Entry(
            .signIn, "belepek, belepes*, intra, logheaza*, autentifica*, conecteaza*, jungtis, пријавете се, skra inn"),
        Entry(.signIn, "*లాగిన్*, *ലോഗിൻ*, *ಲಾಗಿನ್*, *લૉગિન*, teken in, hyr, kycu, identifikohu, logail isteach"),
        Entry(
            .signIn,
            "member login, member sign in, customer login, client login, secure login, account login, user login form"),

        Entry(
            .signUp,
            "become a member, start free trial, start your free trial, start my free trial, start trial, free trial"),
        Entry(
            .signUp,
            "try it free, try for free, try it for free, try free, claim your account, crear mi cuenta, darse de alta"),
        Entry(
            .signUp,
            "date de alta, darme de alta, hazte socio, hazte cliente, unirse, crea una cuenta gratis, prueba gratis"),
        Entry(.signUp, "criar minha conta, inscrever se, abra sua conta gratis, je cree mon compte, je m enregistre"),
        Entry(
            .signUp,
            "enregistrer mon compte, devenir membre, devenez membre, creez votre compte gratuit, account erstellen"),
        Entry(
            .signUp,
            "mitglied werden, benutzerkonto anlegen, benutzerkonto erstellen, kundenkonto eroffnen, kundenkonto erstellen"
        ),
        Entry(
            .signUp,
            "neukunde, ich bin neu hier, maak account, maak een account aan, aanmaken, inschrijven, word lid, lid worden"
        ),
        Entry(
            .signUp,
            "diventa socio, crea il mio account, dolacz, stworz konto, завести аккаунт, создание аккаунта, hesap ac"),
        Entry(
            .signUp,
            "ucretsiz dene, yeni uyelik, افتح حساب*, انضم*, *登録する*, *無料登録*, *가입*, dang ki, zaregistr*, vytvor ucet"),
        Entry(
            .signUp,
            "novy ucet, kreiraj nalog, otvori nalog, napravi nalog, otvorite racun, създаи акаунт, създаване на акаунт"),
        Entry(
            .signUp,
            "opret bruger, opret profil, bli kunde, ny bruker, luo tunnus, luo uusi tili, cont nou, creare cont, creati cont"
        ),
        Entry(
            .signUp,
            "*צור חשבון*, *פתיחת חשבון*, sukurti paskyra, jauns lietotajs, uus kasutaja, *გახსენი*, *գրանց*, hesab yarat"
        ),
        Entry(.signUp, "royxatdan*, *பதிவு*, *రిజిస్టర్*, *നമോదు*, *രജിസ്റ്റർ*, *ನೋಂದಣಿ*, magrehistro, regjistrohu, skraning, claraigh"),

        Entry(
            .forgotten,
            "password reminder, remind password, can t log in, can t sign in, cannot log in, cannot sign in, trouble"),
        Entry(
            .forgotten,
            "trouble logging in, trouble signing in, need help signing in, no recuerdo*, no puedo acceder, nao lembro"),
        Entry(
            .forgotten,
            "nie pamietam, nie pamietasz, odzyskaj, odzyskiwanie, przypomnij, przypomnienie, напомнить*, напомни*"),
        Entry(
            .forgotten, "не помню, нагадати, не памятаю, unuttunuz*, unuttun*, *잊으셨*, *잊어버*, *잊었*, unohtunut*, unohtui*"
        ),
        Entry(
            .forgotten,
            "elfelejtett*, elfelejtettem, uitat, *დაგავიწყდა*, *մոռացել*, *մոռաց*, harruar, gleymt*, *மறந்து*, *మర్చి*"),
    ]

    private static let fieldWordings: [Entry] = [
        Entry(
            .userName,
            "sign in name, nombre de acceso, nombre de inicio, zugangskennung, gebruiker, gebruikers id, kullanici"),
        Entry(
            .userName,
            "uye adi, uye kodu, اسم الدخول, *사용자 id*, id pengguna, anvandar id, bruger id, bruker id, tunnus, azonosito"
        ),
        Entry(
            .userName,
            "felhasznaloi azonosito, utilizator, *მომხმარებ*, *օգտանուն*, *օգտագործող*, хэрэглэгч*, *यूजर आईडी*, *यूज़र आईडी*"
        ),
        Entry(
            .userName, "*பயனர்*, *వినియోగదారు*, *യൂസർ*, *ಬಳಕೆದಾರ*, jina la mtumiaji, emri i perdoruesit, perdoruesi, notandanafn"
        ),
        Entry(
            .userName,
            "notandi, enw defnyddiwr, gebruikersnaam of e mail, ten truy cap, ma dang nhap, id de usuario, id utente"),
        Entry(
            .email,
            "الايميل, ايميل, ايميلك, بريدك الالكتروني, بريدك, *전자우편*, електронна поща, електронната поща, mejl, mejladress"
        ),
        Entry(.email, "էլ փոստ, էլփոստ, *மின்னஞ்சல்*, *ఈమెయిల్*, *ഇമെയിൽ*, *ಇಮೇಲ್*, *ઈમેલ*, *ઇમેઇલ*, barua pepe, posta elektronike"),
        Entry(
            .email,
            "netfang, e bost, ebost, adresse de courrier electronique, tu correo, seu e mail, elektroninis pastas"),
        Entry(.password, "*പാസ്‌വേഡ്*, *ಪಾಸ್‌ವರ್ಡ್*, *પાસવર્ડ*, wagwoord, fjalekalim*, құпиясоз*, *նշանաբառ*, palavrapasse"),
        Entry(
            [.password, .again],
            "vuelve a escribir la contrasena, kontrola hesla, heslo pro kontrolu, heslo znovu, kontrolni heslo"),
        Entry(
            .again,
            "vuelve a escribir, vuelva a escribir, vuelve a introducir, de nuevo, otra vez, digite novamente, novamente"
        ),
        Entry(
            .again,
            "retapez, ressaisir, ressaisissez, a nouveau, une seconde fois, bestatigen, *wiederhol*, herhalen, nogmaals"
        ),
        Entry(.again, "ponownie, powtorka, подтвержд*, еще раз, ще раз, اعد*, مره اخرى, دوباره, pro kontrolu, ponovno"),
        Entry(
            .again,
            "поновите, понови, bekraeft*, bekrefte, gjenta, gjentag, toista*, uudelleen, ujra, megerosit*, megegyszer"),
        Entry(
            .again,
            "din nou, inca o data, velreiz, uuesti, *გაიმეორ*, təkrar*, қаитала*, takrorla*, pakartoti, *다시*, *한번 더*"),
        Entry(
            .oneTimeCode, "bekraeftelseskod*, bekreftelseskod*, vahvistuskood*, kertakayttokood*, cod primit, cod unic"),
        Entry(.oneTimeCode, "patvirtinimo kod*, vienkartinis kodas, apstiprinajuma kod*, kinnituskood*"),
        Entry(.oneTimeCode, "*დამადასტურებელი კოდი*, *ერთჯერადი კოდი*, հաստատման կոդ*, *சரிபார்ப்பு*, *ధృవీకరణ*, تصدیقی کوڈ*"),
        Entry(
            .oneTimeCode, "كود التفعيل*, رمز التفعيل*, nambari ya uthibitishaji, egiaztapen kode*, stadfestingarkod*"),
        Entry([.oneTimeCode, .secondFactor], "enkratno geslo, enkratno koda, engangskod*, engangskode*"),
        Entry(
            .newsletter, "билтен, e novice, novice, новости по почте, ujdonsagok, naujienlaisk*, jaunumiem, uudiskir*"),
    ]
}
