// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// What a code is for: signing in, proving who one is, approving.
    static let purposeWords = Entry(
        .purpose,
        """
        log in*, login*, logging in, log on*, logon*, sign in*, signin*, signing in, sign on, sign up*, signup, verify*
        verification*
        verifying, authenticat*, authoris*, authoriz*, 2 step, two step, two factor, activate*, activation, reset*
        identity
        register*, registration, approve, approving, approval of, confirm*, access*, unlock*, recover*, transaction*
        txn, payment*
        transfer*, beneficiary, netbanking, e banking, online banking, internet banking, device*, phone number
        email address, withdraw*
        anmeld*, *anzumelden, *anmeldung, einlogg*, *einzuloggen, *registrierung, *bestatigung, bestatig*, verifizier*
        registrier*, freigabe*, freigeb*, uberweis*, auftrag*, zahlung*, kartenzahlung*, online banking*
        connex*, connect*, valider, validation, confirmer, identifi*, paiement*, virement*, inscri*, achat*
        reinitialis*, operation*
        iniciar sesion, inicio de sesion, verificar*, verificacion, confirmar*, confirmacion, acceder, acceso, autoriz*
        transferenc*, compra
        ingresar, activar, registr*, autentic*, operacion, pago*, entrar, verificacao, confirmacao, redefin*, ativar
        cadastr*, transac*, validar
        acced*, verific*, conferm*, pagament*, operazion*, bonific*, attiv*, recuper*, inloggen, aanmeld*, bevestig*
        betaling*, verifier*, overboek*
        logow*, zalogow*, potwierdz*, weryfik*, przelew*, platnosc*, autoryz*, operacj*, aktyw*, rejestr*, transakcj*
        doladow*
        prihlas*, overen*, overit*, overte*, overeni*, potvrzen*, potvrd*, platb*, aktivac*, autoriz*, registrac*
        transakc*, prevod*, uhrad*
        bejelentkez*, belepes*, megerosit*, jovahagy*, fizetes*, azonosit*, utalas*, hitelesit*, regisztr*, vasarlas*
        tranzakci*
        autentific*, confirma*, conecta*, plata, platii, tranzact*, inregistr*, transfer*, logare, logheaz*
        logga in, inlogg*, verifier*, bekraft*, betalning*, legitim*, registrera*, logge inn, innlogg*, bekreft*
        betaling*, registrer*
        log ind, bekraeft*, godkend*, verificer*, kirjaut*, vahvist*, maksu*, tunnistaut*, rekisteroi*, todenn*
        giris*, dogrula*, onayla*, islem*, odeme*, kayit*, uyelik, sifirla*, aktivasyon*, transfer*, harcama*
        alisveris*
        вход*, войти, войдите, подтвержд*, подтверд*, авториз*, регистрац*, оплат*, перевод*, покупк*, личный кабинет
        восстанов*, смены, активац*
        вхід, входу, увійти, підтверд*, реєстрац*, оплат*, переказ*, відновл*, потвържд*, потвърд*, влез*, влиза*
        плащан*, превод*
        συνδε*, επιβεβαιω*, επαληθε*, εισοδ*, πληρωμ*, συναλλαγ*, εγγραφ*, ταυτοποι*, ενεργοποι*
        התחבר*, להתחבר*, אימות, לאמת, כניסה*, להיכנס, תשלום, העברה, להשלמת, הרשמה, עסקה
        تسجيل الدخول*, الدخول, التحقق, تاكيد*, لتاكيد, تفعيل*, لتفعيل, شراء, تحويل, حواله, عمليه, حسابك, دفع, مصادقه
        تسجيل, العمليه
        ورود, تاييد, خريد, انتقال, پرداخت, مبلغ, ثبت نام, تراكنش, فعالسازي, بازيابي
        लॉगिन*, लॉगइन*, साइन इन*, सत्यापन*, सत्यापित*, पुष्टि*, लेनदेन*, भुगतान*, खाते में, पंजीकरण, रीसेट, ट्रांजैक्शन*
        লগইন*, লগ ইন*, যাচাই*, নিশ্চিত*, লেনদেন*, পেমেন্ট*, সাইন ইন*, নিবন্ধন*, রিসেট*
        เข้าสู่ระบบ, ยืนยัน, ทำรายการ, ชำระ, โอนเงิน, ลงทะเบียน, สมัคร, ล็อกอิน
        dang nhap, xac thuc, xac nhan, xac minh, giao dich, thanh toan, chuyen khoan, dang ky, kich hoat
        masuk, verifikasi, konfirmasi, transaksi, pembayaran, daftar, aktivasi, log masuk, pengesahan, pindahan
        pemindahan, sahkan
        ログイン, サインイン, 認証, 本人確認, 確認する, 登録, お手続き, 振込, 決済, 送金, 取引
        로그인, 인증, 본인확인, 가입, 결제 승인 요청, 접속, 이체, 송금
        登录, 登陆, 登入, 验证, 驗證, 注册, 註冊, 转账, 轉賬, 轉帳, 支付, 付款, 绑定, 綁定, 修改密码, 找回密码, 重置, 交易, 认证, 身份
        """)

    /// Asks to put something into a field.
    static let enterWords = Entry(
        .enter,
        """
        use, enter, type, type in, input, insert, key in, fill in, submit, paste, using, entering, with
        verwenden, verwende, benutzen, nutzen sie, nutze, eingeben, geben sie, gib, tippen sie, tippe, mit, einzugeben
        utilisez, saisissez, entrez, tapez, saisir, entrer, utiliser, avec, renseignez, indiquez
        usa, use, utilice, utiliza, introduce, introduzca, ingresa, ingrese, digite, escribe, escriba, teclea, con
        insira, utilize, informe, com
        inserisci, inserire, inserisca, utilizza, usi, digita, immetti, gebruik, voer, vul, typ, toets
        wpisz, uzyj, wprowadz, podaj, zadejte, zadej, pouzijte, vlozte, opiste, zadajte, pouzite, irja be, adja meg
        hasznalja, add meg, usse be
        introdu*, introduceti, foloseste, folositi, utilizati, ange, skriv in, anvand, mata in, knappa in, skriv inn
        bruk, tast inn, oppgi
        indtast, brug, angiv, skriv, syota, kayta, anna koodi, kirjoita, nappaile, girin*, giriniz, kullanin*, kullaniniz
        yazin*, girerek, kullanarak
        введите, используйте, укажите, введіть, використайте, використовуйте, вкажіть, въведете, въведи, използвайте
        използвай
        εισαγετε, πληκτρολογηστε, χρησιμοποιηστε, καταχωριστε, הזן, הזינו, הזיני, הקלד, הקלידו, השתמש, השתמשו
        ادخل, استخدم, ادخال, استخدام, يرجي ادخال, وارد كنيد, وارد نماييد, استفاده كنيد
        दर्ज*, उपयोग*, प्रयोग*, डालें, प्रविष्ट*, ব্যবহার*, লিখুন, প্রবেশ করান, দিন, ใช้, กรอก, ใส่, ป้อน, ระบุ
        nhap, su dung, dien, masukkan, gunakan, ketik, pakai, guna, 入力, ご利用, 使用, 输入, 輸入, 填写, 填寫, 键入, 鍵入, 입력, 사용
        """)

    /// A verb or a particle that leads from the word for a code to the code, or back.
    static let copulaWords = Entry(
        .copula,
        """
        is, was, will be, equals, as, reads, ist, lautet, ist es, als, wie folgt, est, es, sera, son, e, sao
        is als volgt, zijn
        jest, brzmi, je, jsou, zni, az, este, er, olan, ialah, adalah, yaitu, la, это, є, це, е, ειναι, הוא, היא, הינו
        הנו, هو, هي, است, ميباشد
        مي باشد, है, हैं, হল, হলো, হচ্ছে, คือ, เป็น, は, が, 이, 은, 는, 为, 是, 為, 係, nay la, sau, below, following
        """)
}
