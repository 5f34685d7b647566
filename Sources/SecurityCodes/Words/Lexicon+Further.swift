// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Codes for signing in, in further languages and in further words.
    static let furtherStrongWords = Entry(
        [.code, .strong],
        """
        one time passcode*, nip temporal, nip dinamico, nip de seguridad, sign in number, confirmation otp, login number, tan code, tan nummer, tan nr, mobiletan
        mobile tan, sms passwort*, einmalige passwort, one time pwd
        code de verif, code de paiement, cle de securite sms, clave otp, clave unica, pin temporal, codigo dinamico
        chave movel, codigo token, codice o key sms, codice di autorizzazione, parola chiave dinamica
        jednokratn* zaporka, jednokratna zaporka, jednokratnu zaporku, jednokratni pin, verifikacioni kod*
        kod* za proveru, kod* za provjeru, kod* za potvrdu, kod* za prijavu, kod* za verifikaciju, kod* za autentifikaciju
        код* за потврду, код* за пријаву, код за потврда, код за најава, код за проверка
        kod* za aktivaciju, sigurnosni kod*, potvrditvena koda, potrditveno kodo, koda za prijavo, prijavni kod*
        patvirtinimo kod*, prisijungimo kod*, saugos kod*, vienkartinis slaptazodis
        apstiprinajuma kod*, pieslegsanas kod*, vienreizeja parole, autorizacijas kod*
        kinnituskood*, kontrollkood*, sisselogimiskood*, uhekordne parool
        codi de verificacio, codi de seguretat, codi d acces, codi de confirmacio, codi d un sol us
        egiaztapen kode*, segurtasun kode*, stadfestingarkod*, oryggiskod*, innskraningarkod*, auðkenniskod*
        cod dilysu, cod diogelwch, verifikasiekode*, sekuriteitskode*, eenmalige pin, eenmalige wagwoord
        msimbo wa kuthibitisha, msimbo wako wa kuthibitisha, nambari ya uthibitishaji, nambari yako ya uthibitishaji
        nambari ya siri ya muda, code ng pagpapatunay, verification code mo
        tasdiqlash kod*, bir martalik kod*, bir martalik parol*, tesdiq kod*, tesdiqleme kod*, təsdiq kod*, birdəfəlik
        растау коды, бір реттік, қауіпсіздік коды, тастыктоо коду, ырастоо коду, баталгаажуулах код*, нэг удаагийн
        рамзи тасдиқ, коди тасдиқ
        დადასტურების კოდ*, ვერიფიკაციის კოდ*, ერთჯერადი კოდ*, ერთჯერადი პაროლ*, უსაფრთხოების კოდ*
        հաստատման կոդ*, մեկանգամյա, անվտանգության կոդ*
        تصدیقی کوڈ, ویریفیکیشن کوڈ, او ٹی پی, سیکیورٹی کوڈ, لاگ ان کوڈ
        पडताळणी कोड, प्रमाणीकरण कोड, एकवेळ पासवर्ड, চকিত পাসওয়ার্ড, সত্যাপন কোড
        சரிபார்ப்புக் குறியீடு, சரிபார்ப்பு குறியீடு, ஓடிபி, ఓటీపీ, ధృవీకరణ కోడ్, ഒടിപി, പരിശോധന കോഡ്, ಒಟಿಪಿ, ಪರಿಶೀಲನಾ ಕೋಡ್
        ચકાસણી કોડ, ઓટીપી, ਪੁਸ਼ਟੀਕਰਨ ਕੋਡ, ਓਟੀਪੀ, සත්‍යාපන කේතය
        အတည်ပြုကုဒ်, အတည်ပြုနံပါတ်, លេខកូដផ្ទៀងផ្ទាត់, លេខកូដ otp, ລະຫັດຢືນຢັນ, የማረጋገጫ ኮድ, ማረጋገጫ ኮድ
        認證碼, 驗證編號, 验证编号, 确认编号, 登录口令, 短信验证, 手机验证, 認証ナンバー, 認証pin, 인증 pin
        """)

    /// Words for a code of any kind, in further languages and in further words.
    static let furtherCodeWords = Entry(
        .code,
        """
        enter the number, enter this number, type the number, type this number, use the number, use this number
        security number, verification no, nip, el nip, su nip, tu nip
        zaporka, zaporku, zaporke, zaporkom, lozinka, lozinku, lozinke, kodo, slaptazod*, kodai, parool*, koodi, kodis
        codi, codis, contrasenya, kodea, kodeak, pasahitza, kodinn, kodann, *kodinn, lykilord*, cod pas, wagwoord*
        msimbo, neno la siri, nambari ya siri, kodi, kodingiz*, parol*, şifrəniz, kodunuz*, коды, кодыңыз*, коду, құпиясөз
        кодун*, нууц код, нууц үг, рамз, кодики
        კოდი*, კოდის, პაროლი*, կոդ*, գաղտնաբառ*
        کوڈ*, پاس ورڈ, پن, குறியீடு*, கடவுச்சொல்*, కోడ్*, పాస్‌వర్డ్, കോഡ്*, ಕೋಡ್*, કોડ*, પાસવર્ડ, ਕੋਡ*, කේතය*, මුරපදය
        ကုဒ်, စကားဝှက်, លេខកូដ, កូដ, ពាក្យសម្ងាត់, ລະຫັດ, ኮድ*, የይለፍ ቃል
        """)

    /// What else a code is entered for.
    static let furtherPurposeWords = Entry(
        .purpose,
        """
        to continue, to proceed, to finish, to complete, to pay, to authorise, to authorize, to approve, to confirm
        to verify, to log in, to login, to sign in, to log on, to reset, to activate, to unlock, to link your, um fortzufahren, pour continuer, para continuar, per continuare
        чтобы продолжить, om door te gaan, aby kontynuowac, pro pokracovani, devam etmek icin, för att fortsätta
        """)

    /// What else leads from a word to a code.
    static let furtherCopulaWords = Entry(.copula, "it's, that's, here's, are, kodia, ay, ni, նն, արის")

    /// Further codes that no sign-in asks for.
    static let furtherOtherWords = Entry(
        .other,
        """
        hex code*, lock code*, luggage code*, claim code*, identifier code*, stock code*, diagnostic code*, trouble code*, fault code*, unsubscribe code*
        billing code*, medical code*, procedure code*, dial code*, dialling codes, carrier code*, keyword code*
        prize code*, winner code*, entry codes, ticker code*, station code*, airport code*, location code*
        merchant code*, dealer code*, agent code*, batch code*, colour codes, discount codes, promo codes
        codigo de rastreo, atsiemimo kod*, nuolaidos kod*, sanemsanas kod*, atlaides kod*, uksekood*, valjastuskood*, sooduskood*
        kod* za preuzimanje, kod* za popust, popust*, koda za prevzem, prevzem*, koda za popust, промо код*
        код* за подигање, codi de descompte, codi de recollida, endirim kod*, chegirma*, жеңілдік*, хөнгөлөлт*
        """)

    /// Further words around such codes: parcels, doors, and prizes that nobody has won.
    static let furtherSceneWords = Entry(
        .scene,
        """
        prize, prizes, jackpot, winner, won a, you won, you have won, lottery, awarded, ringtone*, tones, txt, free entry
        claim now, to claim, p per msg, per msg, 150p, curfew, unredeemed, un redeemed, stock exchange
        siunta, siuntos, pastomat*, sutijum*, pakomat*, pakk, pakiautomaat*, paketomat*, posiljk*, пошиљк*, пратк*
        enviament, paquet
        """)

    /// Scenes that a service also wishes one well with.
    static let mildWords = Entry(
        [.scene, .mild],
        """
        ride, rides, riding, order, orders, ticket, tickets, gift, reward*, invite*, friend, friends, earn, off, sale
        trip, trips, stay, flight, hotel, booking, meeting, delivery, deliver, refer, checkout, rental
        fahrt, fahrten, reise, hotel*, voyage, course, viaje, viagem, viaggio, corsa, pedido*, pedidos, заказ*, поездк*
        siparis*, yolculuk*, замовлен*, παραγγελια*, rit, bestelling*, przejazd*, jizd*, resa, resor, tur
        """)

    /// Purposes whose own number is often told.
    static let dealWords = Entry(
        .deal,
        """
        transaction*, txn, payment*, transfer*, beneficiary, withdraw*, purchase*, registration, recover*
        zahlung*, kartenzahlung*, uberweis*, auftrag*, virement*, paiement*, achat*, operation*, transferenc*, compra
        pago*, operacion, transac*, pagament*, operazion*, bonific*, betaling*, overboek*, przelew*, platnosc*, operacj*
        transakcj*, doladow*, platb*, transakc*, prevod*, uhrad*, fizetes*, utalas*, vasarlas*, tranzakci*, plata, platii
        tranzact*, betalning*, maksu*, islem*, odeme*, harcama*, alisveris*, оплат*, перевод*, покупк*, переказ*
        плащан*, превод*, πληρωμ*, συναλλαγ*, תשלום, העברה, עסקה, شراء, تحويل, حواله, عمليه, العمليه, دفع, خريد, انتقال
        پرداخت, تراكنش, लेनदेन*, भुगतान*, লেনদেন*, পেমেন্ট*, ทำรายการ, ชำระ, โอนเงิน, giao dich, thanh toan, chuyen khoan
        transaksi, pembayaran, pindahan, 振込, 決済, 送金, 取引, 이체, 송금, 转账, 轉賬, 轉帳, 支付, 付款, 交易
        """)

    /// Leads to a time of the day.
    static let timeWords = Entry(
        .time,
        """
        at, until, till, til, by, from, after, before, around, about, since, to, um, ab, bis, gegen, a las, hasta, desde
        jusqu a, a partir de, ate, as, alle, fino alle, dalle, om, tot, vanaf, do, od, kl, til, fra, fram till, до, с, к
        """)

    /// Whoever asks for a code is after it: such sentences ask nobody to tell it.
    static let suspectWords = Entry(
        .negation,
        """
        scam*, fraud*, phishing, asks you for, asks for, asked for this, someone asks, if someone, if anyone, suspicious
        criminal*, thief, thieves, impersonat*, betrug*, betruger*, arnaque*, fraude*, escroc*, estafa*, truff*, golpe*
        oplicht*, oszust*, podvod*, csalo*, frauda*, bedragar*, svindel*, svindl*, huijar*, dolandiric*, мошенник*
        шахра*, измам*, απατη*, הונאה, احتيال, محتال*, كلاهبرداري, धोखाधड़ी*, ठगी, প্রতারক*, มิจฉาชีพ, lua dao, penipu*
        詐欺, 诈骗, 詐騙, 사기
        """)

    /// Capitals that say something about a code.
    static let statedWords = Entry(
        .filler,
        """
        invalid, expired, expire, expires, sent, required, confidential, valid, used, blocked, private, incorrect, wrong
        disabled, locked, changed, updated, approved, active, ready, secret, unique, important, urgent, enclosed, correct
        personal, free, only, here, this, that, your, will, have, been, never, share, alert, notice, android, iphone
        """)
}
