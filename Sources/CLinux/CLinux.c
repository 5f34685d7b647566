// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// Everything is in the header; a C target needs one file to compile.
#include "CLinux.h"
