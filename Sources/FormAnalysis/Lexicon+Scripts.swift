// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Lexicon {
    /// Words of languages with a script of their own.
    static let scriptWords: [Entry] =
        greekWords + hebrewWords + thaiWords + devanagariWords + bengaliWords + persianWords + ukrainianWords

    private static let greekWords: [Entry] = [
        Entry(.password, "κωδικος, κωδικου, κωδικο, κωδικος προσβασης, συνθηματικο*"),
        Entry([.password, .new], "νεος κωδικος*, νεο συνθηματικο"),
        Entry([.password, .current], "τρεχων κωδικος*, παλιος κωδικος*"),
        Entry(.again, "επιβεβαιωσ*, επαναληψ*, ξανα"),
        Entry(.userName, "ονομα χρηστη, χρηστης, συνδεσης ονομα"),
        Entry(
            .email,
            "ηλεκτρονικη διευθυνση, διευθυνση email, διευθυνση ηλεκτρονικου ταχυδρομειου, ηλεκτρονικο ταχυδρομειο"),
        Entry(.phone, "τηλεφων*, κινητο*"),
        Entry(.oneTimeCode, "κωδικος μιας χρησης, κωδικος επαληθευσης, κωδικο επαληθευσης"),
        Entry(.signIn, "συνδεση, συνδεθειτε, εισοδος, συνδεσου"),
        Entry(.signUp, "εγγραφ*, δημιουργια λογαριασμου, δημιουργηστε λογαριασμο"),
        Entry(.changePassword, "αλλαγη κωδικου, αλλαγη συνθηματικου, επαναφορα κωδικου"),
        Entry(.forgotten, "ξεχασ*, υπενθυμιση"),
        Entry(.remember, "να με θυμασαι, απομνημονευση, θυμησου με"),
        Entry(.personName, "ονομα, επωνυμο, ονοματεπωνυμο, πατρωνυμο"),
        Entry(.address, "διευθυνση, πολη, οδος, ταχυδρομικος κωδικας, τ κ"),
        Entry(.search, "αναζητηση"),
        Entry(.newsletter, "ενημερωτικο δελτιο, newsletter"),
        Entry(.terms, "οροι, ορους, συμφωνω, αποδεχομαι"),
    ]

    private static let hebrewWords: [Entry] = [
        Entry(.password, "*סיסמ*"),
        Entry([.password, .new], "*סיסמה חדשה*"),
        Entry([.password, .current], "*סיסמה נוכחית*, *סיסמה ישנה*"),
        Entry(.again, "*אימות*, *שוב*, *חזור על*"),
        Entry(.userName, "*שם משתמש*, *משתמש*"),
        Entry(.identity, "*תעודת זהות*, *ת ז*, *מספר זהות*, *מספר לקוח*"),
        Entry(.email, "*אימייל*, *דואר אלקטרוני*, *דוא ל*, *מייל*"),
        Entry(.phone, "*טלפון*, *נייד*"),
        Entry(.oneTimeCode, "*קוד אימות*, *קוד חד פעמי*, *קוד שנשלח*"),
        Entry(.signIn, "*כניסה*, *התחבר*, *היכנס*, *כניסת*"),
        Entry(.signUp, "*הרשמ*, *הירשם*, *יצירת חשבון*, *הצטרפ*"),
        Entry(.changePassword, "*שינוי סיסמה*, *איפוס סיסמה*, *החלפת סיסמה*"),
        Entry(.forgotten, "*שכחת*, *שכחתי*"),
        Entry(.remember, "*זכור אותי*"),
        Entry(.personName, "*שם פרטי*, *שם משפחה*, *שם מלא*"),
        Entry(.address, "*כתובת*, *עיר*, *רחוב*, *מיקוד*"),
        Entry(.search, "*חיפוש*, *חפש*"),
        Entry(.newsletter, "*ניוזלטר*"),
    ]

    private static let thaiWords: [Entry] = [
        Entry(.password, "*รหัสผ่าน*"),
        Entry([.password, .new], "*รหัสผ่านใหม่*, *ตั้งรหัสผ่าน*"),
        Entry([.password, .current], "*รหัสผ่านปัจจุบัน*, *รหัสผ่านเดิม*, *รหัสผ่านเก่า*"),
        Entry([.password, .again], "*ยืนยันรหัสผ่าน*"),
        Entry(.again, "*ยืนยัน*, *อีกครั้ง*"),
        Entry(.userName, "*ชื่อผู้ใช้*, *บัญชีผู้ใช้*"),
        Entry(.identity, "*เลขประจำตัวประชาชน*, *รหัสนักศึกษา*, *รหัสสมาชิก*"),
        Entry(.email, "*อีเมล*"),
        Entry(.phone, "*เบอร์โทร*, *โทรศัพท์*, *เบอร์มือถือ*"),
        Entry(.oneTimeCode, "*รหัสยืนยัน*, *รหัส otp*"),
        Entry(.signIn, "*เข้าสู่ระบบ*, *ล็อกอิน*, *ลงชื่อเข้าใช้*"),
        Entry(.signUp, "*สมัคร*, *ลงทะเบียน*, *สร้างบัญชี*"),
        Entry(.changePassword, "*เปลี่ยนรหัสผ่าน*, *รีเซ็ตรหัสผ่าน*"),
        Entry(.forgotten, "*ลืม*"),
        Entry(.remember, "*จดจำ*, *จำฉัน*"),
        Entry(.personName, "*นามสกุล*, *ชื่อจริง*, *ชื่อ นามสกุล*"),
        Entry(.address, "*ที่อยู่*, *จังหวัด*, *รหัสไปรษณีย์*"),
        Entry(.search, "*ค้นหา*"),
    ]

    private static let devanagariWords: [Entry] = [
        Entry(.password, "*पासवर्ड*, *कूटशब्द*"),
        Entry([.password, .new], "*नया पासवर्ड*, *पासवर्ड बनाएँ*, *पासवर्ड बनाएं*"),
        Entry([.password, .current], "*वर्तमान पासवर्ड*, *पुराना पासवर्ड*"),
        Entry(.again, "*पुष्टि*, *फिर से*, *दोबारा*"),
        Entry(.userName, "*उपयोगकर्ता नाम*, *यूज़रनेम*, *यूजरनेम*, *उपयोगकर्ता*"),
        Entry(.email, "*ईमेल*, *ई मेल*"),
        Entry(.phone, "*मोबाइल*, *फ़ोन*, *फोन*, *दूरभाष*"),
        Entry(.oneTimeCode, "*ओटीपी*, *सत्यापन कोड*"),
        Entry(.signIn, "*लॉग इन*, *लॉगिन*, *साइन इन*, *प्रवेश करें*"),
        Entry(.signUp, "*पंजीकरण*, *पंजीकृत*, *साइन अप*, *खाता बनाएँ*, *खाता बनाएं*, *रजिस्टर*"),
        Entry(.changePassword, "*पासवर्ड बदलें*, *पासवर्ड रीसेट*"),
        Entry(.forgotten, "*भूल गए*, *भूल गये*"),
        Entry(.remember, "*याद रखें*"),
        Entry(.personName, "*पूरा नाम*, *प्रथम नाम*, *पहला नाम*, *उपनाम*, *नाम*"),
        Entry(.address, "*पता*, *शहर*, *पिन कोड*"),
        Entry(.search, "*खोज*"),
    ]

    private static let bengaliWords: [Entry] = [
        Entry(.password, "*পাসওয়ার্ড*, *পাসওয়ার্ড*"),
        Entry(.again, "*নিশ্চিত*, *আবার*"),
        Entry([.password, .new], "*নতুন পাসওয়ার্ড*, *নতুন পাসওয়ার্ড*"),
        Entry(.userName, "*ব্যবহারকারী*, *ইউজারনেম*"),
        Entry(.email, "*ইমেইল*, *ই মেইল*"),
        Entry(.phone, "*মোবাইল*, *ফোন*"),
        Entry(.signIn, "*লগইন*, *লগ ইন*, *সাইন ইন*, *প্রবেশ*"),
        Entry(.signUp, "*নিবন্ধন*, *রেজিস্টার*, *রেজিস্ট্রেশন*, *সাইন আপ*, *অ্যাকাউন্ট তৈরি*"),
        Entry(.forgotten, "*ভুলে গেছেন*, *ভুলে*"),
        Entry(.oneTimeCode, "*ওটিপি*, *যাচাইকরণ কোড*"),
        Entry(.search, "*অনুসন্ধান*, *খুঁজুন*"),
        Entry(.personName, "*নাম*"),
    ]

    private static let persianWords: [Entry] = [
        Entry(.password, "رمز عبور*, گذرواژه*, کلمه عبور*, رمز ورود, رمزعبور*"),
        Entry([.password, .new], "رمز عبور جدید*, گذرواژه جدید*, کلمه عبور جدید*"),
        Entry([.password, .current], "رمز عبور فعلی*, گذرواژه فعلی*, کلمه عبور فعلی*"),
        Entry(.again, "تکرار*, تایید*"),
        Entry(.userName, "نام کاربری*, شناسه کاربری*"),
        Entry(.identity, "کد ملی, شماره دانشجویی, شماره عضویت"),
        Entry(.email, "ایمیل*, پست الکترونیک*, رایانامه"),
        Entry(.phone, "شماره موبایل*, موبایل*, تلفن*, شماره همراه*, تلفن همراه"),
        Entry(.captcha, "کد امنیتی*, کد تصویر*, عبارت امنیتی*, کد کپچا"),
        Entry(.oneTimeCode, "کد تایید*, رمز یکبار مصرف*, کد یکبار مصرف*, رمز پویا"),
        Entry(.signIn, "ورود*, وارد شوید, وارد شدن"),
        Entry(.signUp, "ثبت نام*, عضویت*, ایجاد حساب*"),
        Entry(.changePassword, "تغییر رمز*, تغییر گذرواژه*, بازیابی رمز*, تغییر کلمه عبور"),
        Entry(.forgotten, "فراموش*"),
        Entry(.remember, "مرا به خاطر*, به خاطر بسپار*"),
        Entry(.personName, "نام و نام خانوادگی, نام خانوادگی, نام"),
        Entry(.search, "جستجو*"),
        Entry(.newsletter, "خبرنامه*"),
    ]

    private static let ukrainianWords: [Entry] = [
        Entry([.password, .new], "новии пароль, створіть пароль, придумаите пароль"),
        Entry([.password, .current], "поточнии пароль, старии пароль, теперішніи пароль"),
        Entry(.again, "підтверд*, повторіть, ще раз"),
        Entry(.userName, "ім я користувача, логін*, користувач*"),
        Entry(.email, "електронна пошта, електронну пошту, електронної пошти, ел пошта"),
        Entry(.phone, "номер телефону, телефон*, мобільн*"),
        Entry(.oneTimeCode, "код підтвердження, код з sms, одноразовии код"),
        Entry(.signIn, "увіити, вхід, увіидіть, авториз*, логін*"),
        Entry(.signUp, "реєстрац*, зареєстр*, створити акаунт, створити обліковии запис"),
        Entry(.changePassword, "зміна пароля, змінити пароль, відновлення пароля, скинути пароль"),
        Entry(.forgotten, "забули, забув*, відновити"),
        Entry(.remember, "запам ятати*"),
        Entry(.personName, "ім я, прізвище, по батькові, піб"),
        Entry(.address, "адреса, місто, вулиця, індекс"),
        Entry(.search, "пошук*, знаити, шукати"),
        Entry(.newsletter, "підпис*, розсилк*"),
    ]
}
