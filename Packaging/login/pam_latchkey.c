// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* PAM module (pam(3)): unlocks Latchkey with the password of the login.

     auth      optional   pam_latchkey.so
     password  optional   pam_latchkey.so
     session   optional   pam_latchkey.so

   The auth line keeps the password. The session line hands it over a pipe to latchkey-login and wipes it. The password line keeps the old
   and the new password in a login, and hands both over where there is none (passwd(1)). Nothing here waits for latchkey-login, so the login
   goes on whatever becomes of it. The module never asks for a password, never refuses a login, opens no file of the user's, and starts no
   thread.

   Arguments, in /etc/pam.d:
     service=NAME  serve this service, too, but none of those in `never`
     helper=PATH   of latchkey-login
     runtime=DIR   the user's runtime directory; /run/user/UID by default
     data=DIR      the user's data directory, relative to the home; .local/share by default */

#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <security/pam_ext.h>
#include <security/pam_modules.h>

#ifndef HELPER
#define HELPER "/usr/lib/latchkey/latchkey-login"
#endif

/* Room for one password, with its end; PAM_MAX_RESP_SIZE of Linux-PAM is the same. */
#define LIMIT 512

/* What is kept between the lines of one login. In a process that is forked from this one it is empty. */
struct stash {
    char user[256];
    char password[LIMIT];
    /* Where the user had to change it: the new one. */
    char next[LIMIT];
};
static const char stash_name[] = "latchkey_stash";

/* Services that log a user in at this computer, with a password. */
static const char *const served[] = {"login", "gdm-password", "lightdm", "sddm", "greetd", "lxdm", "xdm", "wdm", "ly"};
/* Services that are never served: their passwords are not those of a login at this computer, or come from far away. */
static const char *const never[] = {"sudo", "sudo-i", "su", "su-l", "runuser", "runuser-l", "sshd", "ssh", "cron", "crond", "atd",
                                    "doas", "pkexec", "polkit-1", "systemd-user", "remote", "rlogin", "rsh", "telnetd", "xrdp-sesman",
                                    "cockpit", "vsftpd", "dovecot", "samba", "cups"};

static bool has(const char *const *names, size_t count, const char *name) {
    for (size_t index = 0; index < count; index++)
        if (strcmp(names[index], name) == 0) return true;
    return false;
}

static const char *argument(const char *name, int count, const char **arguments) {
    size_t length = strlen(name);
    for (int index = 0; index < count; index++)
        if (strncmp(arguments[index], name, length) == 0 && arguments[index][length] == '=') return arguments[index] + length + 1;
    return NULL;
}

static bool is_served(pam_handle_t *pam, const char *other, int count, const char **arguments) {
    const void *item = NULL;
    if (pam_get_item(pam, PAM_SERVICE, &item) != PAM_SUCCESS || item == NULL) return false;
    const char *service = item;
    /* Somebody who logs in from elsewhere. */
    const void *host = NULL;
    if (pam_get_item(pam, PAM_RHOST, &host) == PAM_SUCCESS && host != NULL && *(const char *)host != '\0') return false;
    if (has(never, sizeof never / sizeof *never, service)) return false;
    if (has(served, sizeof served / sizeof *served, service) || (other != NULL && strcmp(service, other) == 0)) return true;
    for (int index = 0; index < count; index++)
        if (strncmp(arguments[index], "service=", 8) == 0 && strcmp(arguments[index] + 8, service) == 0) return true;
    return false;
}

/* Pages of its own: locked, in no core dump, and wiped in every process that is forked from this one. */
static struct stash *new_stash(void) {
    struct stash *stash = mmap(NULL, sizeof *stash, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stash == MAP_FAILED) return NULL;
    if (mlock(stash, sizeof *stash) != 0 || madvise(stash, sizeof *stash, MADV_DONTDUMP) != 0
        || madvise(stash, sizeof *stash, MADV_WIPEONFORK) != 0) {
        munmap(stash, sizeof *stash);
        return NULL;
    }
    return stash;
}

static void wipe(pam_handle_t *pam, void *data, int status) {
    (void)pam, (void)status;
    if (data == NULL) return;
    explicit_bzero(data, sizeof(struct stash));
    munmap(data, sizeof(struct stash));
}

/* What the auth line of this user has kept; NULL where there is nothing. */
static struct stash *kept(pam_handle_t *pam) {
    const void *data = NULL, *user = NULL;
    if (pam_get_data(pam, stash_name, &data) != PAM_SUCCESS || data == NULL) return NULL;
    if (pam_get_item(pam, PAM_USER, &user) != PAM_SUCCESS || user == NULL) return NULL;
    struct stash *stash = (struct stash *)data;
    return *stash->password != '\0' && strcmp(stash->user, user) == 0 ? stash : NULL;
}

/* The password that is known at this moment; NULL where there is none. It belongs to PAM. */
static const char *known(pam_handle_t *pam, int kind) {
    const void *item = NULL;
    if (pam_get_item(pam, kind, &item) != PAM_SUCCESS || item == NULL) return NULL;
    size_t length = strnlen(item, LIMIT);
    return length > 0 && length < LIMIT ? item : NULL;
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written, count -= written;
    }
    return true;
}

/* Starts a process that the program around does not see as its child: the end of the process raises no SIGCHLD, and waiting for any child
   does not return it. Handlers of pthread_atfork(3) do not run. */
static pid_t start_process(int ending) {
    return syscall(SYS_clone, (unsigned long)ending, 0, 0, 0, 0);
}

/* Runs in the new process: only what signal-safety(7) allows, since the program around may have threads. */
static void become_helper(int input, char *const arguments[]) {
    static char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    /* This one ends at once, so that the helper has another parent. */
    if (setsid() < 0 || start_process(SIGCHLD) != 0) _exit(0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Away from the numbers 0 to 2, which the program around may have closed. */
    int from = fcntl(input, F_DUPFD, 3), nowhere = open("/dev/null", O_RDWR);
    if (from < 0 || nowhere < 0 || (nowhere = fcntl(nowhere, F_DUPFD, 3)) < 0) _exit(0);
    if (dup2(from, 0) < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0 || chdir("/") != 0) _exit(0);
    if (close_range(3, ~0U, 0) != 0) _exit(0);
    execve(arguments[0], arguments, environment);
    _exit(0);
}

/* Starts latchkey-login for a user, with passwords on its standard input, and does not wait for it. */
static void hand_over(pam_handle_t *pam, const char *work, const char *password, const char *next, int count, const char **arguments) {
    const void *user = NULL;
    if (pam_get_item(pam, PAM_USER, &user) != PAM_SUCCESS || user == NULL) return;
    const char *helper = argument("helper", count, arguments), *runtime = argument("runtime", count, arguments);
    const char *data = argument("data", count, arguments);
    if (helper == NULL) helper = HELPER;
    if (access(helper, X_OK) != 0) return;
    char *list[] = {(char *)helper, (char *)work, (char *)user, (char *)(runtime != NULL ? runtime : ""),
                    (char *)(data != NULL ? data : ".local/share"), NULL};

    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    /* A pipe takes this much before anybody reads. */
    bool is_written = write_all(ends[1], password, strlen(password) + 1) && (next == NULL || write_all(ends[1], next, strlen(next) + 1));
    close(ends[1]);
    if (is_written) {
        pid_t child = start_process(0);
        if (child == 0) become_helper(ends[0], list);
        if (child > 0)
            while (waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR) {}
        else
            pam_syslog(pam, LOG_WARNING, "latchkey-login cannot be started: %m");
    }
    close(ends[0]);
}

int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)flags;
    pam_set_data(pam, stash_name, NULL, NULL);
    if (!is_served(pam, NULL, count, arguments)) return PAM_IGNORE;
    const char *password = known(pam, PAM_AUTHTOK);
    if (password == NULL) return PAM_IGNORE;
    const void *user = NULL;
    if (pam_get_item(pam, PAM_USER, &user) != PAM_SUCCESS || user == NULL || strlen(user) >= sizeof(((struct stash *)0)->user)) return PAM_IGNORE;
    struct stash *stash = new_stash();
    if (stash == NULL) return PAM_IGNORE;
    strcpy(stash->user, user);
    strcpy(stash->password, password);
    if (pam_set_data(pam, stash_name, stash, wipe) != PAM_SUCCESS) wipe(pam, stash, 0);
    return PAM_IGNORE;
}

static int use_stash(pam_handle_t *pam, int count, const char **arguments) {
    struct stash *stash = is_served(pam, NULL, count, arguments) ? kept(pam) : NULL;
    if (stash != NULL && *stash->next != '\0') hand_over(pam, "renew", stash->password, stash->next, count, arguments);
    else if (stash != NULL) hand_over(pam, "unlock", stash->password, NULL, count, arguments);
    /* Wipes it. */
    pam_set_data(pam, stash_name, NULL, NULL);
    return PAM_IGNORE;
}

/* A screen that is unlocked by a display manager opens no session and renews the credentials instead. */
int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **arguments) {
    if (flags & (PAM_REINITIALIZE_CRED | PAM_REFRESH_CRED)) return use_stash(pam, count, arguments);
    if (flags & PAM_DELETE_CRED) pam_set_data(pam, stash_name, NULL, NULL);
    return PAM_IGNORE;
}

int pam_sm_open_session(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)flags;
    return use_stash(pam, count, arguments);
}

int pam_sm_close_session(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)pam, (void)flags, (void)count, (void)arguments;
    return PAM_IGNORE;
}

int pam_sm_chauthtok(pam_handle_t *pam, int flags, int count, const char **arguments) {
    if (!(flags & PAM_UPDATE_AUTHTOK) || !is_served(pam, "passwd", count, arguments)) return PAM_IGNORE;
    const char *old = known(pam, PAM_OLDAUTHTOK), *new = known(pam, PAM_AUTHTOK);
    /* Root changes the password of another without the old one: then nothing can be carried on. */
    if (old == NULL || new == NULL || strcmp(old, new) == 0) return PAM_IGNORE;
    struct stash *stash = kept(pam);
    /* In a login, whose session is still to be opened, one latchkey-login does both. */
    if (stash != NULL) strcpy(stash->next, new);
    else hand_over(pam, "rewrap", old, new, count, arguments);
    return PAM_IGNORE;
}
