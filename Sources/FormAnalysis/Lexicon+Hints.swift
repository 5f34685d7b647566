// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Phrases that tell which of two forms a link leads to, who else signs people in, and what a new password needs.
    static let hintWords: [Entry] = [
        Entry(
            .hasAccount,
            "already have an account, have an account, already a member, already registered, already a customer"
        ),
        Entry(.hasAccount, "already have, i already have, got an account, already signed up, already a user"),
        Entry(
            .hasAccount, "ya tienes cuenta, ya tienes una cuenta, ya estas registrado, ya tengo cuenta, tienes cuenta"),
        Entry(
            .hasAccount, "tienes una cuenta, bereits registriert, schon registriert, bereits ein konto, schon ein konto"
        ),
        Entry(.hasAccount, "bereits kunde, bereits mitglied, bereits ein kundenkonto, deja un compte, deja inscrit"),
        Entry(
            .hasAccount, "deja client, deja membre, ja tem uma conta, ja tem conta, ja possui conta, ja e cadastrado"),
        Entry(.hasAccount, "hai gia un account, gia registrato, sei gia registrato, al een account, al geregistreerd"),
        Entry(.hasAccount, "masz juz konto, masz konto, уже есть аккаунт, уже зарегистрирован*, есть аккаунт"),
        Entry(
            .hasAccount, "уже есть учетная запись, вже є акаунт, вже зареєстрован*, вже маєте акаунт, hesabin var mi"),
        Entry(.hasAccount, "hesabiniz var mi, zaten hesabin*, zaten uye*, *アカウントをお持ちの*, *既に会員*, *すでに会員*"),
        Entry(.hasAccount, "*すでにアカウント*, *登録済み*, *会員の方*, *已有账*, *已有帳*, *已经注册*, *已註冊*, *이미계정*, *이미회원*"),
        Entry(.hasAccount, "لديك حساب بالفعل*, هل لديك حساب, لديك حساب*, حساب دارید, قبلا ثبت نام*, *पहले से खाता*"),
        Entry(.hasAccount, "sudah punya akun, sudah memiliki akun, sudah terdaftar, da co tai khoan, *มีบัญชีอยู่แล้ว*"),
        Entry(
            .hasAccount,
            "har du redan ett konto, redan medlem, har du allerede en konto, allerede medlem, allerede bruger"),
        Entry(.hasAccount, "har du allerede konto, onko sinulla jo tili, mate ucet, uz mate ucet, jiz mate ucet"),
        Entry(
            .hasAccount,
            "mar van fiok*, van mar fiok*, ai deja un cont, ai deja cont, εχετε ηδη λογαριασμο, *יש לך חשבון*"),

        Entry(
            .hasNoAccount,
            "don t have an account, do not have an account, no account, not a member, not registered, new to, new here"
        ),
        Entry(.hasNoAccount, "need an account, not yet a member, not yet registered, haven t got an account"),
        Entry(.hasNoAccount, "no tienes cuenta, no tienes una cuenta, aun no tienes, todavia no tienes, aun no eres"),
        Entry(.hasNoAccount, "noch kein konto, noch nicht registriert, noch kein kunde, neu hier, neu bei"),
        Entry(
            .hasNoAccount, "pas encore de compte, pas de compte, pas encore inscrit, nouveau client, pas encore membre"),
        Entry(.hasNoAccount, "nao tem uma conta, nao tem conta, ainda nao tem, novo por aqui, non hai un account"),
        Entry(.hasNoAccount, "non sei registrato, non hai ancora, nog geen account, geen account, nie masz konta"),
        Entry(.hasNoAccount, "nie masz jeszcze konta, нет аккаунта, нет учетной записи, впервые на, немає акаунта"),
        Entry(.hasNoAccount, "hesabin yok mu, hesabiniz yok mu, uye degil mi*, *アカウントをお持ちでない*, *はじめての方*"),
        Entry(.hasNoAccount, "*初めての方*, *会員でない*, *没有账*, *沒有帳*, *还没有账*, *계정이없*, *회원이아니*, ليس لديك حساب"),
        Entry(.hasNoAccount, "لا تملك حساب*, حساب ندارید, *खाता नहीं*, belum punya akun, belum memiliki akun"),
        Entry(.hasNoAccount, "chua co tai khoan, *ยังไม่มีบัญชี*, har du inget konto, inget konto, ny kund, ny kunde"),
        Entry(.hasNoAccount, "har du ikke en konto, ingen konto, har du ikke konto, nemate ucet, jeste nemate ucet"),
        Entry(.hasNoAccount, "nincs fiok*, meg nincs, nu ai cont, nu ai un cont, δεν εχετε λογαριασμο, *אין לך חשבון*"),

        Entry(
            .otherService, "google, facebook, twitter, linkedin, github, gitlab, yahoo, microsoft, with apple, apple id"
        ),
        Entry(.otherService, "paypal, wechat, weixin, weibo, kakao*, naver, vk, vkontakte, yandex, with amazon, sso"),
        Entry(
            .otherService,
            "single sign on, saml, passkey*, steam, discord, truecaller, mit apple, avec apple, con apple"),
        Entry(.otherService, "*微信*, *微博*, *카카오*, *네이버*, facebook*, mit google, avec google, con google, com google"),

        Entry(
            .secondFactor,
            "otp, totp, hotp, otpcode, otp code, 2fa, mfa, tfa, 2fa code, mfa code, two factor*, 2 factor*, 2 step*, two step*"
        ),
        Entry(
            .secondFactor, "authenticator*, one time*, onetime*, sms, google authenticator, ga code, gacode, yubikey"),
        Entry(.secondFactor, "multi factor*, multifactor*, duo, einmal*, *zwei faktor*, doble factor, dos pasos"),
        Entry(.secondFactor, "double authentification, due fattori, dois fatores, *短信*, *ワンタイム*, *二段階*, *두단계*"),

        Entry(.decoy, "fake*, honeypot*, honey pot, dummy, decoy, donotfill, do not fill, leave empty, leave blank"),
        Entry(.decoy, "leave this empty, leave this blank, leave this field*, don t fill*"),
        Entry(
            .decoy,
            "ohnohoney, honey, honeyfield, bot field, botfield, antibot, nospam, no spam, should be left unchanged"),
        Entry(
            .decoy, "should be left blank, should be left empty, if you are human, if you re human, if you are a human"),
        Entry(.decoy, "do not fill in, don t fill in, please leave this*, nicht ausfullen, leer lassen, frei lassen"),
        Entry(
            .decoy, "laissez ce champ vide, laisser vide, ne pas remplir, ne remplissez pas, no rellenar, no rellenes"),
        Entry(.decoy, "deja este campo*, dejar en blanco, dejar vacio, nao preencha, nao preencher, deixe este campo*"),
        Entry(.decoy, "non compilare, lascia vuoto, lascia questo campo*, niet invullen, laat dit veld*, leeg laten"),
        Entry(.decoy, "nie wypelnia*, pozostaw puste, не заполня*, оставьте это поле*, оставьте пустым, не заповнюите"),
        Entry(.decoy, "nevyplnu*, nechte prazdne, bos birakin*, bos birakiniz*, lamna tomt, lamna detta*, lad feltet*"),
        Entry(.decoy, "la feltet*, jata tyhjaksi, ne toltse ki, nu completati, *空白のまま*, *入力しないで*, *请勿填写*, *비워두*"),
        // Said of a new password, which nobody has to choose.
        Entry(
            .new,
            "leave blank to, leave blank if you don*, leave blank if not, leave blank if unchanged, leave empty to"),
        Entry(
            .new, "leave blank unless, leave empty unless, leave empty if you don*, leave this blank to, blank to keep"),
        Entry(
            .new,
            "leave this blank if you don*, leave this empty to, leave this field blank to, leave this field empty to"),

        // They end nothing: what they lead to belongs to what stands before them.
        Entry(.onward, "continue, next, proceed, weiter, fortfahren, continuar, siguiente, proximo, avancar, suivant"),
        Entry(
            .onward, "continuer, poursuivre, avanti, continua, prosegui, volgende, verder, doorgaan, dalej, kontynuuj"),
        Entry(.onward, "далее, дальше, продолжить, далі, продовжити, devam, ileri, *次へ*, *下一步*, *继续*, *繼續*, *다음*"),
        Entry(.onward, "متابعة, التالي, ادامه, *जारी*, *आगे*, lanjut*, tiep tuc, *ถัดไป*, *ดำเนินการ*, fortsatt, fortsaet"),
        Entry(
            .onward,
            "nasta, seuraava, jatka, pokracovat, dalsi, tovabb, folytatas, continuati, inainte, συνεχεια, *המשך*"),
        Entry(.proceed, "submit, send, verify, confirm, ok, go, save, done, apply, enter, start, senden, absenden"),
        Entry(.proceed, "speichern, bestatigen, fertig, enviar, guardar, aceptar, envoyer, valider, enregistrer"),
        Entry(.proceed, "invia, conferma, verzenden, opslaan, wyslij, zapisz, отправить, сохранить, надіслати, gonder"),
        Entry(.proceed, "kaydet, *送信*, *保存*, *提交*, *确定*, *확인*, *보내기*, ارسال, kirim, simpan, gui, luu, skicka"),
        Entry(.proceed, "spara, salvar, salva, odeslat, ulozit, laheta, tallenna, lagre, gem, trimite, αποστολη"),

        Entry(.cookies, "cookie*, *クッキー*, *쿠키*, analytics, statistics, gdpr preferences"),

        Entry(.sent, "resend*, send again, sent to, sent a code, we sent, we have sent, we ve sent, get a new code"),
        Entry(.sent, "we texted, texted you, we emailed, we ve emailed, we ve texted, you received, you just received"),
        Entry(
            .sent, "sent you, have been sent, has been sent, was sent, just sent, check your phone, check your email"),
        Entry(.sent, "didn t receive*, did not receive*, didn t get, haven t received, reenviar*, renvoyer*, rinvia"),
        Entry(.sent, "enviado, enviada, te enviamos, te hemos enviado, le enviamos, le hemos enviado, hemos enviado"),
        Entry(
            .sent,
            "que enviamos, enviamos um, enviamos para, enviamos un, recibido, recebido, que recibiste, que recebeu"),
        Entry(.sent, "envoye, recu par, recu sur, vous avons envoye, vous a ete envoye, vous avez recu, nouveau code"),
        Entry(.sent, "gesendet, zugesendet, zugeschickt, geschickt, erhalten haben, erneut senden, noch einmal senden"),
        Entry(
            .sent, "neuen code, inviato, abbiamo inviato, ricevuto, verstuurd, verzonden, gestuurd, ontvangen, opnieuw"),
        Entry(
            .sent, "wyslalismy, wyslany, otrzymany, wyslij ponownie, отправили, отправлен*, выслали, выслан*, пришел"),
        Entry(.sent, "отправить повторно, выслать еще раз, отправить еще раз, надіслали, надіслано, надіслати ще раз"),
        Entry(
            .sent,
            "gonderdik, gonderilen, gonderildi, yeniden gonder*, tekrar gonder*, yenidən göndər*, zaslali, odeslali"),
        Entry(
            .sent,
            "poslali, zaslany, skickat, skickade, skickats, sendt, sendte, lahetimme, lahetetty, elkuldtuk, kuldtunk"),
        Entry(.sent, "am trimis, trimis, εστειλαμε, στειλαμε, σταλθηκε, ارسلنا, المرسل, تم ارسال*, ارسال شده"),
        Entry(.sent, "*भेजा*, *已发送*, *已發送*, *发送至*, *發送至*, *发送到*, *重新发送*, *送信しました*, *届いた*, *お送りした*, *再送*"),
        Entry(
            .sent, "*보낸*, *발송*, *전송된*, *재전송*, da gui, vua gui, duoc gui, gui lai, telah dikirim, kami kirim*, dikirim*"),

        Entry(.rules, "at least, minimum, min, characters, character, chars, uppercase, lowercase, password strength"),
        Entry(.rules, "*mindestens*, zeichen, al menos, minimo, au moins, caracteres, almeno, caratteri, minimaal"),
        Entry(.rules, "tekens, co najmniej, znakow, не менее, минимум, символ*, en az, karakter*, *文字以上*, *个字符*"),
        Entry(.rules, "*位以上*, *자이상*, minimal, it nhat, ky tu, minst, tecken, tegn, vahintaan, merkkia, alespon"),
    ]
}
