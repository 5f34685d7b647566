// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import FormReading
import Testing

/// Forms as they are met, each kind with what has to be found and with its neighbour that must not be.
@Suite struct FormsAsTheyAreMetTests {
    struct Sample: Sendable, CustomStringConvertible {
        let description: String
        let html: String
        let roles: [FieldRole?]
        let kind: FormKind

        init(_ description: String, _ html: String, _ roles: [FieldRole?], _ kind: FormKind) {
            (self.description, self.html, self.roles, self.kind) = (description, html, roles, kind)
        }
    }

    static let samples = [
        Sample(
            "user name first",
            "<h1>Sign in</h1><form><label>Email<input type=email></label><button>Next</button></form>",
            [.username], .userNameFirst),
        Sample(
            "an address alone, elsewhere",
            "<h1>News</h1><form><label>Email<input type=email></label><button>Next</button></form>",
            [nil], .none),
        Sample(
            "password on the next page",
            "<form><p>ada@example.org</p><input type=password aria-label=Password><button>Sign in</button></form>",
            [.currentPassword], .passwordSecond),
        Sample(
            "the name shown again, read-only",
            "<form><input name=email readonly><input type=password name=password><button>Sign in</button></form>",
            [nil, .currentPassword], .passwordSecond),
        Sample(
            "a revealed password",
            "<form><input name=user><input type=text name=password><button>Sign in</button></form>",
            [.username, .currentPassword], .signIn),
        Sample(
            "a hint for a password",
            "<form><input name=user><input type=text name=password_hint><button>Save</button></form>",
            [nil, nil], .none),
        Sample(
            "several forms",
            "<form role=search><input name=q></form><form><input name=user><input type=password name=p><button>Log in</button></form>"
                + "<form><input type=email name=e><button>Subscribe</button></form>",
            [nil, .username, .currentPassword, nil], .signIn),
        Sample(
            "side by side in one form",
            "<form><h2>Sign in</h2><input name=a placeholder=Email><input type=password><button>Sign in</button>"
                + "<h2>Create an account</h2><input name=b placeholder=Email><input type=password name=x><button>Create account</button></form>",
            [.username, .currentPassword, .username, .newPassword], .signIn),
        Sample(
            "side by side without forms",
            "<div><h2>Sign in</h2><input name=a placeholder=Email><input type=password name=b><button>Sign in</button></div>"
                + "<div><h2>Create an account</h2><input name=c placeholder=Email><input type=password name=d><button>Join</button></div>",
            [.username, .currentPassword, .username, .newPassword], .signIn),
        Sample(
            "confirm fields",
            "<form><input name=email><input name=email2 placeholder='Confirm email'><input type=password><input type=password name=again></form>",
            [.username, .username, .newPassword, .newPassword], .signUp),
        Sample(
            "changing with a user name",
            "<form><input name=userid><input type=password name=old><input type=password name=new><input type=password name=new2><button>Change password</button></form>",
            [.username, .currentPassword, .newPassword, .newPassword], .changePassword),
        Sample(
            "changing without the current one",
            "<h1>Reset your password</h1><form><input type=password name=a><input type=password name=b><button>Save</button></form>",
            [.newPassword, .newPassword], .changePassword),
        Sample(
            "a code",
            "<h1>Two-factor authentication</h1><form><input name=code inputmode=numeric maxlength=6><button>Verify</button></form>",
            [.oneTimeCode], .oneTimeCode),
        Sample(
            "a code for a discount",
            "<h1>Your basket</h1><form><input name=code maxlength=6 placeholder='Promo code'><button>Apply</button></form>",
            [nil], .none),
        Sample(
            "a code in boxes",
            "<h1>Enter the code from your authenticator app</h1><form>"
                + String(repeating: "<input maxlength=1 inputmode=numeric>", count: 6) + "</form>",
            Array(repeating: .oneTimeCode, count: 6), .oneTimeCode),
        Sample(
            "three boxes", "<h1>Guess</h1><form>" + String(repeating: "<input maxlength=1>", count: 3) + "</form>",
            [nil, nil, nil], .none),
        Sample(
            "a telephone number as user name",
            "<form><select name=cc><option>+44</select><input type=tel name=mobile><input type=password name=p><button>Log in</button></form>",
            [nil, .username, .currentPassword], .signIn),
        Sample(
            "an account number as user name",
            "<form><label>Customer number<input name=n></label><label>Surname<input name=s></label><input type=password name=p><button>Log on</button></form>",
            [.username, nil, .currentPassword], .signIn),
        Sample(
            "a card's number and PIN",
            "<form><label>Card number<input name=n></label><label>PIN<input type=password name=p maxlength=4></label><button>Check balance</button></form>",
            [nil, nil], .none),
        Sample(
            "a card's number that signs in",
            "<form><label>Library card<input name=card></label><label>PIN<input type=password name=pin></label><button>Log in</button></form>",
            [.username, .currentPassword], .signIn),
        Sample(
            "no form", "<div>User<input></div><div>Password<input type=password></div><div role=button>Enter</div>",
            [.username, .currentPassword], .signIn),
        Sample(
            "a shadow root in a shadow root",
            "<a-b><template shadowrootmode=open><c-d><template shadowrootmode=closed><label for=i>User name</label><input id=i></template></c-d>"
                + "<input type=password name=p></template></a-b>",
            [.username, .currentPassword], .signIn),
        Sample(
            "a dialog", "<dialog><form><h2>Log in</h2><input name=email><input type=password name=p></form></dialog>",
            [.username, .currentPassword], .signIn),
        Sample(
            "a popover for something else",
            "<div popover><form><h2>Share</h2><input type=email name=friend_email><button>Send</button></form></div>",
            [nil], .none),
        Sample(
            "a step that comes later",
            "<form><h1>Log in</h1><div><input name=email></div><div style='display:none'><input type=password name=p></div><button>Next</button></form>",
            [.username, .currentPassword], .signIn),
        Sample(
            "honeypots",
            "<form><div style='display:none'><input name=username></div><input name=email type=email><input name=password hidden>"
                + "<input type=password name=p><input name=website style='opacity:0'><button>Sign in</button></form>",
            [nil, .username, nil, .currentPassword, nil], .signIn),
        Sample(
            "decoys",
            "<form><input name=fakeusername><input type=password name=fakepassword><input name=login><input type=password name=p></form>",
            [nil, nil, .username, .currentPassword], .signIn),
        Sample(
            "new-password to keep browsers away",
            "<form><h1>Log in</h1><input name=user><input type=password autocomplete=new-password name=p><a href=/f>Forgot password?</a><button>Log in</button></form>",
            [.username, .currentPassword], .signIn),
        Sample(
            "new-password on a form for signing up",
            "<form><h1>Register</h1><input name=user><input type=password autocomplete=new-password name=p><button>Register</button></form>",
            [.username, .newPassword], .signUp),
        Sample(
            "a password once hidden and once shown",
            "<form><input name=user><input type=password name=p placeholder=Password><input type=password placeholder=Password>"
                + "<button>Not registered? Register</button><button>Log in</button></form>",
            [.username, .currentPassword, .currentPassword], .signIn),
        Sample(
            "two passwords that are called the same",
            "<form><input name=user><input type=password name=p placeholder=Password><input type=password name=q placeholder=Password>"
                + "<button>Register</button></form>",
            [.username, .newPassword, .newPassword], .signUp),
        Sample(
            "a user name in a box for searching",
            "<form><input type=search name=userID><input type=password name=p><button>Log in</button></form>",
            [.username, .currentPassword], .signIn),
        Sample(
            "a search for users",
            "<form><input type=search name=username placeholder='Search users'><button>Search</button></form>",
            [nil], .none),
        Sample(
            "a code of a later step",
            "<form><input name=user><input type=password name=p><button>Log in</button></form>"
                + "<form><h2>Two-factor authentication</h2><input name=otp inputmode=numeric maxlength=6><button>Verify</button></form>",
            [.username, .currentPassword, nil], .signIn),
        Sample(
            "a code in a part that waits",
            "<form><h1>Sign in</h1><input type=email name=email><button>Next</button></form>"
                + "<div hidden><form><input name=otp inputmode=numeric maxlength=6><input type=checkbox name=trust><button>Verify</button></form></div>",
            [.username, nil, nil], .userNameFirst),
        Sample(
            "an address and a code to prove it",
            "<form id=email_verification_code><input type=email name='email_verification_code[email]' placeholder='Email address'><button>Continue</button></form>",
            [.username], .userNameFirst),
        Sample(
            "masked characters of a password",
            "<form><h1>Log on</h1><label>Customer number<input name=n></label>"
                + String(repeating: "<input type=password maxlength=1>", count: 3) + "<button>Log on</button></form>",
            [.username, nil, nil, nil], .userNameFirst),
        Sample(
            "a form for a forgotten password beside one that signs in",
            "<form><input name=user><input type=password name=p><button>Log in</button></form>"
                + "<form><h2>Forgot your password?</h2><input name=contact_email><button>Send</button></form>",
            [.username, .currentPassword, nil], .signIn),
        Sample(
            "a form for a forgotten password",
            "<form><h1>Forgot your password?</h1><label>Email<input name=email></label><button>Send link</button></form>",
            [.username], .userNameFirst),
    ]

    @Test(arguments: samples)
    func namesRolesAndKind(_ sample: Sample) throws {
        let analysis = FormAnalyzer().analyze(try HTMLPage(parsing: Array(sample.html.utf8)).description)
        #expect(analysis.fields.map(\.role) == sample.roles)
        #expect(analysis.kind == sample.kind)
    }

    @Test func namesAnAddressOnAPageOfAccountsAndOffersNothing() throws {
        let html =
            "<form><input name=user><input type=password name=p><button>Log in</button></form>"
            + "<form><h2>Contact us</h2><input name=name placeholder='Your name'><input type=email name=e><textarea></textarea></form>"
        let analysis = FormAnalyzer().analyze(try HTMLPage(parsing: Array(html.utf8)).description)
        #expect(analysis.fields.map(\.role) == [.username, .currentPassword, nil, .username, nil])
        #expect(analysis.forms.map(\.kind) == [.signIn, .none])
        #expect(analysis.fields[3].confidence < 0.5)
    }

    @Test(
        "S16: a field that nobody sees gets no role, whatever it is called",
        arguments: [
            "<input name=username autocomplete=username hidden>", "<input name=username style='display:none'>",
            "<input name=username style='opacity: 0; position: absolute'>", "<div hidden><input name=username></div>",
            "<input name=username aria-hidden=true tabindex=-1>", "<input type=hidden name=username>",
            "<template><input name=username></template>", "<noscript><input name=username></noscript>",
        ])
    func hiddenFieldsGetNoRole(_ trap: String) throws {
        let html =
            "<form>\(trap)<input name=email type=email><input type=password name=p><button>Sign in</button></form>"
        let analysis = FormAnalyzer().analyze(try HTMLPage(parsing: Array(html.utf8)).description)
        #expect(analysis.fields.map(\.role) == [nil, .username, .currentPassword])
    }
}
