//! Reports with structure, one file per tool or family.
//!
//! A report is a function that looks at the line under a cursor and yields a problem, its kind and how many lines it was
//! read from. To add one, write the function and its literals in a file here and list it below; on one line the first that applies
//! wins, so that a specific report takes precedence over a general one.

use crate::matcher::Report;

mod beam;
mod build;
mod cpp;
mod deno;
mod dotnet;
mod functional;
mod go;
mod gradle;
mod java;
mod javascript;
mod lisp;
mod maven;
mod php;
mod pytest;
mod python;
mod ruby;
mod rust;
mod scala;
mod scenarios;
mod science;
mod scripts;
mod stack;
mod swift;
mod tap;
mod tools;

/// All reports.
pub(crate) const REPORTS: &[Report] = &[
    pytest::BLOCK,
    pytest::SUMMARY,
    python::UNITTEST,
    python::TRIAL,
    python::FATAL,
    python::IPYTHON,
    python::TRACEBACK,
    python::DOCTEST,
    python::SYNTAX,
    rust::JSON,
    rust::COMPILER,
    rust::TEST,
    rust::PANIC,
    rust::OVERFLOW,
    rust::NEXTEST,
    rust::CARGO,
    go::TEST,
    go::GOCHECK,
    go::RACE,
    go::PANIC,
    go::IMPORTS,
    go::PACKAGE,
    maven::SUREFIRE,
    maven::SUREFIRE_SUMMARY,
    maven::SUREFIRE_OLD,
    maven::COMPILER,
    java::JAVAC,
    maven::GOAL,
    gradle::TEST,
    gradle::BUILD,
    scala::SCALATEST,
    scala::SPECS2,
    scala::MUNIT,
    scala::UTEST,
    java::ANT_JUNIT,
    java::JUNIT_CORE,
    java::TESTNG,
    beam::EXUNIT,
    beam::EXCEPTION,
    beam::EUNIT,
    beam::REBAR,
    beam::COMMON_TEST,
    ruby::RSPEC,
    ruby::RSPEC_SUMMARY,
    ruby::MINITEST,
    ruby::MINITEST_REPORTERS,
    ruby::RAKE,
    ruby::EXCEPTION,
    php::PHPUNIT,
    php::PHPSPEC,
    php::TESTDOX,
    php::PEST,
    php::SYMFONY,
    php::COMPOSER,
    php::FATAL,
    functional::HSPEC,
    functional::TASTY,
    functional::HUNIT,
    functional::QUICKCHECK,
    functional::DART,
    functional::FLUTTER,
    functional::OUNIT,
    functional::NIM,
    functional::ZIG,
    dotnet::DOTNET_TEST,
    dotnet::TESTING_PLATFORM,
    dotnet::NUNIT,
    swift::XCTEST,
    swift::XCPRETTY,
    swift::SWIFT_TESTING,
    swift::FAILING_TESTS,
    cpp::GTEST,
    cpp::GTEST_SUMMARY,
    cpp::CATCH2,
    cpp::DOCTEST,
    cpp::BOOST,
    cpp::CPPUNIT,
    cpp::CMOCKA,
    cpp::CTEST,
    cpp::SANITIZER,
    cpp::VALGRIND,
    cpp::AUTOMAKE,
    lisp::ERT,
    lisp::BUTTERCUP,
    lisp::CLOJURE_TEST,
    lisp::MIDJE,
    lisp::CLOJURE,
    lisp::RACKUNIT,
    science::TESTTHAT,
    science::JULIA_TEST,
    science::JULIA,
    scenarios::GHERKIN,
    scenarios::ROBOT,
    tools::MKDOCS,
    tools::GRUNT_JSHINT,
    tools::SNAKEMAKE,
    scripts::PESTER,
    scripts::POWERSHELL,
    scripts::BUSTED,
    scripts::SHUNIT,
    scripts::TCLTEST,
    scripts::VADER,
    scripts::VIM,
    tap::TAP,
    tap::TEST_MORE,
    tap::BATS,
    tap::JUNIT_XML,
    deno::TEST,
    javascript::JEST,
    javascript::MOCHA_JSON,
    javascript::UVU,
    javascript::VITEST,
    javascript::KARMA,
    javascript::MOCHA,
    javascript::NODE_TEST,
    javascript::AVA,
    stack::STACK,
    pytest::LOOSE,
    python::PIP,
    build::MAKE,
    build::CMAKE,
    build::OTHERS,
];
