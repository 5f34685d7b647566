// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* A program that signs a user in by PAM, as login(1) and display managers do, and stops where a test wants to look at it:

     sign_in FOLDER SERVICE USER [passwd | screen]

   FOLDER has the service files. Each question of a module is answered with a line of standard input. It says what it has done, a line
   each, and waits for a line after `authenticated` and after `open`. It wipes what it read. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <security/pam_appl.h>

/* Reads a line without a buffer, which would keep it. */
static void read_line(char *line, size_t room) {
    size_t length = 0;
    while (length + 1 < room && read(0, line + length, 1) == 1 && line[length] != '\n') length++;
    line[length] = '\0';
}

static int converse(int count, const struct pam_message **messages, struct pam_response **answers, void *data) {
    (void)data;
    struct pam_response *list = calloc(count, sizeof *list);
    for (int index = 0; index < count; index++) {
        int style = messages[index]->msg_style;
        if (style != PAM_PROMPT_ECHO_OFF && style != PAM_PROMPT_ECHO_ON) continue;
        list[index].resp = calloc(1, 512);
        read_line(list[index].resp, 512);
    }
    *answers = list;
    return PAM_SUCCESS;
}

static int said(const char *what, int status) {
    printf("%s %d\n", what, status);
    fflush(stdout);
    return status;
}

static void pause_here(void) {
    char line[16];
    read_line(line, sizeof line);
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    const char *work = count > 4 ? arguments[4] : "login";
    struct pam_conv conversation = {converse, NULL};
    pam_handle_t *pam = NULL;
    int status = pam_start_confdir(arguments[2], arguments[3], &conversation, arguments[1], &pam);
    if (status != PAM_SUCCESS) return said("start", status);
    /* What the environment of a login program has is not what its modules start others with. */
    if (getenv("LATER_PRELOAD") != NULL) setenv("LD_PRELOAD", getenv("LATER_PRELOAD"), 1);
    if (getenv("FROM") != NULL) pam_set_item(pam, PAM_RHOST, getenv("FROM"));
    if (strcmp(work, "passwd") == 0) {
        status = said("changed", pam_chauthtok(pam, 0));
    } else {
        if ((status = said("authenticated", pam_authenticate(pam, 0))) != PAM_SUCCESS) goto end;
        if (getenv("FORKS") != NULL) {
            int ended = 0;
            pid_t child = fork();
            if (child == 0) {
                pam_open_session(pam, 0);
                _exit(pam_end(pam, PAM_SUCCESS));
            }
            waitpid(child, &ended, 0);
            said("forked", ended);
        }
        pause_here();
        status = pam_acct_mgmt(pam, 0);
        if (status == PAM_NEW_AUTHTOK_REQD) status = said("changed", pam_chauthtok(pam, PAM_CHANGE_EXPIRED_AUTHTOK));
        if (status != PAM_SUCCESS) goto end;
        if (strcmp(work, "screen") == 0) {
            status = said("open", pam_setcred(pam, PAM_REINITIALIZE_CRED));
        } else {
            pam_setcred(pam, PAM_ESTABLISH_CRED);
            status = said("open", pam_open_session(pam, 0));
        }
        pause_here();
        pam_close_session(pam, 0);
    }
end:
    said("ended", pam_end(pam, status));
    return status;
}
