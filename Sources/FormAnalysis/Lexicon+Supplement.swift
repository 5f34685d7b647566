// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words of languages whose main entries stand elsewhere, or that are spoken by fewer.
    static let supplementWords: [Entry] = [
        Entry(.signUp, "regisztr*, fiok letrehozasa, رجسٹر*, اکاؤنٹ بنائیں, jisajili, fungua akaunti, *பதிவு செய்*"),
        Entry(.signUp, "creu cyfrif, cofrestru, *கணக்கை உருவாக்கு*, skra sig, nyskraning, бүртгүүлэх, *ចុះឈ្មោះ*, *መመዝገብ*"),
        Entry(.signIn, "ingia, mewngofnodi, sartu, innskra*, нэвтрэх, *ចូល*, *ግባ*, *உள்நுழை*, لاگ ان, *մուտք*, *लगइन*"),
        Entry(.password, "nenosiri, cyfrinair, lykilord*, нууц үг*, *ពាក្យសម្ងាត់*, *የይለፍ ቃል*, پاس ورڈ*, pasfhocal"),
        Entry(
            [.password, .current], "nykyinen salasana, vanha salasana, jelenlegi jelszo, regi jelszo, parola actuala"),
        Entry(
            [.password, .current],
            "parola veche, parola curenta, cyfrinair presennol, nuverandi lykilord, موجودہ پاس ورڈ*"),
        Entry(
            [.password, .new], "uusi salasana, uj jelszo, parola noua, cyfrinair newydd, nytt lykilord, نیا پاس ورڈ*"),
        Entry(.current, "nykyinen, vanha, jelenlegi, regi, actuala, veche, curenta, presennol"),
        Entry(.again, "cadarnhau, thibitisha*, *உறுதிப்படுத்து*, تصدیق*"),
        Entry(
            .newsletter,
            "novidades, receba nossas, receba ofertas, receba promocoes, nhan tin, dang ky nhan*, *รับข่าว*, *ข่าวสาร*"),
        Entry(
            .newsletter,
            "recevez nos, nos offres, actualites, nos actualites, recibe nuestras, recibir ofertas, ofertas y novedades"
        ),
        Entry(
            .newsletter,
            "novedades, ricevi, offerte e novita, novita, angebote erhalten, neuigkeiten, aanbiedingen, nowosci"),
        Entry(
            .newsletter, "promocje, новости, новости и акции, скидки, haberler, kampanya*, kampanyalar*, promo terbaru"),
        Entry(
            .newsletter,
            "hirlevel*, aboneaza*, abonare, ma abonez, prenumerera*, tilaa, tilmeld*, tilmelding, meld pa, zapisz sie"),
        Entry(
            .newsletter,
            "schrijf je in, blijf op de hoogte, bleiben sie informiert, restez informe*, rimani aggiornat*, odoberat*"),
        Entry(
            .signUp,
            "creez votre compte, creez un compte, creez mon compte, ouvrir un compte, ouvrez un compte, abre tu cuenta"),
        Entry(
            .signUp,
            "abrir cuenta, abra sua conta, abrir conta, apri un conto, jetzt registrieren, konto eroffnen, otworz konto"
        ),
        Entry(
            [.forgotten, .changePassword], "*找回密码*, *找回密碼*, *パスワードをお忘れ*, *비밀번호찾기*, password recovery, recover password"),
        Entry(
            [.forgotten, .changePassword],
            "recuperar contrasena, recuperar senha, recuperation du mot de passe, lay lai mat khau"),
        Entry(
            .other,
            "order number, order no, ord no, *주문번호*, *注文番号*, *订单号*, *訂單編號*, numero de pedido, numero do pedido"),
        Entry(
            .other,
            "numero de commande, bestellnummer, auftragsnummer, numero ordine, numer zamowienia, номер заказа*, siparis no*"
        ),
        Entry(.personName, "*주문자*, *예약자*, *구매자*, *신청자*, *작성자*, *注文者*, *投稿者*, *收货人*, *联系人*, ordered by, booked by"),
    ]
}
