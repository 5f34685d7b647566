// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for what fields take that is not a credential.
    static let refusalWords: [Entry] = [
        Entry(
            .search,
            "search*, query, keyword*, buscar, busca, busqueda, pesquis*, recherch*, suche, suchen, suchbegriff*"
        ),
        Entry(
            .search,
            "cerca, ricerca, zoek, zoeken, zoekterm, szukaj, wyszuk*, поиск*, искать, найти, ara, arama, بحث, البحث"
        ),
        Entry(
            .search,
            "ابحث*, *搜索*, *搜尋*, *搜寻*, *検索*, *검색*, tim kiem, cari, pencarian, hledat, hledan*, vyhled*, sok, sog"
        ),
        Entry(.search, "hae, keres*, cautare, αναζητηση, *ค้นหา*, *חיפוש*"),
        Entry(
            .captcha,
            "*captcha*, security image, image code, code image, characters shown, anti spam, antispam, not a robot"
        ),
        Entry(.captcha, "*图形验证码*, *图片验证码*, *圖形驗證碼*, *校验码*, *附加码*, *看不清*, *画像認証*, *보안문자*, *자동입력*"),
        Entry(
            .captcha,
            "guvenlik kod*, security check, код с картинки, символы с картинки, код на картинке, проверочный код"
        ),
        Entry(
            .captcha,
            "ma bao mat, ma bao ve, verify image, randcode, validate code, check code, checkcode, img code"
        ),
        Entry(.pin, "pin, pin code, pincode, pin number, personal identification number, codigo pin, nip, *暗証番号*"),
        Entry(.pin, "ssn, social security, last 4, last four, sin number"),
        Entry(
            .card,
            "card, cardnumber, card number, cardno, cc, ccnum, ccnumber, creditcard*, credit card*, debit card"
        ),
        Entry(
            .card,
            "card holder, cardholder*, name on card, ccname, iban, bic, routing number, expiry*, expiration*, exp date"
        ),
        Entry(
            .card,
            "expdate, exp month, exp year, tarjeta*, cartao, numero do cartao, carte, carte bancaire, *kartennummer*"
        ),
        Entry(
            .card,
            "*kreditkart*, numero carta, carta di credito, kaartnummer, karta, numer karty, номер карты, kart no*"
        ),
        Entry(
            .card,
            "kart numara*, بطاقة, رقم البطاقة*, *卡号*, *信用卡*, *カード番号*, *카드번호*, so the, nomor kartu, kortnummer"
        ),
        Entry(
            .cardCode,
            "cvc, cvv, cvv2, cvc2, csc, cvn, card verification*, card security code, card code, cvccode, cvvcode"
        ),
        Entry(.cardCode, "prufziffer, kartenprufnummer, cryptogramme, *カードセキュリティ*, *安全码*"),
        Entry(
            .personName,
            "first name, firstname, fname, last name, lastname, lname, full name, fullname, surname, given name"
        ),
        Entry(
            .personName,
            "family name, middle name, middlename, mname, your name, display name, real name, contact name"
        ),
        Entry(
            .personName,
            "nombre, nombres, apellido*, nombre completo, nome, sobrenome, nome completo, apelido, prenom*, nom"
        ),
        Entry(
            .personName,
            "nom de famille, vorname*, nachname*, name und vorname, cognome, nome e cognome, voornaam*, achternaam*"
        ),
        Entry(
            .personName,
            "imie, nazwisko, imie i nazwisko, имя, фамил*, отчеств*, фио, ad soyad*, adi, soyad*, isim, الاسم*"
        ),
        Entry(.personName, "اسم العائلة*, اللقب, *姓名*, *名字*, *昵称*, *氏名*, *お名前*, *名前*, *フリガナ*, *이름*, *성명*, ho ten"),
        Entry(
            .personName,
            "ho va ten, ho, ten, nama lengkap, nama, nama depan, jmeno, prijmeni, fornamn, efternamn, fornavn"
        ),
        Entry(
            .personName,
            "efternavn, etternavn, etunimi, sukunimi, salutation, title, honorific, initials, vezeteknev, keresztnev"
        ),
        Entry(.name, "name, namn, navn, naam, imya"),
        Entry(
            .address,
            "address*, addr, street*, city, town, state, province, country*, county, region, zip, zipcode, zip code"
        ),
        Entry(
            .address,
            "postal*, postal code, postcode, post code, suburb, apartment, apt, unit, building, floor, direccion"
        ),
        Entry(
            .address,
            "ciudad, provincia, pais, calle, codigo postal, endereco, cidade, bairro, estado, rua, cep, adresse"
        ),
        Entry(
            .address,
            "ville, pays, rue, code postal, *strasse*, ort, stadt, bundesland, plz, *postleitzahl*, hausnummer"
        ),
        Entry(
            .address,
            "hausnr, indirizzo, citta, cap, straat*, plaats, woonplaats, huisnummer, miasto, ulica, kod pocztowy"
        ),
        Entry(
            .address,
            "адрес, город*, улица, страна, индекс, adres, sehir, ilce, il, posta kodu, العنوان, المدينة, الدولة"
        ),
        Entry(.address, "الرمز البريدي*, *地址*, *城市*, *邮编*, *邮政编码*, *郵遞區號*, *住所*, *郵便番号*, *都道府県*, *주소*, *우편번호*"),
        Entry(
            .address,
            "dia chi, thanh pho, ma buu dien, alamat, kota, kode pos, adresa, mesto, ulice, psc, *gatuadress*, adress"
        ),
        Entry(
            .address,
            "stad, postnummer, postnr, country code, area code, dial code, calling code, phone code, location"
        ),
        Entry(
            .birthday,
            "birth*, birthday, birth date, dob, bday, date of birth, *geburts*, nacimiento, nascimento, naissance"
        ),
        Entry(.birthday, "nascita, geboorte*, urodzen*, рожден*, dogum*, تاريخ الميلاد*, *生日*, *出生*, *生年月日*, *생년월일*"),
        Entry(.birthday, "ngay sinh, tanggal lahir, narozeni, fodelse*, age, day, month, year"),
        Entry(
            .company,
            "company*, organization*, organisation*, business*, business name, employer, empresa, entreprise"
        ),
        Entry(
            .company,
            "societe, firma, *unternehmen*, azienda, bedrijf*, компани*, организац*, sirket, شركة, الشركة, *公司*"
        ),
        Entry(
            .company,
            "*会社*, *회사*, cong ty, perusahaan, spolecnost, foretag*, subdomain, workspace, tenant, domain, school"
        ),
        Entry(
            .coupon,
            "coupon*, promo*, promo code, promocode, promotion code, voucher*, discount*, discount code, gutschein*"
        ),
        Entry(
            .coupon,
            "gift card*, giftcard*, referral*, referral code, refer code, invite*, invite code, invitation*"
        ),
        Entry(
            .coupon,
            "invitation code, cupon*, cupom, code promo, codice sconto, kortingscode, kod rabatowy, промокод*"
        ),
        Entry(.coupon, "*优惠*, *邀请码*, *クーポン*, *招待コード*, *쿠폰*, *추천인*, ma giam gia, ma gioi thieu, kode promo, kupon*"),
        Entry(
            .question,
            "security question*, secret question*, security answer, secret answer, question*, answer*, respuesta*"
        ),
        Entry(
            .question,
            "pregunta*, resposta*, pergunta*, reponse*, *sicherheitsfrage*, antwort*, risposta, domanda, antwoord"
        ),
        Entry(.question, "odpowiedz, pytanie, вопрос*, ответ*, cevap, soru, *密保*, *秘密の質問*, *질문*, *답변*"),
        Entry(
            .other,
            "quantity, qty, amount, ext, extension, price, comment*, message*, subject, feedback, note, notes, website, web site, url"
        ),
        Entry(
            .other,
            "homepage, tax id, vat, vat number, salary, gender, sex, occupation, job title, hint"
        ),
        Entry(
            .other,
            "password hint, filter, tag, tags, topic, description, monto, importe, betreff, nachricht, kommentar*"
        ),
        Entry(
            .other,
            "mensaje, mensagem, bericht, wiadomosc, сообщен*, комментар*, mesaj, yorum, *留言*, *备注*, *件名*, *메모*"
        ),
        Entry(
            .other,
            "source code, qr code, sort code, tax code, product code, bank code, error code, order number, order id"
        ),
        Entry(
            .other,
            "tracking number, booking reference, reservation, confirmation number, serial number, license key"
        ),
        Entry(
            .other,
            "api key, webhook, ip address, mac address, hostname, server, port"
        ),
        Entry(
            .other,
            "server address, server name, host name, host address"
        ),
        Entry(
            .otherServer,
            "smtp, imap, pop3, mail server, outgoing mail, incoming mail, proxy, proxy server, http proxy, mysql, postgres, postgresql, mariadb, mongodb"
        ),
        Entry(
            .otherServer,
            "database, database name, database host, database server, db host, db name, db user, db username, db password, db pass, dbuser, dbpass, dbname, dbhost"
        ),
        Entry(
            .otherServer,
            "wifi, wi fi, wlan, ssid, wifi password, wpa key, wep key, pppoe, ldap, bind dn, ftp, sftp, dyndns, ddns, dynamic dns, mqtt, redis"
        ),
        Entry(
            .otherServer,
            "mailserver, postausgang, posteingang, datenbank, base de datos, base de donnees, servidor smtp, proxyserver"
        ),
    ]
}
