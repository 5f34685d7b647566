// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// A sign-in form on Qt 5 or 6. It writes to a file, after each change and each command, what stands in its fields, and where they are on
// the screen. Commands come on standard input, one word a line; each is answered by "done".
#include <QtWidgets>
#include <cstdio>
#include <memory>
#include <unistd.h>

static QString target;
static QLineEdit *user, *server, *password;

static void changed() {
    QSaveFile file(target);
    if (!file.open(QIODevice::WriteOnly)) return;
    for (QLineEdit *field : {user, password, server}) file.write(field->text().toUtf8() + "\n");
    for (QLineEdit *field : {user, password, server}) {
        QPoint place = field->mapToGlobal(QPoint(0, 0));
        file.write(QString("%1 %2 %3 %4\n").arg(place.x()).arg(place.y()).arg(field->width()).arg(field->height()).toUtf8());
    }
    file.commit();
}

static QLineEdit *add(QGridLayout *grid, const char *text, int row, bool isRelated) {
    QLabel *label = new QLabel(text);
    QLineEdit *field = new QLineEdit;
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
    if (isRelated) label->setBuddy(field);
    QObject::connect(field, &QLineEdit::textChanged, changed);
    return field;
}

int main(int count, char **arguments) {
    QApplication application(count, arguments);
    target = arguments[1];
    QString kind = count > 2 ? arguments[2] : "";
    std::unique_ptr<QWidget> made(kind == "dialog" ? new QDialog : new QWidget);
    QWidget &window = *made;
    window.setWindowTitle("Example server");
    window.move(400, 300);
    QGridLayout *grid = new QGridLayout(&window);
    bool isRelated = kind == "buddies";
    user = add(grid, "User name", 0, isRelated);
    // Between the two that belong together: which they are can be seen by the labels only.
    server = add(grid, "Server", 1, isRelated);
    password = add(grid, "Password", 2, isRelated);
    password->setEchoMode(QLineEdit::Password);
    grid->addWidget(new QPushButton("Connect"), 3, 1);
    QSocketNotifier notifier(0, QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, [&] {
        char bytes[256];
        ssize_t length = read(0, bytes, sizeof bytes);
        if (length <= 0) return application.quit();
        QByteArray line = QByteArray(bytes, static_cast<int>(length)).trimmed();
        if (line == "focus-user") user->setFocus();
        else if (line == "focus-password") password->setFocus();
        else if (line == "focus-other") server->setFocus();
        else if (line == "plain") password->setEchoMode(QLineEdit::Normal);
        else if (line == "readonly") password->setReadOnly(true);
        else if (line == "hide") password->hide();
        else if (line == "insensitive") password->setEnabled(false);
        else if (line == "close") window.hide();
        changed();
        printf("done\n");
        fflush(stdout);
    });
    window.show();
    user->setFocus();
    changed();
    return application.exec();
}
