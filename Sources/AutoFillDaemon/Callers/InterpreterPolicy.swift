// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Recognises interpreters: programs that carry out what others wrote. The real caller behind an interpreter is the author of the script,
/// and no executable identifies the author.
///
/// A list of names is never complete. So the policy also looks at how a program is registered, at the libraries it has loaded, and at the
/// script it was started for.
enum InterpreterPolicy {
    /// The known facts about a running program.
    struct Facts: Sendable {
        var path: String
        /// The kernel or the shells' list names it as one that runs others' files.
        var isRegistered = false
        /// Its contents are those of an installed interpreter.
        var isCopy = false
        /// A function of an interpreter that is part of the program itself.
        var function: String?
        /// The script that its arguments name.
        var script: String?
        /// Files that it has mapped as code.
        var code: [String] = []
    }

    /// The reason why a program counts as an interpreter; `nil` if it does not.
    static func reason(_ facts: Facts) -> String? {
        let name = facts.path.lastComponent
        if isNamed(name) { return "\(name) runs code that others wrote" }
        if facts.isRegistered { return "\(facts.path) is registered to run code that others wrote" }
        if facts.isCopy { return "\(name) is a copy of a program that runs code that others wrote" }
        if let function = facts.function { return "\(name) holds \(function), which runs code that others wrote" }
        if let script = facts.script { return "\(name) was started for the script \(script)" }
        if let library = facts.code.map(\.lastComponent).first(where: isLibrary) {
            return "\(name) has \(library) loaded, which runs code that others wrote"
        }
        return nil
    }

    /// Whether a file name is an interpreter's, whatever its version.
    static func isNamed(_ file: String) -> Bool {
        let name = file.lowercased()
        if names.contains(name) || beginnings.contains(where: name.hasPrefix) { return true }
        // python3.11, lua5.4, ruby-3.2, perl5.36.0, php8.2, guile-3.0, node-20
        var stem = name[...]
        while let last = stem.last, last.isNumber || last == "." || last == "-" || last == "_" {
            stem = stem.dropLast()
        }
        return names.contains(String(stem))
    }

    /// Functions that interpreters export for the modules that they load.
    static let functions = [
        "Py_BytesMain", "Py_RunMain", "Py_Main", "perl_parse", "perl_run", "ruby_run_node", "luaL_newstate",
        "lua_newstate",
        "Tcl_MainEx", "Tcl_Main", "node_module_register", "JNI_CreateJavaVM", "JS_NewRuntime", "php_execute_script",
        "mono_jit_exec", "scm_boot_guile", "emacs_module_init", "pypy_execute_source",
    ]

    /// Whether a library contains an interpreter.
    private static func isLibrary(_ file: String) -> Bool {
        libraries.contains { library in
            guard file.hasPrefix(library) else { return false }
            // `libruby-3.1.so`, `libpython3.11.so.1.0`, `libjvm.so`; not `librubyish.so`.
            return file.dropFirst(library.count).first.map { !$0.isLetter } ?? false
        }
    }

    /// Names without version and suffix.
    private static let names: Set<String> = [
        // Shells, and programs that replace themselves with another one.
        "sh", "bash", "dash", "zsh", "ksh", "mksh", "lksh", "fish", "csh", "tcsh", "yash", "elvish", "nu", "pwsh",
        "rbash",
        "busybox", "toybox", "env", "script", "expect", "xonsh", "rc", "es", "osh", "screen", "tmux",
        // Languages.
        "awk", "gawk", "mawk", "nawk", "original-awk", "sed", "python", "pypy", "micropython", "perl", "ruby", "jruby",
        "mruby",
        "node", "nodejs", "deno", "bun", "php", "php-cli", "php-cgi", "php-fpm", "lua", "luajit", "tclsh", "wish",
        "guile",
        "racket", "gracket", "sbcl", "clisp", "ecl", "ccl", "scheme", "chicken", "csi", "gosh", "r", "rscript", "julia",
        "octave", "octave-cli", "ghc", "ghci", "runghc", "runhaskell", "ocaml", "ocamlrun", "erl", "erlexec",
        "beam.smp", "elixir", "iex", "escript", "swift", "swift-frontend", "gjs", "gjs-console", "cjs", "cjs-console",
        "qjs", "d8", "js", "mujs", "janet", "raku", "rakudo", "moar", "groovy", "kotlin", "scala", "clojure", "java",
        "javaw", "jshell", "jexec", "mono", "mono-sgen", "dotnet", "csharp", "electron", "nw", "emacs", "vim", "nvim",
        "gdb", "lldb", "pike", "rexx", "regina", "m4", "bc", "dc", "ed", "sqlite", "make", "gmake", "ninja",
        // Emulators, loaders, and programs that run another one inside themselves.
        "wine", "wine64", "wine-preloader", "wine64-preloader", "box64", "box86", "fex", "fexinterpreter", "valgrind",
        "strace", "ltrace", "rr", "proot", "runsc", "wasmtime", "wasmer", "wasmedge",
    ]
    private static let beginnings = ["qemu-", "ld-linux", "ld-musl", "ld-2.", "ld.so", "ld64.so", "python", "pypy"]
    private static let libraries = [
        "libpython", "libpypy", "libperl", "libruby", "libnode", "libjvm", "libmozjs-", "libgjs", "libcjs", "liblua",
        "libluajit",
        "libguile-", "libtcl", "libmonosgen-", "libmono-", "libcoreclr", "libphp", "libR", "libjulia", "liboctinterp",
        "libv8",
    ]
}

extension String {
    /// The part after the last slash.
    fileprivate var lastComponent: String {
        lastPathPart
    }
}
