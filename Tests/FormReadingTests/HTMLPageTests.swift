// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import FormReading
import Testing

@Suite struct HTMLPageTests {
    private func page(_ html: String) throws -> PageDescription {
        try HTMLPage(parsing: Array(html.utf8)).description
    }

    @Test func listsEveryControlInOrder() throws {
        let page = try page(
            """
            <input type=hidden name=a><form><select name=b><option>x</select><textarea name=c></textarea>
            <input name=d></form><template><input name=e></template><noscript><input name=f></noscript>
            """)
        #expect(page.fields.map(\.name) == ["a", "b", "c", "d", "e", "f"])
        #expect(page.fields.map(\.tag) == ["input", "select", "textarea", "input", "input", "input"])
        #expect(page.fields.map(\.isVisible) == [false, true, true, true, false, false])
        #expect(page.fields.map(\.form) == [nil, 0, 0, 0, nil, nil])
    }

    @Test(arguments: [
        "<label for=x>User name</label><input id=x>", "<label>User <b>name</b><input id=x></label>",
        "<span id=l>User name</span><input id=x aria-labelledby=l>",
        "<span id=l>User</span><span id=m>name</span><input id=x aria-labelledby='l m none'>",
    ])
    func findsLabels(_ html: String) throws {
        #expect(try page("<form>\(html)<input></form>").fields[0].label == "User name")
    }

    @Test(arguments: [
        "<p>Account<br><input><input>", "<table><tr><td>Account</td><td><input></td></tr><tr><td><input></table>",
        "<div><input><span>Account</span></div><div><input></div>",
        "<div>Account</div><div><div><input></div></div><input>",
    ])
    func findsWhatStandsBeside(_ html: String) throws {
        #expect(try page("<form>\(html)</form>").fields[0].nearbyText == "Account")
    }

    @Test func keepsTheTextOfOneFieldFromTheNext() throws {
        let page = try page(
            "<form><div><input><span>First</span></div><div><input><span>Second</span></div><div><input></div></form>")
        #expect(page.fields.map(\.nearbyText) == ["First", "Second", ""])
    }

    @Test(arguments: [
        "<input hidden>", "<input style='display: none'>", "<input style='VISIBILITY:hidden !important'>",
        "<input style='opacity:0'>", "<input aria-hidden=true>", "<div style='display:none'><input></div>",
        "<div hidden><input></div>", "<div style='position:absolute; left:-9999px'><input></div>",
        "<input style='margin-left: -999em'>",
    ])
    func seesThatOneFieldIsHidden(_ html: String) throws {
        #expect(try page("<form>\(html)<input name=other></form>").fields.map(\.isVisible) == [false, true])
    }

    @Test(arguments: [
        "<dialog><form><input><input></form></dialog>", "<div popover><form><input><input></form></div>",
        "<div style='display:none'><form><input><input></form></div>", "<form hidden><input><input></form>",
        "<form><details><summary>More</summary><input><input></details></form>",
    ])
    func countsWhatIsHiddenAsAWholeAsWaiting(_ html: String) throws {
        #expect(try page(html).fields.map(\.isVisible) == [true, true])
    }

    @Test func readsShadowRoots() throws {
        let page = try page(
            "<x-a><template shadowrootmode=closed><label for=i>Email</label><input id=i></template></x-a>")
        #expect(page.fields.map(\.isVisible) == [true])
        #expect(page.fields[0].label == "Email")
    }

    @Test func tellsButtonsHeadingsAndLinksApart() throws {
        let page = try page(
            """
            <form id=f class=c action='https://a.example/b/c?d=e#f' method=post><h2>Sign in</h2><p>to go on</p><input>
            <button aria-label=Show></button><button>Go</button><input type=submit value=Send><input type=reset value=No>
            <div role=button>Drawn</div><a href=/x>Forgot it?</a><h3><a href=/y>Linked</a></h3></form>
            """)
        let form = try #require(page.forms.first)
        #expect(form.buttons.map(\.text) == ["Show", "Go", "Send", "Drawn"])
        #expect(form.headings.map(\.text) == ["Sign in", "Linked"])
        #expect(form.links.map(\.text) == ["Forgot it?"])
        #expect(form.lead == "to go on")
        #expect((form.identifier, form.classes, form.actionPath, form.method) == ("f", "c", "/b/c", "post"))
        #expect(form.buttons.map(\.place) == [1, 1, 2, 3])
    }

    @Test func findsFormsByTheirNameAndGivesAnEmptyOneItsFields() throws {
        let named = try page("<form id=a name=first></form><form><input form=a><input></form>")
        #expect(named.fields.map(\.form) == [0, 1])
        let early = try page("<table><form name=login action=/enter></form><tr><td><input></td></tr></table>")
        #expect(early.fields[0].form == nil)
        #expect(early.outsideForms.name == "login" && early.outsideForms.actionPath == "/enter")
    }

    @Test func readsTitleLanguageAndAddress() throws {
        let page = try page(
            "<html lang=de><head><title>Anmelden\n &amp; los</title><link rel=canonical href='https://a.example/login?x'></head>"
        )
        #expect((page.title, page.language, page.path) == ("Anmelden & los", "de", "/login"))
    }

    @Test func readsTextInItsEncoding() throws {
        let cyrillic =
            Array("<meta charset=windows-1251><input placeholder='".utf8) + [0xCF, 0xE0, 0xF0] + Array("'>".utf8)
        #expect(try HTMLPage(parsing: cyrillic).description.fields[0].placeholder == "Пар")
        // UTF-8 is UTF-8, whatever a saved page says of its server.
        #expect(try page("<meta charset=windows-1251><input placeholder='Пар'>").fields[0].placeholder == "Пар")
    }

    @Test(arguments: [
        "", "<", "<input", "<form><form><input></form>", "</form></form>", "<select><input></select>", "<table><input>",
        "<label for><input id>", "<input form=none>", "\u{0}<input>", "<!-- <input> ",
        "<input maxlength=99999999999999999999>",
        "<input aria-labelledby=x id=x>", "<button><button><input></button>", "<title><title><input>",
    ])
    func survives(_ html: String) throws {
        let page = try page(html)
        #expect(FormAnalyzer().analyze(page).fields.count == page.fields.count)
    }

    @Test func survivesDepth() throws {
        let deep = String(repeating: "<div>", count: 20_000) + "<input name=a>"
        #expect(try page(deep).fields.map(\.name) == ["a"])
        let labels = String(repeating: "<label>x", count: 3000) + "<input name=a>"
        #expect(try page(labels).fields.count == 1)
    }

    @Test func refusesWhatIsTooLarge() {
        #expect(throws: HTMLReadingError.tooLarge) {
            try HTMLPage(parsing: [UInt8](repeating: 0x20, count: HTMLPage.maximumSize + 1))
        }
    }

    /// What grew with the square of a page's size would take longer than that.
    @Test(.timeLimit(.minutes(1))) func takesTimeThatGrowsWithThePage() throws {
        let one = "<div><label>Name</label><input name=username><span>hint</span><button>x</button></div>"
        let html = "<form>" + String(repeating: one, count: 10_000) + "</form>"
        #expect(!FormAnalyzer().analyze(try page(html)).fields.isEmpty)
    }
}
