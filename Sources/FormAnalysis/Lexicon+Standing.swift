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
        // The password of whoever is signed in, asked for once more.
        Entry(
            [.password, .confirmation],
            "password for authorization, password for authorisation, password to confirm, password to continue, password to proceed, password to delete, password to sign, password to approve, password to authorize, password to authorise"
        ),
        Entry(
            .confirmation,
            "to confirm, to authorize, to authorise, authorize this, authorise this, sign with your, for your security, for security reasons, confirm that it s you, confirm it s you, confirm your identity, verify your identity, verify it s you"
        ),
        Entry(
            .confirmation,
            "delete account, delete my account, delete your account, close account, close my account, confirm deletion, permanently delete, sudo mode, confirm access, approve payment, confirm payment, authorize payment, sign document"
        ),
        Entry(
            .confirmation,
            "zur bestatigung, konto loschen, para confirmar, eliminar cuenta, pour confirmer, supprimer le compte, per confermare, ter bevestiging, aby potwierdzic, для подтверждения"
        ),
    ]
}
