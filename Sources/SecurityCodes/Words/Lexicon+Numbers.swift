// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// What a number right before counts or measures.
    static let unitWords = Entry(
        .unit,
        """
        minute*, min, mins, sec, secs, second, seconds, hour*, hr, hrs, h, day*, week*, month*, year*, am, pm, a m, p m
        kg, g, km, m, cm, mm, mb, gb, tb, kb, kwh, kcal, steps
        points, pts, pt, people, persons, guests, miles, mi, items, coins, tokens left, homes, fans, copies, x, times
        st, nd, rd, th, s, players, users, views, likes, calories
        rooms, nights, seats, tickets, comments, digits, digit, pages, votes, employees, units, credits, stars, percent
        ft, lbs, oz, sq, square, followers, customers
        minuten, minute, sekunden, stunden, std, uhr, tage, tagen, wochen, monate, jahre, punkte*, personen, leute
        stuck, prozent, stellig*, minutes, secondes, heures, jours, points
        minutos, min, segundos, horas, dias, puntos, personas, pontos, pessoas, minuti, secondi, ore, giorni, punti
        persone, minuten, seconden, uur, dagen, punten
        minut*, sekund*, godz*, dni, punkt*, osob*, hodin*, dnu, bodu, bodov, perc*, masodperc*, ora, orat, nap*, pont*
        fo, minute, secunde, ore, zile, puncte, persoane
        minuter, sekunder, timmar, dagar, poang, kl, timer, dager, dage, poeng, point, minuutti*, minuutin, tunti*
        paiva*, pistetta, dakika*, dk, saniye*, sn, saat*, gun, puan, kisi
        минут*, мин, секунд*, сек, час*, дней, дня, балл*, человек, хвилин*, годин*, днів, осіб, минути, λεπτα, λεπτων
        δευτερολεπτα, ωρεσ, μερεσ, ημερεσ, דקות, שניות, שעות, ימים, נקודות, אנשים
        دقيقه, دقائق, ثانيه, ثواني, ساعه, ساعات, يوم, ايام, نقطه, نقاط, ساعت, روز, امتياز, نفر, मिनट, सेकंड, घंटे, दिन
        अंक, लोग, মিনিট, সেকেন্ড, ঘণ্টা, দিন, জন, পয়েন্ট
        นาที, วินาที, ชั่วโมง, วัน, คะแนน, คน, phut, giay, gio, ngay, diem, nguoi, menit, detik, jam, hari, poin, orang
        minit, saat, 分, 秒, 時間, 日, 年, 月, 名様, 人, 件, ポイント, 時, pt, 個, 枚, 円分
        분, 초, 시간, 시, 일, 년, 월, 명, 팀, 점, 개, 포인트, 分钟, 分鐘, 秒, 小时, 小時, 天, 号楼, 积分, 積分, 折, 位数字, 位數字, 位, 张, 人民, 点, 點
        """)

    /// Money, before or behind a number.
    static let currencyWords = Entry(
        .currency,
        """
        usd, eur, gbp, inr, rs, rs., aed, sar, qar, kwd, egp, jpy, cny, rmb, hkd, twd, nt, ntd, sgd, aud, cad, nzd, chf
        sek, nok, dkk, pln, zl, zlotych, czk, kc, huf, ft, ron, lei, leu
        bgn, лв, лева, try, tl, lira, rub, rur, руб*, р, р., ₽, uah, грн, гривень, ils, nis, irr, ریال, ريال, تومان
        درهم, دينار, جنيه, دولار, bdt, tk, টাকা, thb, baht, บาท, vnd, vnđ, dong, đ, idr, rp
        myr, rm, php, krw, won, 원, 円, 元, 人民币, 港元, euro, euros, dollar*, pound*, cent, cents, pence, rupee*, rupees
        rub., kr, kr., krone*, kronor, reais, peso*, pesos, forint*, رس, ر.س, रुपये, रु
        nzd, mxn, ars, cop, clp, brl, zar, ngn, kes, ghs, xof, pkr, lkr, евро, ευρω, שח, ש"ח, שקלים, ش.ج, 万元, 塊, 块, btc
        eth, usdt
        """)

    /// Months, behind or before a day or a year.
    static let monthWords = Entry(
        .month,
        """
        january, jan, february, feb, march, mar, april, apr, may, june, jun, july, jul, august, aug, september, sep
        sept, october, oct, november, nov, december, dec, januar, februar, marz, mai, juni
        juli, oktober, dezember, janvier, fevrier, mars, avril, juin, juillet, aout, septembre, octobre, novembre
        decembre, enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre
        diciembre, janeiro, fevereiro, marco, maio, junho, julho, setembro, outubro, novembro, dezembro, gennaio
        febbraio, aprile, maggio, giugno, luglio, settembre, ottobre, dicembre, januari, februari, maart, mei
        stycznia, lutego, marca, kwietnia, maja, czerwca, lipca, sierpnia, wrzesnia, pazdziernika, listopada, grudnia
        ledna, unora, brezna, dubna, kvetna, cervna, cervence, srpna, zari, rijna, listopadu, prosince
        januar, majus, junius, julius, augusztus, ianuarie, februarie, aprilie, iunie, iulie, octombrie, ocak, subat
        mart, nisan, mayis, haziran, temmuz, agustos, eylul, ekim, kasim, aralik, maj, desember
        января, февраля, марта, апреля, мая, июня, июля, августа, сентября, октября, ноября, декабря, січня, лютого
        березня, квітня, травня, червня, липня, серпня, вересня, жовтня, листопада, грудня
        يناير, فبراير, مارس, ابريل, مايو, يونيو, يوليو, اغسطس, سبتمبر, اكتوبر, نوفمبر, ديسمبر, फरवरी, मार्च, अप्रैल, मई
        जून, जुलाई, tháng, thang
        """)

    /// Streets, behind the number of a house.
    static let streetWords = Entry(
        .street,
        """
        street, st, ave, avenue, road, rd, blvd, boulevard, lane, ln, dr, ct, highway, hwy, parkway, crescent, terrace
        mews
        """)
}
