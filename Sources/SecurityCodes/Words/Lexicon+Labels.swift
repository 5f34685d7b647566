// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// What a number right behind is the number of.
    static let labelWords = Entry(
        .label,
        """
        order*, invoice*, account, acct, a c, acc, card, ref, reference, ref no, refno, reference no, ref id, tracking
        tracking no, parcel, package, shipment, awb
        booking, reservation, confirmation number, confirmation no, confirmation #, ticket, tickets, case, claim
        policy, customer, client, member, membership, employee
        contract, application, request, request id, transaction id, txn id, txn no, trace, session, id, meeting id
        user id, number, no, nr, num, nos, phone, tel
        mobile, fax, helpdesk, hotline, helpline, support, toll free, flight, gate, seat, room, terminal, atm, bus
        line, route, stop, page, chapter, building
        lot, bin, iban, zip, box, po box, suite, apt, unit, floor, ending, ending in, ending with, ends with, ends in
        last digits, last 4 digits, total, amount, balance
        due, score, statement, bill, receipt, receipt no, pr, issue, build, version, v, ip, chrome, windows, android
        ios, firefox, safari, passport, license plate
        plate, cab, vehicle, serial, model, sku, item, batch, tag, queue, token no, token number, patient, prescription
        rx, roll no, upi, utr, rrn, upi ref, imps, neft, pnr
        folio, loan, reg no, registration number, registration no, pan, aadhaar, ssn, vat, tin, dob, vote, since, year
        copyright, in, postcode, approval code, auth code, code no
        merchant, store, shop, branch, beneficiary, payee, stan, mid, tid, iccid, imei, limit, min, max, from number
        sender, channel, bid, lottery, population, account number
        phone number, card number, order number, ticket number, employee number, customer number, queue number
        reference number, case number, tracking number, belt, vol
        bestellung*, bestellnummer, bestell nr, auftragsnummer, auftrag nr, rechnung*, rechnungsnummer, kundennummer
        kunden nr, konto, kontonummer, kartennummer, karte
        sendungsnummer, sendung, vorgangsnummer, vorgang, referenz*, ref nr, nummer, telefon, tel, fax, rufnummer
        hausnummer, zimmer, gleis, zug, flug, plz, endziffer*
        betrag, summe, guthaben, endend, endend auf, mit endziffern, vertrag*, vertragsnummer, reservierungsnummer
        buchungsnummer, ticketnummer, belegnummer, packstation
        commande, commande n, facture, numero, n, num, compte, carte, ref, reference, dossier, client, telephone, tel
        vol, train, chambre, montant, solde, se terminant par
        terminant par, finissant par, colis, suivi, reservation, contrat, transaction n, siret, cp, total
        pedido, pedido n, factura, numero, num, n, cuenta, tarjeta, referencia, expediente, cliente, telefono, tel
        vuelo, sala, importe, monto, saldo, terminada en
        terminacion, que termina en, envio, reserva, contrato, tramite, folio, ticket, total, terminado en, calle, cp
        fatura, conta, cartao, protocolo, pedido no, nota, valor
        encomenda, cliente no, reserva no, final, com final, terminado em, terminada em, ordine, ordine n, fattura
        conto, carta, riferimento, rif, pratica, cliente, volo
        stanza, importo, saldo, spedizione, prenotazione, prenotazione n, contratto, terminante, che termina con
        numero verde, cap, interno, bestelling, bestelnummer
        factuur, factuurnummer, rekening, rekeningnummer, kaart, klantnummer, klant, kenmerk, ordernummer, bedrag
        vlucht, kamer, eindigend op, zendingsnummer, nummer, pas
        zamowienie, zamowienia, zamowienie nr, faktura, faktura nr, nr, numer, numeru, rachunek, konto, karta, karty
        klient, przesylka, przesylki, paczka, kwota, kwote, saldo, infolinia
        rezerwacja, bilet, umowa, umowy, sprawa, objednavka, objednavky, c, cislo, faktura, faktury, ucet, karta, karty
        zasilka, zasilky, zakaznik, castka, zustatek, smlouva, linka
        rezervace, vs, variabilni symbol, objednavka c, zasielka, zasielky, suma, zostatok, zmluva, rendeles
        rendelesszam, rendeles szama, szam, szama, szamu, szamla, szamlaszam, kartya, osszeg
        vegosszeg, ugyfelszam, ugyfelszolgalat, foglalas, csomagszam, egyenleg, vonal, comanda, comenzii, factura, nr
        numarul, cont, contul, card, cardul, client, awb, suma, sold, rezervare
        ordernr, ordernummer, order, faktura, kundnummer, konto, kort, kortet, belopp, saldo, bokningsnummer, bokning
        ocr, arende*, slutar pa, sparrservice, kollinummer
        ordre, ordrenummer, fakturanummer, kundenummer, konto, kontonummer, kort, kortet, belop, saldo, referanse
        reference, sak, sagsnummer, sporingsnummer, belob, bookingnummer, slutter pa
        tilaus, tilausnumero, tilausnro, lasku, laskun, viite, viitenumero, tili, kortti, summa, asiakasnumero
        varausnumero, lahetystunnus, puh, seurantakoodi*, saldo, paattyva
        siparis, siparisiniz, siparis no, no, numara*, fatura, hesap, kart, musteri no, takip no, takip, referans no
        tutar, bakiye, toplam, rezervasyon, ucus, sonu, plaka, fis no
        заказ, заказа, заказ №, номер, номера, счет, счета, счету, карта, карты, карте, карту, клиент*, договор*
        накладная, накладной, трек, посылка, посылки, заявк*, сумма, баланс, рейс, индекс
        билет, бронь, обращени*, телефон, тел, чек, квитанц*, операция №, мск, магазин, замовлення, номер, рахунок
        картка, картки, накладна, накладної, посилка, сума, договір, заявка, чек
        поръчка, поръчката, номер, фактура, сметка, карта, пратка, сума, клиентски номер, товарителница, παραγγελια
        αριθμοσ, αρ, τιμολογιο, λογαριασμοσ, λογαριασμου, καρτα, καρτασ, ποσο, υπολοιπο
        κρατηση, πτηση, αποστολη, τηλ, τηλεφωνο, הזמנה, הזמנתך, מספר, מס, חשבונית, חשבון, כרטיס, סכום, יתרה, משלוח
        טיסה, תיק, אסמכתא, טלפון, מסתיים ב, לקוח
        طلب, طلبك رقم, رقم, رقم الطلب, رقم الحجز, فاتوره, حساب, بطاقه, بطاقتك, مبلغ, بمبلغ, رصيد, رصيدك, شحنه, رحله
        هاتف, جوال, المنتهيه ب, مرجع, رقم المرجع, رقم الشحنه, تذكره
        سفارش, شماره, فاكتور, حساب, كارت, مبلغ, موجودي, پيگيري, رهگيري, كد رهگيري, تلفن, پرواز, نوبت, زمان
        شماره پيگيري, تاريخ, مانده
        ऑर्डर, नंबर, संख्या, खाता, खाते, कार्ड, राशि, शेष, ट्रैकिंग, रसीद, संदर्भ, टिकट, फोन, অর্ডার, নম্বর, নং
        অ্যাকাউন্ট, কার্ড, ব্যালেন্স, টাকা, ট্র্যাকিং, রেফারেন্স, টিকিট
        เลขที่, หมายเลข, คำสั่งซื้อ, บัญชี, บัตร, ยอด, ยอดเงิน, จำนวน, จำนวนเงิน, อ้างอิง, เลขอ้างอิง, พัสดุ, โทร
        เที่ยวบิน, เลขพัสดุ, ลงท้าย, ลงท้ายด้วย, ref
        don hang, so, tai khoan, tk, hoa don, so tien, so du, ma don, ma gd, ma giao dich, van don, hotline, dien thoai
        sdt, chuyen bay, so tham chieu
        pesanan, no, nomor, rekening, kartu, invoice, resi, no resi, jumlah, saldo, total, referensi, tagihan, nombor
        akaun, kad, bil, rujukan, baki, jumlah, talian
        注文番号, ご注文番号, 予約番号, ご予約番号, 会員番号, お問い合わせ番号, 伝票番号, 追跡番号, 受付番号, 口座番号, カード番号, 電話番号, 金額, 残高, 合計, お客様番号, 整理番号, 便名, 下4桁
        末尾, 電話, ミーティングid, id
        주문번호, 예약번호, 운송장, 송장번호, 운송장번호, 고객번호, 회원번호, 대기번호, 접수번호, 계좌, 계좌번호, 카드, 금액, 잔액, 합계, 승인번호, 문의, 고객센터, 전화, 누적, 편명, 접수
        카드번호, 끝자리
        订单号, 订单, 单号, 运单号, 快递单号, 编号, 尾号, 尾号为, 末四位, 账号, 账户, 卡号, 金额, 余额, 电话, 致电, 热线, 客服, 航班, 预约号, 排队号, 会议号, 流水号, 工单, 序号
        会员号, 房间号, 车牌, 回复, 退订回, 合同号
        訂單號, 訂單, 訂單編號, 單號, 編號, 尾號, 末四碼, 帳號, 帳戶, 卡號, 金額, 餘額, 電話, 致電, 熱線, 客服, 航班, 預約編號, 會議號碼, 參考編號, 查詢編號, 流水號, 交易編號, 檔案編號
        號碼牌
        """)

    /// Words that make a number right behind one to call or to write to.
    static let phoneWords = Entry(
        .phone,
        """
        call, calling, calls, dial, dialing, phone, text, texting, reply, whatsapp, ring, contact us, contact us at
        contact, call us, sms block, helpline, hotline, toll free, fax
        anrufen, ruf, rufen, unter, hotline, sperr notruf, notruf, tel, appelez, appeler, tel, info au, llame*, llama*
        llamenos, ligue, ligar, chiama*, numero verde, bel, bellen
        zadzwon*, dzwon*, infolinia, volejte, zavolejte, volajte, hivja, hivjon, sunati, suna, apelati, ring*, soita
        puh, ara, arayin*, bilgi, musteri hizmetleri, звоните, позвоните, тел
        телефонуйте, дзвоніть, обадете, καλεστε, τηλ, חייגו, התקשר*, اتصل*, للاتصال, للبلاغ, تماس, कॉल, हेल्पलाइन, কল
        হটলাইন, โทร, hotline, goi, tong dai, lien he, hubungi, telp, talian, talian hotline
        お電話, 電話, 문의, 전화, 致电, 致電, 拨打, 撥打, 客服电话, 客服熱線, 回复, 回覆
        """)
}
