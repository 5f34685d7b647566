// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

#ifndef LATCHKEY_CONFINE_H
#define LATCHKEY_CONFINE_H

/* Takes from this process what reading the network's bytes does not need, for good: privileges that a program could gain,
   sockets of this machine, other programs, other processes, files that are written, memory and time without end.

   To be called before there is a second thread. 0, or the errno of the first step that failed. */
int latchkey_confine(void);

/* The same for a program that serves as long as another one lives: without the limit on processor time. */
int latchkey_confine_server(void);

/* The same for a program that needs nothing but its standard input and output: no sockets at all, no files, no second process,
   and ten seconds of processor time. */
int latchkey_confine_reader(void);

#endif
