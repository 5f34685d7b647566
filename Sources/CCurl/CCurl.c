// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
#include "CCurl.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

bool latchkey_curl_start(void) {
    static const char openssl[] = "OpenSSL/";
    /* At exit OpenSSL would free what a transfer that nobody waits for still uses. */
    if (OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return false;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return false;
    const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    return version != NULL && version->ssl_version != NULL
        && strncmp(version->ssl_version, openssl, sizeof openssl - 1) == 0
        && strtol(version->ssl_version + sizeof openssl - 1, NULL, 10) == OPENSSL_VERSION_MAJOR;
}

CURLcode latchkey_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

CURLcode latchkey_curl_set_text(CURL *curl, CURLoption option, const char *text) {
    return curl_easy_setopt(curl, option, text);
}

CURLcode latchkey_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(curl, option, list);
}

CURLcode latchkey_curl_set_roots(CURL *curl, const void *pem, size_t size) {
    struct curl_blob blob = {(void *)pem, size, CURL_BLOB_COPY};
    return curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob);
}

CURLcode latchkey_curl_set_callbacks(
    CURL *curl, latchkey_curl_part header, latchkey_curl_part body, curl_xferinfo_callback progress, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_XFERINFODATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    return code;
}

CURLcode latchkey_curl_set_opening(CURL *curl, latchkey_curl_opening open, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, context) : code;
}

const struct sockaddr *latchkey_curl_address(const struct curl_sockaddr *address) { return &address->addr; }

curl_socket_t latchkey_curl_open(const struct curl_sockaddr *address) {
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    return descriptor >= 0 ? descriptor : CURL_SOCKET_BAD;
}

static CURLcode demand_name(CURL *curl, void *context, void *host) {
    (void)curl;
    X509_VERIFY_PARAM *parameters = SSL_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_hostflags(
        parameters, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    bool isSet = X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
        || X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1;
    /* A name that is not an address leaves an error behind, which the handshake must not find. */
    ERR_clear_error();
    return isSet ? CURLE_OK : CURLE_SSL_CERTPROBLEM;
}

CURLcode latchkey_curl_demand_name(CURL *curl, char *host) {
    if (host == NULL || host[0] == '\0') return CURLE_BAD_FUNCTION_ARGUMENT;
    CURLcode code = curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, demand_name);
    return code == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_SSL_CTX_DATA, host) : code;
}

long latchkey_curl_number(CURL *curl, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(curl, info, &value) == CURLE_OK ? value : 0;
}

const char *latchkey_curl_system_roots(CURL *curl) {
    char *path = NULL;
    return curl_easy_getinfo(curl, CURLINFO_CAINFO, &path) == CURLE_OK ? path : NULL;
}

bool latchkey_are_certificates(const void *pem, size_t size) {
    if (size > INT_MAX) return false;
    BIO *bytes = BIO_new_mem_buf(pem, (int)size);
    if (bytes == NULL) return false;
    size_t count = 0;
    for (X509 *certificate; (certificate = PEM_read_bio_X509(bytes, NULL, NULL, NULL)) != NULL; count++) {
        X509_free(certificate);
    }
    bool isAtEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    BIO_free(bytes);
    return isAtEnd && count > 0;
}
