// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Describes a form apart from its fields: what it is called and what stands around its fields.
public struct FormContext: Sendable, Hashable, Codable {
    /// The `name` attribute.
    public var name: String
    /// The `id` attribute.
    public var identifier: String
    /// The `class` attribute.
    public var classes: String
    /// The path of the `action` URL, without host and query.
    public var actionPath: String
    /// The `method` attribute.
    public var method: String
    /// The texts of the form's buttons, in document order.
    public var buttons: [PageText]
    /// The headings in the form, and the one that it stands under.
    public var headings: [PageText]
    /// The texts of the links in the form, in document order.
    public var links: [PageText]
    /// What stands in the form before its first field, apart from headings, links and buttons.
    public var lead: String

    /// Describes a form; whatever is left out is absent from the page.
    public init(
        name: String = "",
        identifier: String = "",
        classes: String = "",
        actionPath: String = "",
        method: String = "",
        buttons: [PageText] = [],
        headings: [PageText] = [],
        links: [PageText] = [],
        lead: String = ""
    ) {
        self.name = name
        self.identifier = identifier
        self.classes = classes
        self.actionPath = actionPath
        self.method = method
        self.buttons = buttons
        self.headings = headings
        self.links = links
        self.lead = lead
    }
}
