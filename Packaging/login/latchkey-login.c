// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* Unlocks Latchkey at login. pam_latchkey.so starts it as root, with the password on standard input:

     latchkey-login unlock USER RUNTIME DATA      the password, and a byte 0
     latchkey-login rewrap USER RUNTIME DATA      the old and the new password, each with a byte 0: the new one unlocks from now on
     latchkey-login renew USER RUNTIME DATA       the same, and unlocks

   It connects to the daemon's socket as root, makes sure that the latchkeyd beside this program answers, and becomes the user for good. It
   derives a key from the password with the salt and the cost that the daemon states (Argon2id, RFC 9106), wipes the password, and sends the
   key. No other program gets the password. docs/protocol.md, section 11, has the messages.

   It ends after a minute, whatever it waits for, and writes a line into the journal where it failed. */

#define _GNU_SOURCE

#include <argon2.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 1024
#define KEY 32
#define SALT 16
/* Bounds of the cost, in KiB and passes. The least is what Latchkey sets (Argon2Cost.standard): who takes the daemon's place must not get
   keys that are cheaper to guess from. They have to agree with the bounds in LoginPassword.swift, by which latchkeyd refuses a cost that
   would never unlock; LoginKeyTests compares them. */
enum { least_memory = 64 * 1024, most_memory = 256 * 1024, least_passes = 5, most_passes = 16,
       least_lanes = 1, most_lanes = 4 };
/* Seconds to wait for the home and the socket, and until the end of all. */
enum { arrival = 15, lifetime = 60 };

/* Everything that is secret here. */
struct secrets {
    char passwords[LIMIT];
    uint8_t key[KEY], next[KEY];
    char message[LIMIT];
};

static struct secrets *secrets;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    if (secrets != NULL) explicit_bzero(secrets, sizeof *secrets);
    if (format != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsyslog(LOG_NOTICE, format, arguments);
        va_end(arguments);
    }
    _exit(1);
}

static void end_late(int number) {
    (void)number;
    if (secrets != NULL) explicit_bzero(secrets, sizeof *secrets);
    _exit(1);
}

static void protect(void) {
    signal(SIGALRM, end_late);
    alarm(lifetime);

    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    secrets = mmap(NULL, sizeof *secrets, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (secrets == MAP_FAILED) {
        secrets = NULL;
        fail("There is no memory.");
    }
    if (mlock(secrets, sizeof *secrets) != 0) fail("Memory cannot be locked: %m");
    madvise(secrets, sizeof *secrets, MADV_DONTDUMP);
}

/* Waits a moment. Fails once the user's parts should have been there. */
static void rest(const char *what) {
    static int turns;
    if (++turns > arrival * 10) fail("%s is not there after %d seconds.", what, arrival);
    nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
}

/* Takes the user's rights, for good. */
static void become(const struct passwd *user) {
    if (initgroups(user->pw_name, user->pw_gid) != 0 || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) != 0
        || setresuid(user->pw_uid, user->pw_uid, user->pw_uid) != 0)
        fail("The user's rights cannot be taken: %m");
    if (user->pw_uid != 0 && (setuid(0) == 0 || seteuid(0) == 0)) fail("The rights of root could be taken back.");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0);
}

/* Ends where the user has not enabled this. A home that is not there yet is waited for. A child looks, with the user's rights alone. */
static void expect_login_key(const struct passwd *user, const char *data) {
    char path[4096];
    const char *home = *data == '/' ? data : user->pw_dir;
    int length = snprintf(path, sizeof path, "%s/%s/latchkey/login-key", home, *data == '/' ? "" : data);
    if (length < 0 || (size_t)length >= sizeof path) fail("The path of the login key is too long.");
    for (;; rest("The home")) {
        pid_t child = fork();
        if (child == 0) {
            become(user);
            _exit(access(path, F_OK) == 0 ? 0 : access(home, X_OK) == 0 ? 1 : 2);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) fail("The home cannot be looked at: %m");
        if (WEXITSTATUS(status) == 0) return;
        if (WEXITSTATUS(status) == 1) fail(NULL);
    }
}

/* Connects to the socket of that user and of nobody else: no link is followed to it, and its file has to belong to the user. */
static int connection(const struct passwd *user, const char *runtime) {
    char path[4096];
    int length = *runtime != '\0' ? snprintf(path, sizeof path, "%s/latchkey", runtime)
                                  : snprintf(path, sizeof path, "/run/user/%u/latchkey", (unsigned)user->pw_uid);
    if (*path != '/' || length < 0 || (size_t)length >= sizeof path) fail("The runtime directory is none.");
    for (;; rest("The socket of latchkeyd")) {
        struct stat information;
        int folder = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0) continue;
        int file = openat(folder, "latchkeyd.sock", O_PATH | O_NOFOLLOW | O_CLOEXEC);
        close(folder);
        if (file < 0) continue;
        if (fstat(file, &information) != 0 || !S_ISSOCK(information.st_mode) || information.st_uid != user->pw_uid)
            fail("The socket in %s is not the user's.", path);
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", file);
        int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (made < 0) fail("There is no socket: %m");
        bool is_made = connect(made, (struct sockaddr *)&address, sizeof address) == 0;
        close(file);
        if (is_made) return made;
        close(made);
    }
}

/* Sends the text in `secrets->message`. */
static void send_message(int daemon) {
    uint32_t length = strlen(secrets->message);
    struct iovec parts[] = {{&length, sizeof length}, {secrets->message, length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    /* Less than what a socket takes at once. */
    if (sendmsg(daemon, &message, MSG_NOSIGNAL) != (ssize_t)(sizeof length + length)) fail("latchkeyd does not listen: %m");
    explicit_bzero(secrets->message, sizeof secrets->message);
}

/* Receives an answer into `secrets->message`. Returns the process that sent it, as the kernel says. */
static pid_t receive_answer(int daemon, uid_t user) {
    size_t count = 0, expected = sizeof(uint32_t);
    uint32_t length = 0;
    pid_t sender = 0;
    while (count < expected) {
        union { char bytes[CMSG_SPACE(sizeof(struct ucred))]; struct cmsghdr aligned; } control;
        void *place = count < sizeof length ? (char *)&length + count : secrets->message + (count - sizeof length);
        size_t room = count < sizeof length ? sizeof length - count : expected - count;
        struct iovec part = {place, room};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        ssize_t got = recvmsg(daemon, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail("latchkeyd ended the connection.");
        for (struct cmsghdr *one = CMSG_FIRSTHDR(&message); one != NULL; one = CMSG_NXTHDR(&message, one)) {
            if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_CREDENTIALS) continue;
            struct ucred peer;
            memcpy(&peer, CMSG_DATA(one), sizeof peer);
            if (peer.uid != user || (sender != 0 && sender != peer.pid)) fail("Another process answered for latchkeyd.");
            sender = peer.pid;
        }
        count += got;
        if (count == sizeof length) {
            if (length == 0 || length >= sizeof secrets->message) fail("latchkeyd answered at too great length.");
            expected = sizeof length + length;
        }
    }
    secrets->message[length] = '\0';
    return sender;
}

/* Whether a process runs the latchkeyd in the folder of this program, where this program runs too: in a namespace of its own a user can
   state any process as the sender. */
static bool is_latchkeyd(pid_t process) {
    char path[4096], link[64];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    if (length <= 0 || process <= 0) return false;
    path[length] = '\0';
    char *end = strrchr(path, '/');
    if (end == NULL) return false;
    strcpy(end, "/latchkeyd");
    struct stat own, its;
    snprintf(link, sizeof link, "/proc/%d/ns/pid", (int)process);
    if (stat("/proc/self/ns/pid", &own) != 0 || stat(link, &its) != 0 || own.st_ino != its.st_ino) return false;
    snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
    return stat(path, &own) == 0 && stat(link, &its) == 0 && own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

/* The whole number of a member of the answer; 0 where there is none. */
static uint32_t number_of(const char *member) {
    char name[32];
    snprintf(name, sizeof name, "\"%s\":", member);
    const char *found = strstr(secrets->message, name);
    unsigned long value = found != NULL ? strtoul(found + strlen(name), NULL, 10) : 0;
    return value <= UINT32_MAX ? value : 0;
}

static bool read_salt(uint8_t salt[SALT]) {
    static const char name[] = "\"salt\":\"";
    const char *found = strstr(secrets->message, name);
    if (found == NULL || strnlen(found + sizeof name - 1, 2 * SALT) < 2 * SALT) return false;
    for (int index = 0; index < SALT; index++)
        if (sscanf(found + sizeof name - 1 + 2 * index, "%2hhx", &salt[index]) != 1) return false;
    return true;
}

static void derive(const char *password, const uint8_t salt[SALT], uint32_t memory, uint32_t passes, uint32_t lanes, uint8_t key[KEY]) {
    argon2_context context = {.out = key, .outlen = KEY, .pwd = (uint8_t *)password, .pwdlen = strlen(password),
                              .salt = (uint8_t *)salt, .saltlen = SALT, .t_cost = passes, .m_cost = memory, .lanes = lanes,
                              .threads = lanes, .version = ARGON2_VERSION_13};
    int status = argon2id_ctx(&context);
    if (status != ARGON2_OK) fail("The key cannot be derived: %s.", argon2_error_message(status));
}

static void append_hexadecimal(const uint8_t *bytes, int count) {
    static const char digits[] = "0123456789abcdef";
    char *end = secrets->message + strlen(secrets->message);
    for (int index = 0; index < count; index++) {
        *end++ = digits[bytes[index] >> 4];
        *end++ = digits[bytes[index] & 15];
    }
    *end = '\0';
}

/* Appends to `secrets->message`, which has room for all that is sent. */
static void append(const char *text) {
    strcat(secrets->message, text);
}

static void begin_request(const char *method) {
    sprintf(secrets->message, "{\"id\":3,\"jsonrpc\":\"2.0\",\"method\":\"login.%s\",\"params\":{\"key\":{\"secret\":\"", method);
}

/* Sends a request and says whether the daemon carried it out. It writes why not into its own journal. */
static bool request(int daemon, uid_t user) {
    send_message(daemon);
    receive_answer(daemon, user);
    return strstr(secrets->message, "\"result\"") != NULL;
}

int main(int count, char **arguments) {
    openlog("latchkey-login", LOG_PID, LOG_AUTH);
    if (count != 5 || geteuid() != 0) fail("pam_latchkey.so starts this as root.");
    /* passwd(1) leaves the user as the real one, who could stop this. */
    if (setresgid(0, 0, 0) != 0 || setresuid(0, 0, 0) != 0) fail("The rights of root are not whole: %m");
    protect();
    setpriority(PRIO_PROCESS, 0, 10);
    bool is_renewal = strcmp(arguments[1], "renew") == 0, has_two = is_renewal || strcmp(arguments[1], "rewrap") == 0;
    const struct passwd *user = getpwnam(arguments[2]);
    if (user == NULL) fail("There is no user %s.", arguments[2]);
    expect_login_key(user, arguments[4]);

    int daemon = connection(user, arguments[3]), on = 1;
    if (setsockopt(daemon, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) fail("The kernel does not say who answers: %m");
    strcpy(secrets->message, "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"params\":{\"client\":{\"name\":\"latchkey-login\",\"version\":\"1\"},\"protocol\":1}}");
    send_message(daemon);
    pid_t process = receive_answer(daemon, user->pw_uid);
    int descriptor = syscall(SYS_pidfd_open, process, 0);
    if (descriptor < 0 || !is_latchkeyd(process)) fail("What answers is not the latchkeyd beside this program.");

    /* The name of this request cannot be guessed, so nobody can have answered it before latchkeyd was looked at. */
    uint8_t name[SALT];
    if (getrandom(name, sizeof name, 0) != sizeof name) fail("There are no random bytes: %m");
    strcpy(secrets->message, "{\"id\":\"");
    append_hexadecimal(name, sizeof name);
    char id[2 * SALT + 8];
    snprintf(id, sizeof id, "%s\"", secrets->message + 1);
    append("\",\"jsonrpc\":\"2.0\",\"method\":\"login.terms\",\"params\":{}}");
    send_message(daemon);
    if (receive_answer(daemon, user->pw_uid) != process || strstr(secrets->message, id) == NULL || !is_latchkeyd(process))
        fail("What answers is not the latchkeyd beside this program.");
    /* Its number was not given to another process meanwhile. */
    if (poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, 0) != 0) fail("latchkeyd has ended.");
    close(descriptor);
    become(user);

    uint8_t salt[SALT], next_salt[SALT];
    uint32_t memory = number_of("memoryKiB"), passes = number_of("iterations"), lanes = number_of("parallelism"), locks = number_of("locks");
    /* An error: unlocking at login is not enabled. */
    if (!read_salt(salt)) fail(NULL);
    if (memory < least_memory || memory > most_memory || passes < least_passes || passes > most_passes || lanes < least_lanes
        || lanes > most_lanes)
        fail("The cost that latchkeyd states is out of bounds.");

    size_t length = 0;
    for (ssize_t got; length < LIMIT - 1 && (got = read(0, secrets->passwords + length, LIMIT - 1 - length)) != 0;) {
        if (got < 0 && errno != EINTR) fail("The password cannot be read: %m");
        if (got > 0) length += got;
    }
    const char *old = secrets->passwords, *next = old + strlen(old) + 1;
    if (*old == '\0' || (has_two && (next >= old + length || *next == '\0'))) fail("There is no password.");
    derive(old, salt, memory, passes, lanes, secrets->key);
    if (has_two) {
        if (getrandom(next_salt, SALT, 0) != SALT) fail("There are no random bytes: %m");
        derive(next, next_salt, memory, passes, lanes, secrets->next);
    }
    explicit_bzero(secrets->passwords, sizeof secrets->passwords);

    bool is_done = true;
    if (has_two) {
        begin_request("rewrap");
        append_hexadecimal(secrets->key, KEY);
        append("\"},\"newKey\":{\"secret\":\"");
        append_hexadecimal(secrets->next, KEY);
        append("\"},\"newSalt\":\"");
        append_hexadecimal(next_salt, SALT);
        append("\"}}");
        is_done = request(daemon, user->pw_uid);
        memcpy(secrets->key, secrets->next, KEY);
    }
    if (is_done && (!has_two || is_renewal)) {
        begin_request("unlock");
        append_hexadecimal(secrets->key, KEY);
        sprintf(secrets->message + strlen(secrets->message), "\"},\"locks\":%u}}", locks);
        is_done = request(daemon, user->pw_uid);
    }
    if (!is_done) fail("latchkeyd refused; its own journal says why.");
    explicit_bzero(secrets, sizeof *secrets);
    return 0;
}
