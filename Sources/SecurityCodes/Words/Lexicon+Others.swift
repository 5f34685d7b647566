// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Codes that no sign-in asks for; each takes the word for a code with it.
    static let otherCodeWords = Entry(
        .other,
        """
        promo code, promocode, promotion code, promotional code, discount code, coupon code, voucher code, gift code
        gift card code, referral code
        refer code, invite code, invitation code, offer code, deal code, pickup code, pick up code, collection code
        delivery code, delivery pin
        delivery otp, delivery passcode, locker code, locker pin, parcel code, drop off code, return code, booking code
        booking pin, reservation code
        door code, gate code, entry code, building code, room code, alarm code, alarm pin, lockbox code, key box code
        keybox code, safe code
        wifi code, wi fi code, wifi password, wi fi password, network password, guest password, wifi passcode
        meeting code, meeting passcode, meeting password
        meeting pin, conference code, conference pin, participant code, host pin, webinar passcode, ride pin, ride otp
        ride code, trip pin, trip otp
        start otp, start code, start pin, boarding code, seat code, ticket code, entry pin, table code, quiz code
        game pin, game code, class code, course code, exam code, subject code, school code, lesson code, team code
        vehicle code, parking code, session code, party code, lobby code, room key code
        approval code, tracking code, track code, order code, shipping code, quote code, reference code, ref code
        customer code, client code, member code
        product code, item code, license code, licence code, product key, license key, licence key, redeem code
        redemption code, reward code, bonus code
        guest code, visitor code, visitor pin, event code, check in code, checkin code, handover code, hand over code
        release code, service pin, charger code
        abhol*, zustell*, gutschein*, rabatt*, aktionscode*, lieferpin, liefercode, turcode*, buchungscode*
        vorteilscode*, empfehlungscode*, packstation*
        ablage*, paketcode*, wlan*, schlusselbox*, einladungscode*, zutrittscode*, promo*, coupon*, voucher*, referral*
        discount*
        code de retrait, code retrait, code promo*, code de reduction, code reduction, code de livraison
        code de parrainage, code avantage, code cadeau
        code porte, code d entree, code d acces immeuble, code de la porte, code du portail, code barre*, code postal
        code wifi, cle wifi, code client
        codigo de descuento, codigo promocional, codigo de recogida, codigo de entrega, codigo postal
        codigo de seguimiento, codigo de reserva, codigo de barras
        codigo de retiro en tienda, codigo de referido, codigo de invitacion, codigo de pedido, codigo de cliente
        codigo de error, pin de entrega, clave wifi
        codigo de rastreio, codigo de rastreamento, codigo de desconto, codigo promocional, codigo de retirada
        codigo de levantamento, codigo de convite
        codigo de barras, codigo do pedido, codigo da reserva, cupom, cupao, codigo de entrega, senha do wifi
        senha wifi, codigo de indicacao
        codice sconto, codice promo*, codice di ritiro, codice ritiro, codice di consegna, codice fiscale
        codice prenotazione, codice di prenotazione
        codice cliente, codice postale, codice ordine, codice amico, codice invito, codice a barre, codice iban
        codice spedizione, codice di tracciamento
        afhaal*, ophaalcode*, kortings*, actiecode*, bezorgcode*, postcode*, boekingscode*, deurcode*, bestelcode*
        trackcode*, vriendencode*
        kod* rabatow*, kod* promocyj*, kod* odbioru, kod* pocztow*, kod* kreskow*, kod* polecaj*, kod* rezerwac*
        kod* nadania, kod* dla kuriera, kod* do furtki
        kod* do drzwi, kod* domofon*, kod* zamowienia, kod* znizkow*, kod* do bramy, kod* wejscia
        slevov* kod*, slevov*, kod* pro vyzvednuti, kod* k vyzvednuti, pin* k vyzvednuti, pin* pro vyzvednuti
        vyzvednut*, dveri*, carov*, poukaz*
        zlav*, kod* na vyzdvihnutie, vyzdvih*, kod* na zlavu, kupon*, atveteli*, kupon kod*, kapukod*, iranyitoszam
        vonalkod*, foglalasi kod*
        ridicare, cod* reducere, cod* de reducere, cod* promo*, cod* postal*, cod* de bare, cod* client*
        cod* de rezervare, reducer*
        rabatt*, hamtnings*, hamtkod*, portkod*, dorrkod*, postnummer, kampanjkod*, presentkort*, bokningskod*
        uthamtning*
        hentekod*, utleverings*, rabattkod*, kampanjekod*, dorkod*, bookingkod*, gavekort*, afhentning*, rabatkod*
        rabat*, dorkode*, udlevering*, tilbudskod*
        nouto*, alennus*, ovikoodi*, kuponki*, etukoodi*, tarjouskoodi*, lahjakort*, teslimat*, indirim*, kupon*
        posta kodu*, kapi kodu*, rezervasyon kodu*
        teslim alma, davet kodu*, referans kodu*, hediye*, промокод*, купон*, скидк*, код* получения, код* выдачи
        код* домофона, домофон*, код* заказа, код* товара
        код* бронирован*, штрих*, подарочн*, код* для получения, код* отримання, код* видачі, знижк*, код* бронюван*
        код* за получаване, код* за отстъпка, отстъпк*
        пощенски код, εκπτωτικ*, κωδικο* παραλαβησ*, κωδικο* εκπτωσησ, εκπτωσ*, κουπον*, κωδικο* κρατησησ
        κωδικο* προσφορασ, ταχυδρομικοσ κωδικασ
        קוד איסוף, קוד קופון, קוד הנחה, קופון, קוד דלת, קוד הדלת, קוד השער, קוד הזמנה, קוד משלוח, קוד לאיסוף
        קוד המשלוח, קוד הבניין
        رمز الاستلام, رمز استلام, رمز التسليم, كود الخصم, كود خصم, رمز الخصم, كوبون*, قسيمه, خصم, كود الحجز, رمز الحجز
        كود التوصيل, رمز التوصيل, كود الاستلام
        كد تخفيف, كد تحويل, كد رهگيري, تخفيف, كد پستي, كد معرف, كد سفارش, كد رزرو, كد دعوت, कूपन*, प्रोमो*, डिस्काउंट*
        छूट, डिलीवरी otp, डिलीवरी कोड, पिकअप*
        পিকআপ*, কুপন*, ছাড়*, প্রোমো*, ডেলিভারি কোড, รหัสส่วนลด, โค้ดส่วนลด, ส่วนลด, รหัสรับสินค้า, รหัสรับพัสดุ, คูปอง
        รหัสไปรษณีย์, รหัสรับของ, โปรโมชั่น
        ma giam gia, giam gia, ma khuyen mai, khuyen mai, ma don hang, ma van don, ma nhan hang, ma buu, uu dai
        ma voucher, ma dat cho, ma gioi thieu, wifi
        kode promo, kode voucher, diskon, kode pengambilan, kode pos, kode booking, kode unik, kode referral, kode resi
        diskaun, kod diskaun, baucar*, kod promo*
        クーポン, 割引, 受取コード, 受け取りコード, 受取番号, お受け取り番号, 予約コード, 招待コード, プロモーションコード, 紹介コード, 郵便番号, オフ, 引換, キャンペーンコード, 配達コード, ロッカー
        할인, 쿠폰, 수령코드, 수령 코드, 픽업코드, 픽업 번호, 예약코드, 초대코드, 추천인 코드, 추천코드, 우편번호, 출입코드, 공동현관, 와이파이, 배송 코드, 현관 비밀번호
        优惠码, 优惠券, 取件码, 取餐码, 取货码, 提货码, 取票码, 兑换码, 邀请码, 折扣码, 门禁, 满减, 自提码, 入会密码, 会议密码, 门锁密码, 房间密码, 开锁码, 收货码, 核销码, 取餐号, 满200
        優惠碼, 優惠券, 取件碼, 取貨碼, 取貨編號, 取餐碼, 折扣碼, 兌換碼, 邀請碼, 門禁, 會議室代碼, 會議密碼, 推薦碼, 提貨碼, 領取碼, 折扣, 領貨碼
        """)

    /// Words around such codes, which make a code without a stated purpose one of them.
    static let sceneWords = Entry(
        .scene,
        """
        meeting id, pickup, pick up, delivery, deliver, delivered, parcel, package, packages, locker, lockers, coupon*
        voucher*, sale, off, checkout, gift card, redeem, refer
        earn, meeting, webinar, conference, dial in, dial, wifi, wi fi, ssid, guestnet, hotspot, room, front door, door
        gate, lockbox, key box, keybox, check in
        stay, hotel, flight, reservation, booking, booked, trip, ride, boarding, ticket, tickets, quiz, redeem
        tracking, shipment, courier, reception, badge
        visitor, elevator, garage, parking, intercom, zoom meeting, gift, reward*, invite*, invitation, friend, friends
        collect your, rental
        paket*, sendung*, lieferung*, rabatt*, zimmer, hotel*, wohnung, besprechung, colis, livraison*, hotel, chambre
        porte, portail, reunion
        paquete*, envio*, entrega*, pedido*, habitacion, puerta, reunion, encomenda*, quarto, porta, reuniao, pacco
        consegna, camera, portone, riunione
        pakket*, bezorg*, kamer, deur, vergadering, paczk*, przesylk*, paczkomat*, zasilk*, balik*, dorucen*, csomag*
        szallit*, colet*, livrar*
        paketet*, paket, leverans*, motet, pakke*, levering*, mote*, mode, lahetys*, paketti*, pakettisi, toimitus*
        kargo*, siparis*, toplanti*
        посылк*, доставк*, заказ*, встреч*, подъезд*, квартир*, посилк*, замовлен*, доставк*, пратк*, поръчк*, δεμα*
        παραγγελια*, παραδοσ*, συναντησ*
        חבילה*, החבילה, משלוח*, פגישה, الشحنه, شحنه*, شحنتك, طرد, طلبك, توصيل, اجتماع, مرسوله, سفارش, بسته, ऑर्डर*
        डिलीवरी*, पार्सल*, राइड*, मीटिंग*
        অর্ডার*, ডেলিভারি*, পার্সেল*, พัสดุ, ส่งของ, สั่งซื้อ, ประชุม, don hang, nhan hang, giao hang, buu kien
        hop truc tuyen, phong hop, paket, pesanan, kurir, rapat, bungkusan, mesyuarat
        collection, collect, keypad, garage door, staircase, shed, padlock, barrier, turnstile, apartment, front gate
        mailbox, letterbox, school, exam, lesson
        wlan, vouchers, giveaway, raffle, queue, waiting list, lounge, gym, car wash, laundry, toilet, restroom
        tur, haustur, hoftor, garage, ferienwohnung, treppenhaus, schliessfach, gaste wlan, netzwerk, gutschein, tisch
        konferenz, warteschlange
        immeuble, digicode, portillon, garage, escalier, etage, boite a cles, interphone, casier, table, conference
        cadeau, file d attente
        puerta, porton, garaje, taquilla, casillero, escalera, piso, edificio, conferencia, sorteo, turno, portao
        painel, garagem, predio, armario, elevador
        portaria, apartamento, condominio, cadeado, cofre, reuniao, cancello, portone, garage, scala, citofono
        ascensore, armadietto, conferenza, appartamento, biglietto
        poort, garage, kluisje, trappenhuis, sleutelkluis, brama, bramy, bramie, furtka, furtki, drzwi, klatka, klatki
        garaz*, domofon*, szafka, skrytka, skrytki
        spotkani*, pokoj, pokoju, vrata, vrat, brana, brany, branky, dvere, dveri, garaz*, schranka, schranky, vytah
        zvonek, pokoj*, schodz*, kapu, kapuhoz, ajto*, garazs, lepcsohaz, lift
        poarta, portii, usa, usii, interfon*, scara, garaj, port, porten, portens, dorr, dorren, garage*, grind*, skap
        skapet, hiss, mote, dor, doren, garasje*, heis, skap, dor, doren, port
        ovi, oven, ovelle, portti, portin, autotalli, rappu*, kaappi, lokero*, kokous, apartman*, kapi, kapisi, garaj*
        dolap, asansor, bahce, daire, kasa sifresi
        ворот, ворота, двер*, подъезд*, гараж*, калитк*, домофон*, шлагбаум*, лифт*, вайфа*, вай фай, шкафчик*, ячейк*
        постамат*, номер комнаты, конференц*, талон*, сейф*
        під'їзд*, ворота, воріт, двер*, гараж*, хвіртк*, комірк*, поштомат*, врат*, вход б, асансьор*, гараж*, шкафче
        хотел*
        πορτα*, εισοδοσ, γκαραζ, πολυκατοικια*, ασανσερ, κλειδοθηκη, ντουλαπ*, δωματι*, דלת, הדלת, שער, השער, חניה
        חניון, בניין, הבניין, לוקר, אינטרקום, מעלית, חדר
        باب, الباب, البوابه, بوابه, العماره, المصعد, واي فاي, الواي فاي, الخزانه, غرفه, الغرفه, ورشه, در, درب, پاركينگ
        واي فاي, واي‌فاي, وايفاي, اتاق, جلسه, آسانسور, صندوق امانات
        दरवाज़ा*, दरवाजा*, दरवाज़े*, दरवाजे*, गेट*, वाईफाई*, वाई फाई*, लॉकर*, कमरा*, कमरे*, দরজা*, গেট*, ওয়াইফাই*
        লকার*, রুম*, ประตู, ไวไฟ, ลิฟต์, ล็อกเกอร์, ห้อง, รั้ว, โรงรถ
        ma cong, ma cua ra vao, nha xe, thang may, tu khoa, pintu, gerbang, garasi, loker, kamar, lif, bilik, pagar, 玄関
        門, ドア, ガレージ, エレベーター, オートロック, 鍵, キーボックス, ワイファイ, 宅配ボックス
        현관, 대문, 출입문, 엘리베이터, 차고, 사물함, 와이파이, 비번, 무인택배함, 택배함, 대문비번, 大門, 大门, 門鎖, 门锁, 车库, 車庫, 电梯, 電梯, 储物柜, 寄物櫃, 无线网络, 無線網路
        楼道, 單元門, 单元门, 房门, 房門
        ritir*, recogida, recoger, recoje, retirada, retirar, retiro en, retrait, retirer, levantamento, levantar
        odbior*, odebra*, odebier*, vyzdvih*, atvetel*, atvev*
        ridica*, upphamt*, hamta, hamtas, hentes, hente, afhent*, nouto*, noutaa, teslim*, получени*, выдач*
        получите заказ, отриман*, получаване, παραλαβ*, איסוף, לאסוף
        استلام, تحويل بگيريد, पिकअप*, รับสินค้า, lay hang, pengambilan, ambil, mengambil, お受け取り, 受け取り, 受取, 수령, 픽업, 取件
        取货, 取餐, 取貨, 自提, 领取, 領取
        お荷物, 荷物, 配達, 宅配, 予約, 会議, ミーティング, 部屋, 택배, 배송, 예약, 회의, 객실, 包裹, 快递, 快遞, 外卖, 外賣, 会议, 會議, 房间, 房間, 订座, 預約
        """)

    /// Phrases with a word for a code in them that mean something else altogether.
    static let falseWords = Entry(
        .filler,
        """
        zip code, zipcode, post code, postcode, postal code, sort code, sortcode, swift code, bic code, ifsc code
        area code, country code, dialing code
        dialling code, error code, exit code, status code, source code, code review, code of conduct, dress code
        qr code, qr codes, barcode, bar code, bar codes
        morse code, color code, colour code, hs code, tax code, code base, codebase, machine code, code name, codename
        vin code, decode*, encode*, unicode, opcode*
        penal code, civil code, cheat code, code freeze, code red, country codes, department code, branch code
        pass the code review, code generation
        bankleitzahl, strichcode*, qr code*, fehlercode*, quellcode*, vorwahl, code erreur, code source, codigo fuente
        codigo qr, codigo iban, codigo civil
        codice sorgente, codice qr, codice errore, foutcode*, streepjescode*, broncode*, kod bledu, kod qr, chybovy kod
        qr kod*, hibakod*, cod qr, felkod*
        feilkod*, fejlkod*, virhekoodi*, qr koodi*, hata kodu*, kaynak kodu*, код ошибки, код помилки, код за грешка
        κωδικασ, κωδικοσ σφαλματοσ, קוד שגיאה
        رمز الخطا, رمز بريدي, الرمز البريدي, كد خطا, त्रुटि कोड, mã lỗi, kode error, エラーコード, qrコード, バーコード, ソースコード
        오류 코드, 오류코드, qr코드, 错误代码, 錯誤代碼
        代码审查, 二维码, 條碼, 机构代码, 统一社会信用代码, pinterest*, pink*, pine*, ping*, tokenize*, tokens
        """)
}
