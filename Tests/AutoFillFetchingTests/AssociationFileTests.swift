// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillFetching

@Suite struct AssociationFileTests {
    private static let shiny = "E5336VM85F.com.example.Shiny"

    private func apps(_ text: String, type: String? = nil) throws -> [String] {
        try AssociationFile(Array(text.utf8), type: type).apps
    }

    @Test(
        "the file of WWDC 2017, session 206, and others like it",
        arguments: [
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#,
            " \n{\n  \"webcredentials\": {\n    \"apps\": [ \"E5336VM85F.com.example.Shiny\" ]\n  }\n}\n",
            #"{"applinks":{"apps":[],"details":[{"appID":"x","paths":["*"]}]},"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"],"more":1}}"#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny","E5336VM85F.com.example.Shiny"]}}"#,
            #"{"webcredentials":{"apps":["","*","no identifier","E5336VM85F.com.example.Shiny","\u0000"]}}"#,
            #"{"secret":"x","webcredentials":{"apps":["\u00455336VM85F.com.example.Shiny"]}}"#,
        ])
    func readsFiles(text: String) throws {
        #expect(try apps(text) == [Self.shiny])
    }

    @Test func aFileMayNameNobody() throws {
        #expect(try apps(#"{"webcredentials":{"apps":[]}}"#) == [])
    }

    @Test(
        "S23: a file of another shape names nobody",
        arguments: [
            "", " ", "null", "1", "\"x\"", "[]", "{}", "<html></html>", " \n<!DOCTYPE html>", "nonsense",
            #"{"webcredentials":"#, #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}"#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny""#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}{}"#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}} x"#,
            #"{"webcredentials":["E5336VM85F.com.example.Shiny"]}"#,
            #"{"webcredentials":{"apps":"E5336VM85F.com.example.Shiny"}}"#,
            #"{"webcredentials":{"apps":{"0":"E5336VM85F.com.example.Shiny"}}}"#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny",1]}}"#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny",null]}}"#,
            #"{"webcredentials":{"apps":[["E5336VM85F.com.example.Shiny"]]}}"#,
            #"{"webcredentials":{"apps":null}}"#, #"{"webcredentials":null}"#,
            #"{"WebCredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#,
            #"{"webcredentials":{"Apps":["E5336VM85F.com.example.Shiny"]}}"#,
            #"{"applinks":{"apps":["E5336VM85F.com.example.Shiny"]}}"#,
            #"{"apps":["E5336VM85F.com.example.Shiny"]}"#,
            #"{"webcredentials":{"apps":[]},"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#,
            #"{"webcredentials":{"apps":[],"apps":["E5336VM85F.com.example.Shiny"]}}"#,
            #"{'webcredentials':{'apps':['E5336VM85F.com.example.Shiny']}}"#,
            #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny",]}}"#,
            "{\"webcredentials\":{\"apps\":[\"E5336VM85F.com.example.Shiny\"]}} // and a comment",
            "\u{FEFF}{\"webcredentials\":{\"apps\":[\"E5336VM85F.com.example.Shiny\"]}}",
        ])
    func refusesOtherShapes(text: String) {
        #expect(throws: AssociationFile.Fault.self) { try apps(text) }
    }

    @Test func refusesWhatIsNoUTF8() {
        let bytes: [UInt8] =
            Array(#"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny","#.utf8) + [0x22, 0xFF, 0x22]
        #expect(throws: AssociationFile.Fault.self) { try AssociationFile(bytes + Array("]}}".utf8)) }
        let wide = Array(#"{"webcredentials":{"apps":[]}}"#.utf8).flatMap { [$0, UInt8(0)] }
        #expect(throws: AssociationFile.Fault.self) { try AssociationFile([0xFF, 0xFE] + wide) }
    }

    @Test("signed files are refused, and the reason says so")
    func refusesSignedFiles() {
        let text = #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#
        for (bytes, type) in [
            ([0x30, 0x82, 0x01, 0x00] + Array(text.utf8), nil), ([0x30, 0x80] + Array(text.utf8), nil),
            (Array(text.utf8), "application/pkcs7-mime"), (Array(text.utf8), "application/x-PKCS7-mime; x=y"),
        ] as [([UInt8], String?)] {
            #expect { try AssociationFile(bytes, type: type) } throws: { error in
                (error as? AssociationFile.Fault)?.reason.contains("signed") ?? false
            }
        }
    }

    @Test func boundsSizeAndDepth() throws {
        let file = #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#
        let whole = file + String(repeating: " ", count: 131_072 - file.utf8.count)
        #expect(try apps(whole) == [Self.shiny])
        #expect(throws: AssociationFile.Fault(reason: "it is larger than 128 KiB")) { try apps(whole + " ") }
        let deep = String(repeating: "[", count: 60_000) + String(repeating: "]", count: 60_000)
        #expect(throws: AssociationFile.Fault.self) { try apps("{\"x\":\(deep),\"webcredentials\":{\"apps\":[]}}") }
        let pair = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        #expect(try apps("{\"x\":\(pair),\"webcredentials\":{\"apps\":[\"\(Self.shiny)\"]}}") == [Self.shiny])
    }

    @Test func theContentTypeDecidesNothing() throws {
        let file = #"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#
        for type in [nil, "application/json", "text/html", "application/octet-stream", ""] as [String?] {
            #expect(try apps(file, type: type) == [Self.shiny])
        }
    }
}
