// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for numbers that people are known by, many of which begin like those for signing up.
    static let numberWords: [Entry] = [
        Entry(
            .identity,
            "registration number, registration no, registration id, reg no, reg number, regno, regd no, enrollment number"
        ),
        Entry(
            .identity,
            "enrollment no, enrolment number, enrolment no, roll number, roll no, rollno, hall ticket number, seat number"
        ),
        Entry(
            .identity,
            "application number, application no, application id, applicant id, candidate id, candidate number, idtoken"
        ),
        Entry(
            .identity,
            "subscriber id, subscriber number, subscriber no, policy number, patient id, license number, staff id"
        ),
        Entry(
            .identity,
            "staff number, staff no, payroll number, personnel number, library card, library card number, patron id"
        ),
        Entry(
            .identity, "national id, national id number, id card number, identity number, id number, passport number"),
        Entry(.identity, "login number, user number, user code, usercode, taxpayer id, tax number, contract number"),
        Entry(
            .identity,
            "numero de registro, numero de inscripcion, numero de expediente, numero de matricula, matricula, legajo"
        ),
        Entry(
            .identity, "numero de inscricao, numero de contrato, numero do contrato, codigo do cliente, codigo cliente"),
        Entry(.identity, "numero d inscription, numero etudiant, numero de contrat, numero fiscal, code client"),
        Entry(.identity, "registrierungsnummer, matrikelnummer, personalnummer, versichertennummer, vertragskonto"),
        Entry(.identity, "numero di iscrizione, numero di matricola, matricola, codice socio, numero contratto"),
        Entry(.identity, "klantennummer, lidnummer, studentnummer, personeelsnummer, relatienummer, contractnummer"),
        Entry(.identity, "numer albumu, numer indeksu, numer umowy, numer ewidencyjny, studentnr, kundnummer, kundenr"),
        Entry(.identity, "kundenummer, lanekortnummer, lånernummer, asiakasnumero, opiskelijanumero, jasennumero"),
        Entry(.identity, "табельныи номер, лицевои счет, номер договора, номер карты лояльности, снилс, инн"),
        Entry(.identity, "sicil no, ogrenci no, ogrenci numarasi, abone no, uye no, kimlik no, kimlik numarasi"),
        Entry(.identity, "*社員番号*, *学籍番号*, *利用者番号*, *契約番号*, *사원번호*, *회원번호*, *고객번호*, *工號*, *學號*, *编号*"),
        Entry(.identity, "nomor induk, nomor registrasi, nomor anggota, no registrasi, so bao danh, ma nhan vien"),
        Entry(
            .newsletter,
            "waitlist, waiting list, wait list, early access, be the first to, coming soon, launching soon, notify me, notify us, notified, keep me informed"
        ),
        Entry(
            .newsletter, "lista de espera, liste d attente, warteliste, wachtlijst, lista d attesa, lista oczekujacych"),
        Entry(.newsletter, "лист ожидания, bekleme listesi, ventelista, venteliste, odotuslista, avisame, avise me"),
        Entry(
            .newsletter,
            "benachrichtigen, benachrichtigt, avvisami, prevenez moi, email alert*, price alert*, job alert*"),
        Entry(.newsletter, "create alert, alertes, alertas, jobalarm, preisalarm"),
        Entry(
            .someoneElse,
            "friend*, recipient*, beneficiary, invitee*, send to, share with, colleague*, teammate*, empfanger*, destinatario*"
        ),
        Entry(
            .someoneElse,
            "destinataire*, ontvanger*, odbiorc*, получател*, alici adi, alici eposta, *收件人*, *受取人*, *받는사람*"),
        Entry(
            .contact,
            "event registration, for the event, for this event, our event, seminar*, workshop*, meetup, giveaway*, sweepstake*"
        ),
        Entry(
            .contact,
            "enter to win, hackathon, gewinnspiel*, verlosung*, sorteo*, sorteio*, jeu concours, concorso a premi"),
        Entry(
            .contact, "loteri*, konkurs*, мероприят*, семинар*, вебинар*, розыгрыш*, cekilis, etkinlik*, *抽奖*, *セミナー*"),
        // Kept by programs, not by people.
        Entry(
            .programSecret,
            "secret key, api secret, client secret, app secret, shared secret, access token, api token, auth token"
        ),
        Entry(
            .programSecret,
            "bearer token, private key, encryption key, signing key, access key, secret access key, deploy key"),
        Entry(.other, "meeting id, meeting number, room number, room code, session id, game pin, game code, join code"),
    ]
}
