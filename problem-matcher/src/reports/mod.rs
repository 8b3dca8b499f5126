//! Reports with structure, one file per tool or family.
//!
//! A report is a function that looks at the line under a cursor and yields a problem, its kind and how many lines it was
//! read from. To add one, write the function and its literals in a file here and list it below; on one line the first that applies
//! wins, so that a specific report takes precedence over a general one.

use crate::matcher::Report;

mod beam;
mod build;
mod cpp;
mod dotnet;
mod functional;
mod go;
mod java;
mod javascript;
mod php;
mod pytest;
mod python;
mod ruby;
mod rust;
mod stack;
mod swift;
mod tap;

/// All reports.
pub(crate) const REPORTS: &[Report] = &[
    pytest::BLOCK,
    pytest::SUMMARY,
    python::UNITTEST,
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
    beam::EXUNIT,
    beam::EXCEPTION,
    ruby::RSPEC,
    ruby::RSPEC_SUMMARY,
    ruby::MINITEST,
    ruby::EXCEPTION,
    php::PHPUNIT,
    php::PEST,
    php::SYMFONY,
    php::COMPOSER,
    php::FATAL,
    functional::HSPEC,
    functional::TASTY,
    functional::DART,
    functional::ZIG,
    dotnet::DOTNET_TEST,
    swift::XCTEST,
    swift::SWIFT_TESTING,
    swift::FAILING_TESTS,
    cpp::GTEST,
    cpp::GTEST_SUMMARY,
    cpp::CATCH2,
    cpp::DOCTEST,
    cpp::BOOST,
    cpp::CTEST,
    cpp::SANITIZER,
    tap::TAP,
    tap::TEST_MORE,
    tap::BATS,
    tap::JUNIT_XML,
    javascript::JEST,
    javascript::UVU,
    javascript::VITEST,
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
