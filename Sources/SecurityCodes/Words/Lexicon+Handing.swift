// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Shows or tells something to a person.
    static let handWords = Entry(
        .hand,
        """
        show, showing, tell, telling, told, share, sharing, shared with, be shared, present, hand over, read out
        read it out, quote, say, mention, give the, give this
        give your, give him, give her, give them, give it
        zeigen, zeige, zeig, vorzeigen, vorlegen, nennen, nenne, mitteilen, sagen sie, sag, vorzulegen, weitergeben
        weiter geben
        presentez, presenter, montrez, montrer, communiquez, communiquer, dites, donnez, annoncez, partagez
        transmettez, remettez
        digale, diganle, digales, digaselo, muestrele, muestrelo, muestralo, comuniquele, comuniquelo, entreguele
        indiquele, presentelo, presentala, ensene, ensenale, muestra, muestre, mostrar, ensena, presenta, presente
        dile, diga, comparte, comparta, dar, dele, proporcione, comunique, indique al
        indique a, indicale, facilite, entregue, apresente, mostre, diga, compartilhe, fale, informe ao, informe o
        mencione
        mostra, mostrate, presenta, presentare, esibisci, comunica, comunicare, comunicalo, comunicala, dichiara
        condividi
        toon, laat zien, vertel, deel, geef, noem, pokaz, okaz, podaj kurier*, powiedz, przekaz, udostepnij, ukazte
        predlozte, sdelte, reknete, nahlaste
        povedzte, ukazte, nahlaste, predlozte, mutassa, mondja, mutasd, mondd, adja at, arata, aratati, spune, spuneti
        comunica, comunicati, prezenta
        prezentati, visa upp, visa, beratta, uppge, sag, vis, vis frem, fortell, fortael, oplys, nayta, nayttamalla
        kerro, ilmoita, esita
        goster*, soyle*, paylas*, iletin*, bildirin*, beyan ed*, назовите, назвать, скажите, покажите, предъявите
        сообщите, продиктуйте, передайте
        назвіть, скажіть, покажіть, пред'явіть, повідомте, кажете, покажете, съобщете, дайте, представете, δειξτε
        πειτε, επιδειξτε, αναφερετε, δωστε
        הצג, הציגו, הראה, הראו, מסור, מסרו, אמור, תגיד, תגידו, תן, תני, הקרא, לשליח, لشليح, اعط*, اخبر*, اعرض*, ابرز
        شارك*, قدم, بلغ
        نشان دهيد, بگوييد, اعلام كنيد, بدهيد, ارايه, ارائه, تحويل دهيد, बताएं, बताएँ, बताए, बताइए, बतायें, दिखाएं
        दिखाएँ, दिखाइए, बोलें, साझा, शेयर
        দেখান, বলুন, জানান, শেয়ার, แจ้ง, แสดง, บอก, โชว์, doc ma, cho xem, xuat trinh, dua ma, bao ma, chia se
        tunjukkan, tunjukan, beritahu*, berikan, sebutkan, perlihatkan, bagikan, sampaikan, kongsi, tunjuk, お伝え, お見せ
        提示, ご提示, 見せて, 伝えて, お知らせください
        알려, 보여, 제시, 말씀, 出示, 告知, 告诉, 報上, 报给, 展示, 提供给, 出示給, 告訴, 提供給, 报取
        """)

    /// Gives something, to a person or into a field.
    static let informWords = Entry(
        .inform,
        """
        give, provide, inform, geben, gib, gebt, ubergeben, fournissez, fournir, indique, informe, indica, fornisci
        overhandig, podaj, adja
        dati, comunice, ge, gi, giv, antakaa, anna, verin, veriniz, дайте, надайте, сообщить, δωσε, מסירה, قل, بده, दें
        দিন, ให้, dua, beri, kasih
        渡して, 提供, 交给, 交給, 报, cung cap
        """)

    /// Whoever a number is told to, and where it is shown.
    static let personWords = Entry(
        .person,
        """
        driver*, courier*, rider, delivery person, delivery agent, delivery partner, delivery boy, delivery man
        delivery executive, agent, counter
        reception*, cashier, clerk, store, shop assistant, shop, waiter, host, staff, barista, pharmacist, conductor
        postman, guard, technician, usher
        front desk, the desk, valet, attendant, associate, the bar, the door, the venue, the entrance, receptionist
        team member, nurse, kiosk, the office
        fahrer*, zusteller*, bote, boten, kurier*, kasse, schalter, theke, empfang, rezeption, personal, mitarbeiter
        filiale, laden, shop, tresen, apotheke
        livreur*, chauffeur*, conducteur*, coursier*, accueil, caisse, comptoir, guichet, magasin, vendeur, reception
        facteur, agent
        repartidor*, conductor*, mensajero*, mostrador, caja, tienda, recepcion, taquilla, chofer, entregador*
        motorista*, balcao, loja, caixa, recepcao, atendente
        corriere*, autista*, conducente, fattorino, banco, cassa, negozio, reception, portiere, bezorger*, chauffeur*
        balie, kassa, winkel, receptie
        kurier*, kierowc*, kasie, recepcji, sklepie, dostawc*, obsludze, kuryr*, ridic*, pobocc*, pokladn*, prodejn*
        recepci, obsluh*, kurier*, vodic*
        futar*, sofor*, penztar*, recepcio*, uzletben, pult*, curier*, sofer*, casier*, receptie, magazin*, livrator*
        budet, chaufforen, kassan, butiken, receptionen, foraren, sjaforen, butikken, kassen, resepsjonen, resepsjon
        budbringeren, chauffo*, buddet, disken
        kuljettaj*, kassalla, kassalle, myymala*, vastaanot*, kuriiri*, kurye*, surucu*, kasa*, kasiyer*, resepsiyon*
        magaza*, gorevli*, sofor*
        курьер*, водител*, касс*, сотрудник* пункта, сотруднику, ресепшн*, продавц*, оператору, администратору
        магазин*, кур'єр*, водіє*, водію, касир*, куриер*, шофьор*, каса*
        κουριερ*, οδηγο*, ταμει*, διανομε*, υποδοχη, υπαλληλο, καταστημα*, לשליח, שליח, השליח, לנהג, נהג, הנהג, לקופאי
        קופה, לקבלה, לדלפק, דלפק
        للمندوب, مندوب, المندوب, للسائق, سائق, السائق, الموظف, للموظف, الكاشير, للكاشير, الاستقبال, الفرع, المتجر, پيك
        پيك را, راننده, صندوق, مامور, مأمور
        ड्राइवर*, डिलीवरी बॉय, डिलीवरी पार्टनर, डिलीवरी एजेंट, काउंटर, दुकान, राइडर, कर्मचारी, एजेंट, ড্রাইভার*
        ডেলিভারি ম্যান*, রাইডার*, কাউন্টার*, দোকান*
        พนักงาน, คนขับ, ไรเดอร์, เคาน์เตอร์, ร้าน, หน้าร้าน, tai xe, shipper, nhan vien, quay, thu ngan, cua hang
        kurir*, driver*, kasir*, pengemudi, toko, petugas, pemandu
        penghantar*, kaunter, 配達員, ドライバー, 店頭, 受付, レジ, スタッフ, 窓口, 運転手, 店員, 配送員, 기사, 배송기사, 직원, 매장, 카운터, 데스크, 점원, 창구
        骑手, 司机, 店员, 前台, 柜台, 快递员, 外卖员, 收银, 取餐, 門市, 店員, 櫃檯, 櫃台, 司機, 外送員, 收銀, 送货员, 送貨員, 师傅, 師傅, 服务员, 服務員
        """)

    /// Says that something is not to be done.
    static let negationWords = Entry(
        .negation,
        """
        not, never, don't, dont, don, doesn't, won't, nobody, no one, noone, anyone, anybody, anyone else, others
        cannot, can't, avoid, beware, without
        nicht, niemals, nie, niemand*, keine, keinem, keinen, keinesfalls, ne, jamais, personne, aucun*, pas, meme
        nunca, jamas, nadie, ninguna persona
        no lo, no la, no comp*, no se, no rev*, no divul*, no facil*, no prop*, no di*, no proporc*, nao, ninguem
        jamais, non, mai, nessun*, niet, nooit, niemand, geen, nie, nigdy, nikomu, zadnym, ne, nikdy, nikomu, nikdo
        nesdel*
        nepos*, neposiel*, nezver*, neprezra*, nehovor*, soha, senki*, ne, sose, nu, niciodata, nimanui, inte, aldrig
        ingen, inga, ikke, aldri, ingen, noen
        ala, alkaa, koskaan, kenellekaan, muille, ei, kimse*, asla, paylasma*, istemez*, soylemey*, vermey*, degil*, не
        никому, никогда, нікому, ніколи, никога
        никого, никой, μην, μη, ποτε, κανεναν, δεν, כי, לא, אל, אין, לעולם, לאיש, אף, لا, لن, ابدا, احد, لاحد, اي شخص
        عدم, نكنيد, ندهيد, نبايد, هرگز, به كسي, نخواهد, قرار ندهيد
        न, ना, नहीं, मत, कभी, किसी, না, নয়, কাউকে, করবেন না, কখনও, ห้าม, อย่า, ไม่, ไม่มี, khong, tuyet doi, dung
        bat ky ai, bat cu ai
        jangan, tidak, siapa pun, siapapun, tak, usah, sesiapa, ないで, しない, ません, 禁止, 教えない, 勿, 不要, 切勿, 请勿, 不會, 不会, 別, 别, 莫
        請勿, 任何人, 他人
        마세요, 마십시오, 않, 말고, 금지, 절대, 타인, 유출, 안 됩니다, 하지
        """)
}
