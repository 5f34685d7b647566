// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words for people who have an account already, many of which begin like those for making one.
    static let standingWords: [Entry] = [
        Entry(
            .signIn,
            "returning customer*, returning user*, returning member*, returning visitor*, existing customer*, existing user*, existing member*"
        ),
        Entry(
            .signIn,
            "registered customer*, registered user*, registered member*, welcome back, members area, members only"),
        Entry(
            .signIn,
            "bestandskund*, registrierte kund*, registrierte benutzer*, registrierte nutzer*, willkommen zuruck"),
        Entry(
            .signIn,
            "client existant, clients enregistres, utilisateurs enregistres, utilisateur enregistre, bon retour"),
        Entry(
            .signIn,
            "clientes registrados, cliente registrado, usuarios registrados, usuario registrado, bienvenido de nuevo"),
        Entry(.signIn, "clienti registrati, utenti registrati, utente registrato, bentornat*, area riservata"),
        Entry(
            .signIn, "clientes cadastrados, usuarios cadastrados, ja sou cadastrado, ja sou cliente, bem vindo de volta"
        ),
        Entry(.signIn, "geregistreerde klant*, geregistreerde gebruiker*, bestaande klant*, welkom terug"),
        Entry(.signIn, "zarejestrowani uzytkownicy, zarejestrowany uzytkownik, witaj ponownie, strefa klienta"),
        Entry(.signIn, "зарегистрированные пользователи, зарегистрированныи пользователь, с возвращением"),
        Entry(.signIn, "befintlig kund, eksisterende kunde, registrert kunde, kayitli kullanici*, tekrar hos geldin*"),
        Entry(
            .hasNoAccount,
            "no t has registrat, encara no, no estas registrado, no esta registrado, aun no estas registrado"),
        Entry(
            .hasNoAccount,
            "nao e cadastrado, ainda nao e, nao possui conta, ainda nao possui, nicht registriert, kein konto"),
        Entry(
            .hasNoAccount,
            "pas inscrit, vous n avez pas de compte, non sei ancora, niet geregistreerd, nog niet geregistreerd"),
        Entry(
            .hasNoAccount,
            "не зарегистрированы, еще не зарегистрирован*, не зареєстровані, ще не зареєстрован*, kayitli degil*"),
        Entry(
            .hasNoAccount,
            "belum terdaftar, chua dang ky, ej registrerad, ikke registreret, ikke registrert, nemam ucet"),
        // What is registered belongs to an account that there is.
        Entry(.account, "registered, registry, registries, registrado, registrada, cadastrado, enregistre"),
    ]
}
