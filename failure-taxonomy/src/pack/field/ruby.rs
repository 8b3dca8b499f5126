//! Ruby, Bundler, RubyGems, RSpec, Minitest, RuboCop.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, LintError, MissingCredentials, MissingDependency,
    NetworkTimeout, PermissionDenied, RuntimeException, ServiceUnavailable, TestFailure, WrongOutputFormat,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("ruby.syntax", ".rb:", CompileError, "a.rb:3: syntax error, unexpected end-of-input", "a.rb:3: warning: unused").tool("ruby").pattern(r"\.rb:\d+: (?:\S+: )?.*syntax error"),
    decisive("ruby.syntax-errors", "syntax errors found", CompileError, "a.rb:3: syntax errors found (SyntaxError)", "syntax").tool("ruby"),
    decisive("ruby.load-error", "cannot load such file", MissingDependency, "cannot load such file -- nokogiri (LoadError)", "load file").tool("ruby"),
    decisive("bundler.not-found", "could not find gem", MissingDependency, "Could not find gem 'rails (~> 9)' in rubygems repository", "found gem").tool("bundler"),
    decisive("bundler.could-not-find", "could not find", MissingDependency, "Could not find nokogiri-1.15 in locally installed gems", "could not find it").tool("bundler").pattern(r"Could not find \S+-[\d.]+ in (?:any of the sources|locally installed gems|cached gems)"),
    decisive("bundler.compatible", "could not find compatible versions", MissingDependency, "Bundler could not find compatible versions for gem \"rack\":", "compatible").tool("bundler"),
    decisive("bundler.resolve", "because every version of", MissingDependency, "Because every version of x depends on y", "every version").tool("bundler"),
    decisive("bundler.gemfile", "could not locate gemfile", FileNotFound, "Could not locate Gemfile or .bundle/ directory", "Gemfile").tool("bundler"),
    decisive("bundler.install-error", "an error occurred while installing", CompileError, "An error occurred while installing pg (1.5), and Bundler cannot continue.", "installed").tool("bundler"),
    decisive("bundler.native", "failed to build gem native extension", CompileError, "ERROR: Failed to build gem native extension.", "native").tool("gem"),
    decisive("bundler.command", "bundler: command not found:", MissingDependency, "bundler: command not found: rspec", "bundler").tool("bundler"),
    decisive("bundler.auth", "authentication is required for", MissingCredentials, "Authentication is required for gems.example.com.", "authentication").tool("bundler"),
    decisive("bundler.bad-auth", "bad username or password for", MissingCredentials, "Bad username or password for https://gems.example.com/.", "username").tool("bundler"),
    decisive("bundler.fetch", "could not fetch specs from", ConnectionFailure, "Could not fetch specs from https://rubygems.org/", "fetched").tool("bundler"),
    decisive("bundler.reach", "could not reach host", ConnectionFailure, "Could not reach host rubygems.org. Check your network connection", "reached").tool("bundler"),
    decisive("gem.not-found", "could not find a valid gem", MissingDependency, "ERROR:  Could not find a valid gem 'railz' (>= 0) in any repository", "valid gem").tool("gem"),
    decisive("gem.missing-spec", "gem::missingspecerror", MissingDependency, "Could not find 'x' (>= 0) among 30 total gem(s) (Gem::MissingSpecError)", "gem").tool("gem"),
    decisive("gem.permission", "gem::filepermissionerror", PermissionDenied, "ERROR:  While executing gem ... (Gem::FilePermissionError)", "gem").tool("gem"),
    decisive("gem.command", "gem::commandlineerror", InvalidArgument, "ERROR:  While executing gem ... (Gem::CommandLineError)", "gem").tool("gem"),
    decisive("rake.task", "don't know how to build task", InvalidArgument, "Don't know how to build task 'spce' (See the list of available tasks with `rake --tasks`)", "task").tool("rake"),
    decisive("rake.file", "no rakefile found", FileNotFound, "No Rakefile found (looking for: rakefile, Rakefile, rakefile.rb, Rakefile.rb)", "Rakefile").tool("rake"),
    decisive("ruby.exception", "error)", RuntimeException, "a.rb:3:in `foo': undefined local variable or method `x' for main:Object (NameError)", "(an error)").tool("ruby").pattern(r"\([A-Z]\w*(?:::\w+)*Error\)$"),
    decisive("ruby.undefined-method", "undefined method", RuntimeException, "a.rb:3:in `<main>': undefined method `foo' for nil:NilClass (NoMethodError)", "methods").tool("ruby").pattern(r"undefined method [`'].*(?:NoMethodError|for nil|for an instance)"),
    summary("rspec.count", " examples, ", TestFailure, "5 examples, 1 failure", "5 examples, 0 failures").tool("rspec").pattern(r"\d+ examples?, [1-9]\d* failures?"),
    success("rspec.ok", " examples, ", "5 examples, 0 failures", "5 examples, 1 failure").pattern(r"[1-9]\d* examples?, 0 failures(?:, \d+ pending)?$"),
    decisive("rspec.failed-examples", "failed examples:", TestFailure, "Failed examples:", "examples").tool("rspec").line_start(),
    suggestive("rspec.outside", "error occurred outside of examples", TestFailure, "0 examples, 0 failures, 1 error occurred outside of examples", "errors").tool("rspec"),
    summary("minitest.count", " runs, ", TestFailure, "3 runs, 5 assertions, 1 failures, 0 errors, 0 skips", "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips").tool("minitest").pattern(r"(?:[1-9]\d* failures|[1-9]\d* errors)"),
    success("minitest.ok", " runs, ", "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips", "3 runs, 5 assertions, 1 failures, 0 errors").pattern(r" 0 failures, 0 errors"),
    summary("test-unit.count", " tests, ", TestFailure, "3 tests, 5 assertions, 1 failures, 0 errors", "3 tests, 5 assertions, 0 failures, 0 errors").tool("test-unit").pattern(r"assertions, (?:[1-9]\d* failures|\d+ failures, [1-9]\d* errors)"),
    summary("rubocop.offenses", " offense", LintError, "33 files inspected, 3 offenses detected", "33 files inspected, no offenses detected").tool("rubocop").pattern(r"[1-9]\d* offenses? detected"),
    success("rubocop.ok", "no offenses detected", "33 files inspected, no offenses detected", "3 offenses detected"),
    decisive("rubocop.case", ".rb:", LintError, "app/a.rb:6:7: C: Style/StringLiterals: Prefer single-quoted strings", "app/a.rb:6:7: ok").tool("rubocop").pattern(r":\d+:\d+: [CWEFR]: (?:\[Correctable\] )?\w+/\w+"),
    decisive("ruby.net-timeout", "timeout)", NetworkTimeout, "protocol.rb:219:in `rbuf_fill': Net::ReadTimeout with #<Socket:(closed)> (Net::ReadTimeout)", "(a timeout)").tool("ruby").pattern(r"\(Net::(?:Read|Open|Write)Timeout\)"),
    decisive("ruby.json", "json::parsererror", WrongOutputFormat, "common.rb:216:in `parse': unexpected token at '<html>' (JSON::ParserError)", "json").tool("ruby"),
    decisive("ruby.bad-response", "bad response ", ServiceUnavailable, "<bad response Service Unavailable 503 (http://x/specs.4.8.gz)>", "bad response").tool("gem").pattern(r" 5\d\d "),
];
