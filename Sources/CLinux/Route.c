// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "latchkey_network.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

struct question {
    struct nlmsghdr header;
    struct rtmsg route;
    struct rtattr protocol_attribute;
    uint32_t protocol;
    struct rtattr attribute;
    unsigned char address[16];
};

int latchkey_is_routed_here(const void *address, size_t count) {
    if (count != 4 && count != 16) {
        errno = EINVAL;
        return -1;
    }
    int channel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (channel < 0) return -1;
    struct question question = {
        .header = {.nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = 1},
        .route = {.rtm_family = count == 4 ? AF_INET : AF_INET6, .rtm_dst_len = (unsigned char)(count * 8)},
        /* Rules may look at it; the port, marks and what a packet filter rewrites are not asked about. */
        .protocol_attribute = {.rta_type = RTA_IP_PROTO, .rta_len = RTA_LENGTH(1)},
        .attribute = {.rta_type = RTA_DST, .rta_len = (unsigned short)RTA_LENGTH(count)},
    };
    *(unsigned char *)&question.protocol = IPPROTO_TCP;
    memcpy(question.address, address, count);
    question.header.nlmsg_len = (uint32_t)(offsetof(struct question, address) + count);
    /* The kernel answers at once; nobody else is heard, but nothing is waited for without end either. */
    struct timeval patience = {.tv_sec = 2};
    setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    union {
        struct nlmsghdr header;
        char room[4096];
    } answer;
    ssize_t got = sendto(
        channel, &question, question.header.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof kernel);
    while (got >= 0) {
        struct sockaddr_nl sender;
        socklen_t size = sizeof sender;
        do got = recvfrom(channel, &answer, sizeof answer, 0, (struct sockaddr *)&sender, &size);
        while (got < 0 && errno == EINTR);
        /* Only the kernel is number 0. */
        if (got < 0 || (size == sizeof sender && sender.nl_pid == 0)) break;
    }
    int failure = got < 0 ? errno : 0;
    close(channel);
    if (failure == 0 && !NLMSG_OK(&answer.header, (size_t)got)) failure = EBADMSG;
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    /* There is no route, or one that ends at once. */
    if (answer.header.nlmsg_type == NLMSG_ERROR) return 0;
    if (answer.header.nlmsg_type != RTM_NEWROUTE || answer.header.nlmsg_len < NLMSG_LENGTH(sizeof(struct rtmsg))) {
        errno = EBADMSG;
        return -1;
    }
    const struct rtmsg *route = NLMSG_DATA(&answer.header);
    return route->rtm_type != RTN_UNICAST;
}
