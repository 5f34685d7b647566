// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// What Swift cannot call of libcurl, because it is variadic, and the one thing that libcurl leaves to OpenSSL: which names of a
// certificate count. Everything else of libcurl is called from Swift by its own name.
#ifndef LATCHKEY_CCURL_H
#define LATCHKEY_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// Prepares libcurl, once for each process, before any other call. False if libcurl cannot be used: its TLS must be OpenSSL of the
/// version that this program was built with, because the check of names speaks to that library.
bool latchkey_curl_start(void);

CURLcode latchkey_curl_set_number(CURL *curl, CURLoption option, long value);
/// libcurl copies the text. A null text means libcurl's default; for a proxy that is the environment's.
CURLcode latchkey_curl_set_text(CURL *curl, CURLoption option, const char *text);
/// The list must live as long as the handle.
CURLcode latchkey_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *list);
/// PEM certificates in the place of the system's bundle; libcurl copies them.
CURLcode latchkey_curl_set_roots(CURL *curl, const void *pem, size_t size);

/// Called with each header line or part of the body; a result other than `count` ends the transfer.
typedef size_t (*latchkey_curl_part)(char *bytes, size_t size, size_t count, void *context);
/// Sets what is called with header lines, with parts of the body, and at least once a second.
CURLcode latchkey_curl_set_callbacks(
    CURL *curl, latchkey_curl_part header, latchkey_curl_part body, curl_xferinfo_callback progress, void *context);

/// Called before each connection; a socket, or CURL_SOCKET_BAD where that address is not to be connected to.
typedef curl_socket_t (*latchkey_curl_opening)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
CURLcode latchkey_curl_set_opening(CURL *curl, latchkey_curl_opening open, void *context);
/// The address itself, of whatever family, which is longer than the structure says.
const struct sockaddr *latchkey_curl_address(const struct curl_sockaddr *address);
/// A socket for an address, not connected and closed on exec; CURL_SOCKET_BAD if there is none.
curl_socket_t latchkey_curl_open(const struct curl_sockaddr *address);

/// Demands that a subject alternative name of the certificate matches (RFC 9525, section 6): a DNS name, or the address if `host` is
/// one. A common name never counts, and `*` stands for one whole label. `host` must live as long as the handle.
CURLcode latchkey_curl_demand_name(CURL *curl, char *host);

/// A number that libcurl knows of the last transfer; 0 if it does not know it.
long latchkey_curl_number(CURL *curl, CURLINFO info);
/// The path of the system's bundle of root certificates, or null.
const char *latchkey_curl_system_roots(CURL *curl);

/// Whether these bytes are PEM certificates, at least one, each of which can be read.
bool latchkey_are_certificates(const void *pem, size_t size);

#endif
