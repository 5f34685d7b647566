// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for particulars of a person, and for searching, in languages where the other tables have few of them.
    static let particularWords: [Entry] = [
        Entry(
            .personName,
            "forename*, tussenvoegsel, volledige naam, adiniz, adiniz soyadiniz, *姓氏*, teljes nev, prenume*"),
        Entry(
            .personName,
            "nume si prenume, nume, numele, numele dvs, *სახელი*, *გვარი*, *անուն*, ազգանուն, аты жөні, тегі, ism"),
        Entry(
            .personName,
            "familiya, нэр, овог, *பெயர்*, *పేరు*, jina lako, cognoms, nom i cognoms, abizena, emri, mbiemri, nimi"),
        Entry(.personName, "fullt nafn, enw llawn, koko nimi, cele jmeno, pelne imie, nombre y apellidos"),
        // What people are called for the site, whatever they are called in person.
        Entry(.userName, "*მომხმარებლის სახელი*, *பயனர் பெயர்*, *వినియోగదారు పేరు*, emri i perdoruesit, хэрэглэгчийн нэр"),

        Entry(
            .address,
            "miejscowosc, wojewodztwo, регион, область, раион, населенныи пункт, آدرس, استان, کد پستی, *省份*, *国家*"),
        Entry(
            .address,
            "*市区町村*, *番地*, *建物名*, quan huyen, tinh thanh*, phuong xa, provinsi, kecamatan, poststed, katuosoite"),
        Entry(
            .address,
            "postinumero, kaupunki, postitoimipaikka, iranyitoszam, utca, varos, oras, orasul, judet, judetul, localitate"
        ),
        Entry(
            .address,
            "adresas, miestas, pilseta, aadress, sihtnumber, *მისამართი*, *ქალაქი*, հասցե, քաղաք, unvan, sehər, şəhər"),
        Entry(.address, "мекенжаи, қала, manzil, shahar, хаяг, *राज्य*, *पिन कोड*, *ঠিকানা*, *முகவரி*, *చిరునామా*, anwani, adreca"),
        Entry(
            .address, "ciutat, helbidea, herria, qyteti, heimilisfang, cyfeiriad, naselje, opcina, obcina, okres, kraj"),

        Entry(
            .phone,
            "rufnummer, mobiel nummer, mobiel, رقم الموبايل*, الموبايل, matkapuhelin*, mobilszam, *ტელეფონ*, *მობილური*"
        ),
        Entry(.phone, "*հեռախոս*, утасны дугаар, утас, *மொபைல்*, *மொபைல் எண்*, *మొబైల్*, موبائل نمبر*, فون نمبر*"),
        Entry(.phone, "nambari ya simu, selfoonnommer, simanumer, ffon, numri i telefonit, telefonszam*, nr telefonu"),

        Entry(
            .search,
            "what are you looking for, looking for, find a product, find products, que buscas, que estas buscando"),
        Entry(
            .search,
            "o que voce procura, procurar, procura, chercher, que cherchez vous, cosa cerchi, cosa stai cercando"),
        Entry(
            .search,
            "wonach suchen, czego szukasz, я шукаю, что вы ищете, ne aramistiniz, *搜一搜*, *キーワード*, ban can tim gi"),
        Entry(
            .search,
            "vyhladavanie, trazi, trazite, претрага, sokord, etsi, haku, cauta, ce cauti, ψαχνω, τι ψαχνετε, *ძებნა*"),
        Entry(
            .search,
            "*որոնել*, *որոնում*, axtar, axtaris, іздеу, qidirish, qidiruv, хаилт, *தேடு*, *தேடல்*, *శోధన*, تلاش, tafuta"),
        Entry(.search, "soek, cercar, kerko, leita, chwilio, cuardaigh, kulcsszo"),
    ]
}
