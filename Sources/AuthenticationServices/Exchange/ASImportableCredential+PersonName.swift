// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A person's name.
    public struct PersonName: Codable, Hashable, Sendable {
        /// What stands before it.
        public var title: ASImportableEditableField?
        /// The given name.
        public var given: ASImportableEditableField?
        /// What the person is called.
        public var givenInformal: ASImportableEditableField?
        /// Further given names.
        public var given2: ASImportableEditableField?
        /// What stands before the surname.
        public var surnamePrefix: ASImportableEditableField?
        /// The surname.
        public var surname: ASImportableEditableField?
        /// A second surname.
        public var surname2: ASImportableEditableField?
        /// What stands after it.
        public var credentials: ASImportableEditableField?
        /// Junior, senior or a number.
        public var generation: ASImportableEditableField?

        /// A name of what there is.
        public init(
            title: ASImportableEditableField?,
            given: ASImportableEditableField?,
            givenInformal: ASImportableEditableField?,
            given2: ASImportableEditableField?,
            surnamePrefix: ASImportableEditableField?,
            surname: ASImportableEditableField?,
            surname2: ASImportableEditableField?,
            credentials: ASImportableEditableField?,
            generation: ASImportableEditableField?
        ) {
            self.title = title
            self.given = given
            self.givenInformal = givenInformal
            self.given2 = given2
            self.surnamePrefix = surnamePrefix
            self.surname = surname
            self.surname2 = surname2
            self.credentials = credentials
            self.generation = generation
        }
    }
}
