// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// libxml2 declares converters of the system's ICU. Swift's Foundation carries another ICU with other definitions of the same
// names, and Swift refuses both in one program. Nothing here uses these converters.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
