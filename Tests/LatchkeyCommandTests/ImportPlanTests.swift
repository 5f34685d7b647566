// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Testing

@testable import TerminalRendering
@testable import latchkey

@Suite struct ImportPlanTests {
    static let chrome = """
        name,url,username,password,note\r
        shiny,https://Shiny.Example.com/login?x=1,rmondello,"correct, ""horse"" ",\r
        app,android://c2lnbmF0dXJl@com.example.app/,me,pw,\r
        none,https://a.example,me,,\r
        http,http://old.example:8080/,me, spaced ,"a note\r
        of two lines"\r
        shiny,https://shiny.example.com/other,rmondello,"correct, ""horse"" ",\r
        port,https://b.example:443/,me,pw,\r

        """
    static let firefox = """
        "url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"
        "https://shiny.example.com","rmondello","s3cret","","https://shiny.example.com","{1}","1","2","3"
        "https://router.example","admin","pw","Router","","{2}","1","2","3"
        "chrome://FirefoxAccounts","me","{}","","","{3}","1","2","3"
        """
    static let safari = """
        Title,URL,Username,Password,Notes,OTPAuth
        shiny,https://shiny.example.com/,rmondello,s3cret,a note,otpauth://totp/x?secret=AAAA
        empty,,me,pw,,
        """
    static let bitwarden = """
        folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
        ,1,login,Shiny,,pin: 1234,0,"https://shiny.example.com,http://old.example:8080/x,androidapp://com.x",rmondello,s3cret,AAAA
        ,,note,Wifi,the password is in here,,0,,,,
        ,,login,Bare,,,0,bare.example/login,me,pw,
        ,,card,Visa,,,0,,,,
        """

    private func plan(_ text: String, _ format: ImportFormat? = nil) throws -> ImportPlan {
        try ImportPlan(SecretBytes(utf8: text), format: format)
    }

    /// What is not kept of a candidate, by the names of the columns.
    private static func names(_ plan: ImportPlan, _ index: Int) -> Set<String> {
        Set(plan.candidates[index].unkept.map { plan.columns.columns[$0].name })
    }

    /// A file of each format, the expected first item, and the title and notes of the second row, which is not a login.
    static let files:
        [(ImportFormat, String, key: String?, unkept: Set<String>, notes: String, other: (String, String)?)] = [
            (
                .lastpass,
                """
                url,username,password,totp,extra,name,grouping,fav
                https://shiny.example.com/login,rmondello,s3cret,AAAA AAAA,a note,shiny.example.com,Work,0
                http://sn,,,,the note of a note,Wifi,,0
                """, "otpauth://totp/?secret=AAAAAAAA", [], "a note", ("Wifi", "the note of a note")
            ),
            (
                .keepassxc,
                """
                "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
                "Root/Work","Shiny","rmondello","s3cret","https://shiny.example.com","a note","otpauth://totp/Shiny:r?secret=AAAA&period=60","0","2026-01-01T00:00:00Z","2026-01-01T00:00:00Z"
                """, "otpauth://totp/Shiny:r?secret=AAAA&issuer=Shiny&period=60",
                ["Last Modified", "Created"], "a note", nil
            ),
            (
                .keepass,
                """
                "Account","Login Name","Password","Web Site","Comments"
                "Shiny","rmondello","s3cret","https://shiny.example.com","a note"
                """, nil, [], "a note", nil
            ),
            (
                .proton,
                """
                type,name,url,email,username,password,note,totp,createTime,modifyTime,vault
                login,Shiny,"https://shiny.example.com/, https://shiny.example.com/new",r@example.com,rmondello,s3cret,a note,otpauth://totp/Shiny?secret=AAAA,1,2,Personal
                note,Wifi,,,,,the note of a note,,1,2,Personal
                """, "otpauth://totp/Shiny?secret=AAAA", ["createTime", "modifyTime"],
                "a note\nemail: r@example.com", ("Wifi", "the note of a note")
            ),
            (
                .onepassword,
                """
                Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes
                The shop,https://shiny.example.com,rmondello,s3cret,not a key!,false,false,work,a note
                """, nil, [], "a note\nOTPAuth: not a key!", nil
            ),
            (
                .dashlane,
                """
                username,username2,username3,title,password,note,url,category,otpUrl
                rmondello,second,,shiny,s3cret,a note,shiny.example.com,,otpauth://totp/a?secret=AAAA
                """, "otpauth://totp/a?secret=AAAA", [], "a note\nusername2: second", nil
            ),
            (
                .nordpass,
                """
                name,url,additional_urls,username,password,note,cardholdername,cardnumber,cvc,pin,expirydate,folder,type
                shiny,https://shiny.example.com,https://other.example,rmondello,s3cret,a note,,,,,,Work,password
                Visa,,,,,,R M,4111,123,,,,credit_card
                """, nil, [], "a note", ("Visa", "cardholdername: R M\ncardnumber: 4111\ncvc: 123\ntype: credit_card")
            ),
            (
                .roboform,
                """
                Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2
                Shiny,https://shiny.example.com,https://shiny.example.com,rmondello,s3cret,a note,/,x
                """, nil, ["MatchUrl"], "a note\nRfFieldsV2: x", nil
            ),
        ]

    @Test(arguments: files.indices) func readsTheFilesOfPasswordManagers(index: Int) throws {
        let (format, text, key, unkept, notes, other) = Self.files[index]
        let plan = try plan(text)
        #expect(plan.format == format && plan.columns.isCertain)
        let item = try #require(plan.candidates.first?.item)
        #expect(item.services.first == "shiny.example.com" && item.user == "rmondello")
        #expect(item.password.bytes.testText == "s3cret" && item.notes?.bytes.testText == notes)
        #expect(item.authenticator?.bytes.testText == key)
        #expect(Self.names(plan, 0) == unkept)
        #expect(plan.skipped.isEmpty && plan.candidates.count == (other == nil ? 1 : 2))
        let rest = plan.candidates.dropFirst().first?.item
        #expect(rest?.title == other?.0 && rest?.notes?.bytes.testText == other?.1)
        #expect(rest?.services.isEmpty != false && rest?.password.bytes.count ?? 0 == 0)
    }

    @Test func severalAddressesInAColumnOfTheirOwnAreKept() throws {
        let header = "name,url,additional_urls,username,password,note,cardholdername,cardnumber,type\n"
        let plan = try plan(
            header
                + "a,https://a.example,\"[\"\"https://b.example/x\"\",\"\"https://c.example\"\"]\",me,pw,,,,password\n")
        #expect(plan.candidates.first?.item.services == ["a.example", "b.example", "c.example"])
        #expect(plan.candidates.first?.item.notes == nil)
    }

    @Test(arguments: [("", "second", "", "second", nil), ("first", "first", "third", "first", "username3: third")])
    func aSecondNameIsTheUserWhereTheFirstIsEmpty(
        first: String, second: String, third: String, user: String, notes: String?
    ) throws {
        let plan = try plan(
            "username,username2,username3,title,password,note,url,category,otpUrl\n"
                + "\(first),\(second),\(third),a,pw,,https://a.example,,\n")
        #expect(plan.candidates.first?.item.user == user)
        #expect(plan.candidates.first?.item.notes?.bytes.testText == notes)
    }

    /// KeePass, and 1Password 7, write a quotation mark behind a backslash. KeePass writes each backslash twice.
    @Test(arguments: [
        (
            #""Account","Login Name","Password","Web Site","Comments""#,
            #""a","me","p\"w\\","https://a.example","x, \"y\"""#, #"p"w\"#, #"x, "y""#
        ),
        (
            #""Account","Login Name","Password","Web Site","Comments""#,
            #""a","me","p\\w","https://a.example","c:\\x""#, #"p\w"#, #"c:\x"#
        ),
        ("title,url,username,password,notes", #""a","https://a.example","me","p\"w\,z","x""#, #"p"w\,z"#, "x"),
        ("title,url,username,password,notes", #""a","https://a.example","me","p\\w","x \"y\"""#, #"p\w"#, #"x "y""#),
        // A backslash is one where quotation marks are doubled.
        ("title,url,username,password,notes", #""a","https://a.example","me","p\","x ""y""\\""#, #"p\"#, #"x "y"\\"#),
    ]) func readsQuotationMarksBehindBackslashes(header: String, row: String, password: String, notes: String) throws {
        let plan = try plan("\(header)\n\(row)\n")
        #expect(plan.candidates.map(\.item.password.bytes.testText) == [password])
        #expect(plan.candidates.first?.item.notes?.bytes.testText == notes && plan.skipped.isEmpty)
    }

    @Test func keepassHeaderWithDoubledMarksIsRead() throws {
        let plan = try plan(
            #""Account","Login Name","Password","Web Site","Comments""# + "\n"
                + #""a","me","pw\","https://a.example","x ""y""""# + "\n")
        #expect(plan.candidates.map(\.item.password.bytes.testText) == [#"pw\"#])
        #expect(plan.candidates.first?.item.notes?.bytes.testText == #"x "y""#)
    }

    @Test(arguments: [("'@x", "@x"), ("''x", "'x"), ("'x", "'x"), ("@x", "@x")])
    func whatRoboFormPutsBeforeAFieldIsLeftOut(field: String, password: String) throws {
        let plan = try plan(
            "Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2\na,https://a.example,,me,\(field),,work/logins,\n"
                + "b,https://b.example,,me,pw,,/Web,\nc,https://c.example,,me,p,w,my note,/,\n")
        #expect(plan.candidates.map(\.item.password.bytes.testText) == [password, "pw"])
        #expect(plan.candidates.map(\.item.tags) == [["work/logins"], ["Web"]])
        // A comma that was not quoted.
        #expect(plan.skipped == [.init(line: 4, reason: "9 columns where the first line has 8")])
    }

    @Test func fieldsBeyondTheNamesOfRoboFormAreKept() throws {
        let plan = try plan(
            "Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2\n"
                + "a,https://a.example,,me,pw,,/,\"u,,a,1,me\",\"p,,b,1,pw\"\n")
        #expect(plan.candidates.first?.item.password.bytes.testText == "pw" && plan.skipped.isEmpty)
        #expect(plan.candidates.first?.item.notes?.bytes.testText == "RfFieldsV2: u,,a,1,me\nRfFieldsV2: p,,b,1,pw")
    }

    @Test(arguments: [("me,", "me", nil), (",me", "me", nil), ("me,you", "me", "Username: you"), ("me,me", "me", nil)])
    func aColumnThatStandsTwiceInOtherLettersIsRead(fields: String, user: String, notes: String?) throws {
        let plan = try plan("name,url,username,Username,password\na,https://a.example,\(fields),pw\n")
        #expect(plan.columns.isCertain && plan.candidates.first?.item.user == user)
        #expect(plan.candidates.first?.item.notes?.bytes.testText == notes)
    }

    @Test(arguments: [("\n", 4), ("\r\n\r\n", 5), ("\u{FEFF}\n", 4)])
    func emptyLinesBeforeTheFirstAreNone(start: String, line: Int) throws {
        let plan = try plan(start + "name;url;username;password\na;https://a.example;me;half\nb;c;d\n")
        #expect(plan.candidates.first?.item.password.bytes.testText == "half")
        #expect(plan.skipped.map(\.line) == [line])
    }

    /// A row that is not a login for a site becomes an item without a site, and keeps all of its text.
    @Test(
        arguments: [
            ("Door,,,1234,", "Door", "", "1234", nil),
            ("Door,not an address,me,1234,n", "Door", "me", "1234", "url: not an address\nn"),
            ("App,android://x@com.a/,me,pw,", "App", "me", "pw", "url: android://x@com.a/"),
            (",https://a.example,me,,", "me", "me", "", "url: https://a.example"),
            (
                ",ssh://root:canary@box:22/x?token=canary,,pw,", "box:22", "", "pw",
                "url: ssh://root:canary@box:22/x?token=canary"
            ),
            (",,,,only notes", "Line 2", "", "", "only notes"),
            (",https://a.example,,,", "a.example", "", "", "url: https://a.example"),
        ] as [(String, String, String, String, String?)])
    func whatIsNoLoginIsKeptUnderATitle(row: String, title: String, user: String, password: String, notes: String?)
        throws
    {
        let plan = try plan("name,url,username,password,note\n\(row)\n")
        let item = try #require(plan.candidates.first).item
        #expect(item.services.isEmpty && item.title == title && item.user == user)
        #expect(item.password.bytes.testText == password)
        let lines = item.notes?.bytes.testText.split(separator: "\n").map(String.init) ?? []
        #expect(Set(lines) == Set(notes?.split(separator: "\n").map(String.init) ?? []))
    }

    @Test func aTitleIsOneLineThatAProviderTakes() throws {
        let long = String(repeating: "\u{E9}", count: 600)
        let plan = try plan("name,url,username,password,note\n\"two\nlines\",,,1,\n\(long),,,1,\n")
        #expect(plan.candidates.first?.item.title == "two lines")
        let cut = try #require(plan.candidates.last).item
        #expect(cut.title?.utf8.count == 1024 && cut.notes?.bytes.testText == "name: \(long)")
    }

    @Test func anotherTitleOfTheSameAccountStandsInTheNotes() throws {
        let plan = try plan(
            "name,url,username,password,note\nOne,https://a.example/x,me,pw,\nTwo,https://a.example/y,me,pw,\n")
        let item = try #require(plan.candidates.first).item
        #expect(plan.candidates.count == 1 && item.title == "One" && item.notes?.bytes.testText == "title: Two")
    }

    @Test func twoNotesOfOneNameAreTwo() throws {
        let rows = "Note,,,,one\nNote,,,,two\nNote,,,,one\n"
        let plan = try plan("name,url,username,password,note\n" + rows)
        #expect(plan.candidates.map { $0.item.notes?.bytes.testText } == ["one", "two"])
        #expect(plan.skipped == [.init(line: 4, reason: "the same as line 2", isLoss: false)])
    }

    /// What a folder or a list of tags becomes in each format that has one.
    @Test(
        arguments: [
            (
                "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp",
                "Work/Clients,1,login,,,,0,a.example,me,pw,", true, ["Work/Clients"]
            ),
            (
                "url,username,password,totp,extra,name,grouping,fav", "https://a.example,me,pw,,,,Work\\Clients,0", nil,
                ["Work\\Clients"]
            ),
            (
                "Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created",
                "Root/Work/Clients,,me,pw,https://a.example,,,,,", nil, ["Work/Clients"]
            ),
            (
                "Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created",
                "Root,,me,pw,https://a.example,,,,,", nil, nil
            ),
            (
                "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes",
                "a,https://a.example,me,pw,,true,false,\"work; Home,WORK,\",", true, ["work", "Home"]
            ),
            ("url,username,password,favorite,tags", "https://a.example,me,pw,yes,\"a,b\"", true, ["a", "b"]),
            ("url,username,password,folder", "https://a.example,me,pw,\"Bank, Tax\"", nil, ["Bank Tax"]),
        ] as [(String, String, Bool?, [String]?)])
    func foldersAndTagsBecomeTags(header: String, row: String, favorite: Bool?, tags: [String]?) throws {
        let plan = try plan("\(header)\n\(row)\n")
        let candidate = try #require(plan.candidates.first)
        #expect(candidate.item.favorite == favorite && candidate.item.tags == tags)
        #expect(candidate.unkept.isEmpty)
    }

    @Test func sizeOfARequestCountsTagsToo() {
        let bare = NewItem(services: ["a.example"], user: "me", password: WireSecret(SecretBytes(utf8: "pw")))
        var tagged = bare
        tagged.tags = ["a\"b", "c"]
        #expect(ImportRun.encodedSize(tagged) >= ImportRun.encodedSize(bare) + #""a\"b","c","#.utf8.count)
    }

    /// An account that a file has twice is one, with what stands beside either.
    @Test func rowsOfOneAccountBecomeOne() throws {
        let plan = try plan(
            "url,username,password,favorite,tags,notes\nhttps://a.example,me,pw,0,x,one\nhttps://a.example,me,pw,1,y,two\n"
        )
        let item = try #require(plan.candidates.first).item
        #expect(plan.candidates.count == 1 && item.favorite == true && item.tags == ["x", "y"])
        #expect(item.notes?.bytes.testText == "one\ntwo")
        #expect(plan.skipped == [.init(line: 3, reason: "the same as line 2", isLoss: false)])
    }

    @Test(arguments: [
        ("tags", String(repeating: "x", count: 129)), ("tags", (0..<33).map { "t\($0)" }.joined(separator: ";")),
        ("folder", "a\u{1}b"), ("favorite", "perhaps"),
    ])
    func labelThatNothingCanKeepStandsInTheNotes(column: String, text: String) throws {
        let plan = try plan("url,username,password,\(column)\nhttps://a.example,me,pw,\(text)\n")
        #expect(plan.candidates.first?.item.notes?.bytes.testText == "\(column): \(text)")
        #expect(plan.candidates.first?.item.tags?.count ?? 0 <= 32)
    }

    @Test func whatStandsBesideTheSamePasswordIsNotForgotten() throws {
        let plan = try plan(
            """
            name,url,username,password,note
            ,https://a.example/login,me,pw,
            ,https://a.example/admin,me,pw,a note
            ,https://a.example/,me,pw,
            """)
        #expect(plan.candidates.map(\.line) == [2])
        #expect(plan.candidates.first?.item.notes?.bytes.testText == "a note")
        #expect(plan.skipped.map(\.isLoss) == [false, false])
    }

    @Test func takesTheAddressOfMailWhereNoOtherUserIs() throws {
        let header = "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault\n"
        let plan = try plan(header + "login,a,https://a.example,r@example.com,,pw,,,,,\n")
        #expect(plan.candidates.first?.item.user == "r@example.com")
        #expect(plan.candidates.first?.unkept == [])
    }

    /// What is only alike is asked about, or refused.
    @Test(arguments: [
        ("name,url,username,password,note,colour\n", ImportFormat.chrome, ["colour"]),
        ("url,username,password,totp,extra,name,grouping,fav,shared\n", .lastpass, ["shared"]),
        ("Website,Login,Password\n", .other, []), ("url,username,password,note\n", .other, []),
    ]) func anUnknownColumnIsNoCertainty(header: String, format: ImportFormat, unknown: [String]) throws {
        let plan = try plan(header)
        #expect(plan.format == format && plan.columns.unknown == unknown && !plan.columns.isCertain)
    }

    @Test(
        arguments: [
            ([0x03, 0xD9, 0xA2, 0x9A, 0x67], "a KeePass database (KDBX)"),
            (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
            (Array("\n{\"items\": []}".utf8), "JSON"), (Array("<?xml version='1.0'?>".utf8), "XML"),
        ] as [([UInt8], String)]) func namesWhatIsNoCSV(bytes: [UInt8], name: String) throws
    {
        var bytes = bytes
        let secret = SecretBytes(wiping: &bytes)
        #expect {
            try ImportPlan(secret)
        } throws: { error in
            (error as? CommandFailure)?.message.hasPrefix("The file is \(name)") == true
        }
    }

    @Test func aTitleIsKeptWhereItSaysMoreThanTheAccount() throws {
        let plan = try plan(
            """
            Title,URL,Username,Password,Notes,OTPAuth
            shiny.example.com (rmondello),https://shiny.example.com,rmondello,a,,
            www.shiny.example.com,https://shiny.example.com,rmondello,b,,
            shiny.example.com,http://shiny.example.com:8080,rmondello,b,,
            Work,https://shiny.example.com,rmondello,c,,
            \u{1F3E6},https://shiny.example.com,rmondello,d,,
            """)
        #expect(plan.candidates.map(\.item.title) == [nil, nil, nil, "Work", "\u{1F3E6}"])
    }

    @Test func readsChrome() throws {
        let plan = try plan(Self.chrome)
        #expect(plan.format == .chrome)
        #expect(
            plan.candidates.map(\.item.services) == [
                ["shiny.example.com"], [], [], ["http://old.example:8080"], ["b.example"],
            ])
        #expect(
            plan.candidates.map(\.item.password.bytes.testText) == [
                "correct, \"horse\" ", "pw", "", " spaced ", "pw",
            ])
        #expect(plan.candidates.map(\.item.title) == ["shiny", "app", "none", "http", "port"])
        #expect(plan.candidates[3].item.notes?.bytes.testText == "a note\r\nof two lines")
        #expect(plan.skipped == [.init(line: 7, reason: "the same as line 2", isLoss: false)])
    }

    @Test func readsFirefox() throws {
        let plan = try plan(Self.firefox)
        #expect(plan.format == .firefox)
        #expect(plan.candidates.map(\.item.services) == [["shiny.example.com"], ["router.example"]])
        #expect(plan.skipped == [.init(line: 4, reason: "Firefox's own keys for its account", isLoss: false)])
    }

    @Test func readsSafari() throws {
        let plan = try plan(Self.safari)
        #expect(plan.format == .safari)
        #expect(plan.candidates.map(\.unkept) == [[], []])
        let key = plan.candidates[0].item.authenticator
        #expect(key?.bytes.testText == "otpauth://totp/x?secret=AAAA")
        #expect(plan.candidates[0].item.notes?.bytes.testText == "a note")
        #expect(plan.candidates[1].item.title == "empty" && plan.candidates[1].item.services.isEmpty)
    }

    @Test func readsBitwarden() throws {
        let plan = try plan(Self.bitwarden)
        #expect(plan.format == .bitwarden)
        #expect(
            plan.candidates.map(\.item.services) == [
                ["shiny.example.com", "http://old.example:8080"], [], ["bare.example"], [],
            ]
        )
        // One of the addresses is an app's, and there is a field of one's own.
        let addresses = "login_uri: https://shiny.example.com,http://old.example:8080/x,androidapp://com.x"
        #expect(plan.candidates[0].item.notes?.bytes.testText == "pin: 1234\n" + addresses)
        #expect(plan.candidates.map(\.item.favorite) == [true, nil, nil, nil])
        #expect(plan.candidates.map(\.item.title) == ["Shiny", "Wifi", "Bare", "Visa"])
        #expect(plan.candidates[1].item.notes?.bytes.testText == "the password is in here")
        #expect(plan.candidates[3].item.notes?.bytes.testText == "type: card")
        #expect(plan.candidates[0].item.authenticator?.bytes.testText == "otpauth://totp/?secret=AAAA")
        #expect(plan.skipped.isEmpty)
    }

    @Test func readsAByteOrderMarkAndAnyOrderOfColumns() throws {
        let plan = try plan("\u{FEFF}password,username,name,url\npw,me,x,https://a.example\n")
        #expect(plan.candidates.first?.item.password.bytes.testText == "pw")
        #expect(plan.candidates.first?.item.user == "me")
    }

    /// A password in the wrong column must never get into a message.
    @Test(arguments: [
        ("", "The file is empty."), ("a,b,c\n1,2,3\n", "The first line is of no format that is known."),
        ("name,url,username,password,password\n", "The first line is of no format that is known."),
        (
            "name,url,username,password\nx,https://a.example,me,\"canary",
            "Line 2 is not CSV: a quotation mark is never closed."
        ),
        (
            "name,url,username,password\nx,https://a.example,me,\"can\"ary\n",
            "Line 2 is not CSV: something follows a closing quotation mark."
        ),
    ]) func refusesBadFiles(text: String, message: String) throws {
        #expect {
            try plan(text)
        } throws: { error in
            guard let failure = error as? CommandFailure else { return false }
            return failure.status == .invalidInput && failure.message == message && !failure.lines.contains("canary")
        }
    }

    @Test func refusesWhatIsNoText() throws {
        var bytes: [UInt8] = Array("name,url,username,password\nx,https://a.example,me,".utf8) + [0xFF, 0xFE]
        let secret = SecretBytes(wiping: &bytes)
        #expect(throws: CommandFailure.self) { try ImportPlan(secret) }
    }

    @Test(arguments: [true, false]) func readsUTF16WithAMark(isLittle: Bool) throws {
        let text = "\u{FEFF}name,url,username,password,note\na,https://a.example,me,K\u{F6}ter\u{1F511},\n"
        var bytes = text.utf16.flatMap {
            isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
        }
        let plan = try ImportPlan(SecretBytes(wiping: &bytes))
        #expect(plan.candidates.map(\.item.password.bytes.testText) == ["K\u{F6}ter\u{1F511}"])
    }

    @Test func namesAPasswordThatLastPassMayHaveChanged() throws {
        let plan = try plan(
            "url,username,password,totp,extra,name,grouping,fav\nhttps://a.example,me,Oar&amp;Sail&lt;7,,,a,,0\n"
                + "https://b.example,me,Oar&Sail;7,,Tom &amp; Bea,b,,0\n")
        #expect(plan.candidates.map(\.line) == [3])
        #expect(plan.skipped.map(\.line) == [2])
        #expect(plan.skipped[0].reason.hasPrefix("the password holds an HTML entity"))
    }

    @Test func refusesAnotherFormatThanAskedFor() throws {
        #expect(throws: CommandFailure.self) { try plan(Self.chrome, .bitwarden) }
        #expect(try plan(Self.chrome, .chrome).format == .chrome)
    }

    @Test func skipsRowsOfAnotherWidth() throws {
        // A comma that was not quoted: half of the password would be saved.
        let plan = try plan("name,url,username,password\nx,https://a.example,me,half,other\nx,https://a.example,me\n\n")
        #expect(plan.candidates.isEmpty)
        #expect(
            plan.skipped == [
                .init(line: 2, reason: "5 columns where the first line has 4"),
                .init(line: 3, reason: "3 columns where the first line has 4"),
            ]
        )
    }

    @Test(arguments: [
        ("u", String(repeating: "x", count: 4097), "", "the password is longer than 4096 bytes"),
        (String(repeating: "u", count: 1025), "pw", "", "the user name is longer than 1024 bytes"),
        ("u", "pw", String(repeating: "n", count: 65_537), "the notes are longer than 65536 bytes"),
    ]) func skipsWhatIsTooLong(user: String, password: String, note: String, reason: String) throws {
        let plan = try plan("name,url,username,password,note\nx,https://a.example,\(user),\(password),\(note)\n")
        #expect(plan.skipped == [.init(line: 2, reason: reason)])
    }

    @Test func batchesStayBelowAMessage() throws {
        // Newlines take six bytes each in JSON.
        let note = "\"" + String(repeating: "\n", count: 60_000) + "\""
        let rows = (0..<20).map { "x,https://s\($0).example,me,pw,\(note)" }.joined(separator: "\n")
        let plan = try plan("name,url,username,password,note\n" + rows)
        var remaining = plan.candidates[...]
        var counts: [Int] = []
        while !remaining.isEmpty { counts.append(ImportRun.nextBatch(&remaining).count) }
        #expect(counts.reduce(0, +) == 20)
        #expect(counts.allSatisfy { $0 == 1 })
    }
}

@Suite struct ImportAddressTests {
    @Test(
        arguments: [
            ("https://a.example/x,y", ["a.example"], true),
            ("https://a.example, b.example/x", ["a.example", "b.example"], true),
            ("https://a.example,androidapp://com.a", ["a.example"], false),
            ("a.example,,b.example", ["a.example", "b.example"], true),
            // An address that somebody sent names no service of its own.
            ("https://a.example?q=1,2,https://b.example", ["a.example"], false),
            ("https://a.example/login?x=,evil.example", ["a.example"], true),
            ("https://a.example/@52.5,13.4", ["a.example"], true),
            ("https://a.example/x,https://b.example/y", ["a.example", "b.example"], true),
        ]) func readsSeveral(text: String, services: [String], isWhole: Bool)
    {
        #expect(ImportAddress.services(text) == .success(.init(services: services, isWhole: isWhole)))
    }

    @Test(arguments: [
        ("https://Shiny.Example.COM/login", "shiny.example.com"), ("https://a.example:443/", "a.example"),
        ("https://a.example:8443", "https://a.example:8443"), ("http://a.example/x", "http://a.example"),
        ("http://a.example:80", "http://a.example"), ("HTTPS://a.example", "a.example"),
        ("a.example/login", "a.example"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("http://BÜCHER.example:81", "http://xn--bcher-kva.example:81"),
        ("a.example:8443", "https://a.example:8443"), (" https://a.example. ", "a.example"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("https://[::1]:8443/", "https://[::1]:8443"), ("https://192.168.0.1/", "192.168.0.1"),
        ("https://a.example?x=@b", "a.example"),
        ("https://a.example#@b.example", "a.example"), ("https://me@a.example/", "a.example"),
        ("https://oauth2:canary@a.example/x.git", "a.example"),
    ]) func reads(text: String, service: String) {
        #expect(ImportAddress.service(text) == .success(service))
    }

    @Test(
        arguments: [
            ("", "no web address"), ("  ", "no web address"), ("android://x@com.a/", "belongs to an Android app"),
            ("androidapp://com.a", "belongs to an Android app"), ("iosapp://com.a", "belongs to an iOS app"),
            ("chrome://FirefoxAccounts", "not a web address"), ("file:///etc/passwd", "not a web address"),
            ("https://", "not a web address"), ("me@a.example", "not a web address"),
            ("https://a.example\\@b.example/", nil), ("https://a b/", "not a web address"),
            ("https://a.example:0/", "not a web address"), ("https://a.example:99999/", "not a web address"),
            ("https://a..example/", "not a web address"), ("My Bank", "not a web address"),
        ] as [(String, String?)]
    ) func refuses(text: String, reason: String?) {
        switch (ImportAddress.service(text), reason) {
        case (.failure(let refusal), let reason?): #expect(refusal.reason == reason)
        // A backslash ends the authority, as in browsers; what follows it is never the host.
        case (.success(let service), nil): #expect(service == "a.example")
        default: Issue.record("\(text)")
        }
    }
}
