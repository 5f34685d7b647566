// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/* Stands in for pam_unix: the password of everybody is in the file passwords=FILE. It has expired where FILE.expired is there, and root
   changes it without the old one where FILE.root is. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <security/pam_ext.h>
#include <security/pam_modules.h>

static const char *path(int count, const char **arguments) {
    for (int index = 0; index < count; index++)
        if (strncmp(arguments[index], "passwords=", 10) == 0) return arguments[index] + 10;
    abort();
}

static int is_there(const char *path, const char *ending) {
    char name[4096];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return access(name, F_OK) == 0;
}

static int compare(const char *file, const char *given) {
    char password[512] = "";
    FILE *opened = fopen(file, "r");
    /* Without a buffer, which would keep the password in memory. */
    if (opened != NULL) setvbuf(opened, NULL, _IONBF, 0);
    int is_right = opened != NULL && fgets(password, sizeof password, opened) != NULL && strcmp(password, given) == 0;
    if (opened != NULL) fclose(opened);
    explicit_bzero(password, sizeof password);
    return is_right ? PAM_SUCCESS : PAM_AUTH_ERR;
}

int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)flags;
    const char *given = NULL;
    int status = pam_get_authtok(pam, PAM_AUTHTOK, &given, NULL);
    return status == PAM_SUCCESS ? compare(path(count, arguments), given) : status;
}

int pam_sm_acct_mgmt(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)pam, (void)flags;
    return is_there(path(count, arguments), ".expired") ? PAM_NEW_AUTHTOK_REQD : PAM_SUCCESS;
}

int pam_sm_chauthtok(pam_handle_t *pam, int flags, int count, const char **arguments) {
    const char *file = path(count, arguments), *old = NULL, *new = NULL;
    if (flags & PAM_PRELIM_CHECK) {
        if (is_there(file, ".root")) return PAM_SUCCESS;
        int status = pam_get_authtok(pam, PAM_OLDAUTHTOK, &old, NULL);
        return status == PAM_SUCCESS ? compare(file, old) : status;
    }
    int status = pam_get_authtok(pam, PAM_AUTHTOK, &new, NULL);
    if (status != PAM_SUCCESS) return status;
    FILE *opened = fopen(file, "w");
    if (opened == NULL) return PAM_AUTHTOK_ERR;
    setvbuf(opened, NULL, _IONBF, 0);
    fputs(new, opened);
    fclose(opened);
    char name[4096];
    snprintf(name, sizeof name, "%s.expired", file);
    unlink(name);
    return PAM_SUCCESS;
}

int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **arguments) {
    (void)pam, (void)flags, (void)count, (void)arguments;
    return PAM_SUCCESS;
}

int pam_sm_open_session(pam_handle_t *pam, int flags, int count, const char **arguments) {
    return pam_sm_setcred(pam, flags, count, arguments);
}

int pam_sm_close_session(pam_handle_t *pam, int flags, int count, const char **arguments) {
    return pam_sm_setcred(pam, flags, count, arguments);
}
