//! Packages of a language that are missing.

use crate::Case;
use recovery_types::AdjustmentKind as Kind;

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { by: "bundler, locked", kind: Kind::MatchVersion, there: &[],
        text: "Your bundle is locked to mimic (0.3.5), but that version could not be found in any of the sources listed in your Gemfile." },
    Case { by: "python", kind: Kind::InstallPackage, there: &[],
        text: "Traceback (most recent call last):\n\
               \x20 File \"/srv/app/report.py\", line 3, in <module>\n\
               \x20   import yaml\n\
               ModuleNotFoundError: No module named 'yaml'" },
    Case { by: "python with uv", kind: Kind::InstallPackage, there: &["pyproject.toml", "uv.lock"],
        text: "ModuleNotFoundError: No module named 'httpx'" },
    Case { by: "python with poetry", kind: Kind::InstallPackage, there: &["poetry.lock"],
        text: "ModuleNotFoundError: No module named 'sklearn.metrics'" },
    Case { by: "python -m", kind: Kind::InstallPackage, there: &[],
        text: "/usr/bin/python3: No module named pytest" },
    Case { by: "python without tk", kind: Kind::InstallPackage, there: &[],
        text: "ModuleNotFoundError: No module named 'tkinter'" },
    Case { by: "pip", kind: Kind::CorrectCommand, there: &[],
        text: "ERROR: Could not find a version that satisfies the requirement fastapy (from versions: none)\n\
               ERROR: No matching distribution found for fastapy" },
    Case { by: "node, require", kind: Kind::InstallPackage, there: &[],
        text: "node:internal/modules/cjs/loader:1210\n\
               \x20 throw err;\n\
               \x20 ^\n\
               \n\
               Error: Cannot find module 'left-pad'\n\
               Require stack:\n\
               - /srv/app/index.js\n\
               \x20   at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)" },
    Case { by: "node, import with pnpm", kind: Kind::InstallPackage, there: &["package.json", "pnpm-lock.yaml"],
        text: "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@acme/theme' imported from /srv/app/main.mjs" },
    Case { by: "webpack with yarn", kind: Kind::InstallPackage, there: &["yarn.lock"],
        text: "Module not found: Error: Can't resolve 'lodash/debounce' in '/srv/app/src'" },
    Case { by: "vite", kind: Kind::InstallPackage, there: &[],
        text: "[plugin:vite:import-analysis] Failed to resolve import \"chart.js\" from \"src/Chart.vue\". Does the file exist?" },
    Case { by: "tsc, types", kind: Kind::InstallPackage, there: &[],
        text: "src/server.ts(1,21): error TS7016: Could not find a declaration file for module 'express'. '/srv/app/node_modules/express/index.js' implicitly has an 'any' type." },
    Case { by: "tsc, module", kind: Kind::InstallPackage, there: &[],
        text: "src/api.ts:2:22 - error TS2307: Cannot find module 'zod' or its corresponding type declarations." },
    Case { by: "npm, 404", kind: Kind::CorrectCommand, there: &[],
        text: "npm error code E404\n\
               npm error 404 Not Found - GET https://registry.example.org/reactt - Not found\n\
               npm error 404\n\
               npm error 404  'reactt@*' is not in this registry." },
    Case { by: "rustc, crate", kind: Kind::InstallPackage, there: &[],
        text: "error[E0432]: unresolved import `serde_json`\n\
               \x20--> src/main.rs:1:5\n\
               \x20 |\n\
               1 | use serde_json::Value;\n\
               \x20 |     ^^^^^^^^^^ use of unresolved module or unlinked crate `serde_json`\n\
               \x20 |\n\
               \x20 = help: if you wanted to use a crate named `serde_json`, use `cargo add serde_json` to add it to your `Cargo.toml`" },
    Case { by: "go, package", kind: Kind::InstallPackage, there: &[],
        text: "main.go:4:2: no required module provides package github.com/acme/flags; to add it:\n\
               \tgo get github.com/acme/flags" },
    Case { by: "go, older than the package", kind: Kind::MatchVersion, there: &[],
        text: "context.go:6:2: package slices is not in GOROOT (/usr/lib/go-1.19/src/slices)" },
    Case { by: "cargo, offline", kind: Kind::CorrectCommand, there: &[],
        text: "error: no matching package named `serde_test` found\n\
               location searched: crates.io index\n\
               required by package `acme v0.1.0 (/srv/app)`\n\
               As a reminder, you're using offline mode (--offline) which can sometimes cause surprising resolution failures" },
    Case { by: "ruby, a plugin's file", kind: Kind::InstallPackage, there: &[],
        text: "test/helper.rb:26:in `require': cannot load such file -- minitest/global_expectations/autorun (LoadError)" },
    Case { by: "go, sum", kind: Kind::InstallPackage, there: &[],
        text: "main.go:5:2: missing go.sum entry for module providing package golang.org/x/text/language; to add:\n\
               \tgo get example.org/shop" },
    Case { by: "ruby", kind: Kind::InstallPackage, there: &["Gemfile", "Gemfile.lock"],
        text: "<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in `require': cannot load such file -- nokogiri (LoadError)" },
    Case { by: "bundler", kind: Kind::InstallPackage, there: &[],
        text: "Could not find rack-3.0.8, puma-6.4.2 in locally installed gems\n\
               Run `bundle install` to install missing gems." },
    Case { by: "php", kind: Kind::InstallPackage, there: &[],
        text: "PHP Fatal error:  Uncaught Error: Class \"GuzzleHttp\\Client\" not found in /srv/app/fetch.php:7" },
    Case { by: "composer, extension", kind: Kind::InstallPackage, there: &[],
        text: "  Problem 1\n\
               \x20   - Root composer.json requires PHP extension ext-mbstring * but it is missing from your system. Install or enable PHP's mbstring extension." },
    Case { by: "php, autoload", kind: Kind::InstallPackage, there: &[],
        text: "PHP Warning:  require(/srv/app/vendor/autoload.php): Failed to open stream: No such file or directory in /srv/app/public/index.php on line 3" },
    Case { by: "javac", kind: Kind::InstallPackage, there: &[],
        text: "A.java:1: error: package org.junit.jupiter.api does not exist\n\
               import org.junit.jupiter.api.Test; class A{}\n\
               \x20                           ^\n\
               1 error" },
    Case { by: "java, driver", kind: Kind::InstallPackage, there: &["build.gradle"],
        text: "Exception in thread \"main\" java.lang.ClassNotFoundException: org.postgresql.Driver\n\
               \tat java.base/java.net.URLClassLoader.findClass(URLClassLoader.java:445)" },
    Case { by: "maven, artifact", kind: Kind::CorrectCommand, there: &[],
        text: "[\x1b[1;31mERROR\x1b[m] Failed to execute goal on project shop: Could not resolve dependencies for project org.acme:shop:jar:1: Could not find artifact org.acme:pricing:jar:2.0 in central (https://repo.example.org/maven2)" },
    Case { by: "dotnet", kind: Kind::InstallPackage, there: &[],
        text: "Startup.cs(3,7): error CS0246: The type or namespace name 'Newtonsoft' could not be found (are you missing a using directive or an assembly reference?)" },
    Case { by: "R", kind: Kind::InstallPackage, there: &[],
        text: "Error in library(ggplot2) : there is no package called ‘ggplot2’" },
    Case { by: "perl", kind: Kind::InstallPackage, there: &[],
        text: "Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module) (@INC contains: /etc/perl) at fetch.pl line 2." },
];
