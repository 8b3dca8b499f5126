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
mod java;
mod javascript;
mod lisp;
mod php;
mod pytest;
mod python;
mod ruby;
mod rust;
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
    java::SUREFIRE,
    java::SUREFIRE_SUMMARY,
    java::SUREFIRE_OLD,
    java::MAVEN_COMPILER,
    java::JAVAC,
    java::MAVEN_GOAL,
    java::GRADLE_TEST,
    java::GRADLE,
    java::SCALATEST,
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
    ruby::RAKE,
    ruby::EXCEPTION,
    php::PHPUNIT,
    php::TESTDOX,
    php::PEST,
    php::SYMFONY,
    php::COMPOSER,
    php::FATAL,
    functional::HSPEC,
    functional::TASTY,
    functional::DART,
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
    lisp::ERT,
    lisp::BUTTERCUP,
    lisp::CLOJURE_TEST,
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
