//! Data that its reader does not accept: JSON, YAML, XML, TOML, CSV, encodings.

use super::{Row, decisive};
use recovery_types::ErrorType::{CompileError, FileNotFound, RuntimeException, WrongOutputFormat};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("jq.parse", "parse error", WrongOutputFormat, "jq: parse error: Invalid numeric literal at line 1, column 10", "PHP Parse error: syntax error").tool("jq").pattern(r"^(?:jq: )?parse error(?: \([^)]*\))?: .* at line \d+"),
    decisive("jq.runtime", "jq: error (at", RuntimeException, "jq: error (at data.json:0): string (\"x\") has no keys", "jq: ok").tool("jq"),
    decisive("jq.compile", "jq: error: syntax error", CompileError, "jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line 1:", "jq").tool("jq"),
    decisive("yaml.mapping", "mapping values are not allowed", WrongOutputFormat, "yaml.scanner.ScannerError: mapping values are not allowed here", "mapping"),
    decisive("yaml.parser", "yaml.", WrongOutputFormat, "yaml.parser.ParserError: while parsing a block mapping", "a.yaml.bak").pattern(r"\byaml\.(?:parser|scanner|composer|constructor|reader)\.\w+Error"),
    decisive("yaml.exception", "yamlexception", WrongOutputFormat, "YAMLException: bad indentation of a mapping entry (3:5)", "yaml"),
    decisive("yaml.parsing", "error parsing yaml", WrongOutputFormat, "error parsing YAML: line 3", "parsing"),
    decisive("yaml.load", "proper yaml", WrongOutputFormat, "Parse error when loading .yarnrc.yml; please check it's proper Yaml", "yaml"),
    decisive("yaml.tab", "found character that cannot start any token", WrongOutputFormat, "found character that cannot start any token", "token"),
    decisive("json.invalid", "invalid json", WrongOutputFormat, "Error: invalid JSON: trailing comma at line 3", "valid json").pattern(r"(?i)\binvalid json\b(?: [^p]|[^ ]|$)"),
    decisive("json.not-valid", "not valid json", WrongOutputFormat, "error: response is not valid JSON", "valid json"),
    decisive("json.unmarshal", "json: cannot unmarshal", WrongOutputFormat, "json: cannot unmarshal string into Go value of type int", "unmarshal"),
    decisive("json.invalid-character", "invalid character '", WrongOutputFormat, "invalid character '<' looking for beginning of value", "character").pattern(r"looking for beginning|after (?:object|array|top-level)|in (?:string|literal|numeric)"),
    decisive("json.go-end", "unexpected end of json input", WrongOutputFormat, "unexpected end of JSON input", "json"),
    decisive("json.serde", "at line ", WrongOutputFormat, "Error: expected value at line 1 column 1", "look at line 3").pattern(r"(?:expected value|EOF while parsing|missing field `\w+`|invalid type: .*|trailing (?:comma|characters)|unknown field `\w+`.*|key must be a string|expected `.` or `.`|expected ident) at line \d+ column \d+"),
    decisive("json.parse-failed", "failed to parse json", WrongOutputFormat, "Failed to parse JSON response", "parsed"),
    decisive("json.parse-error", "json parse error", WrongOutputFormat, "JSON parse error: Unexpected character", "json"),
    decisive("toml.parse", "toml parse error", WrongOutputFormat, "TOML parse error at line 3, column 5", "toml"),
    decisive("toml.decode", "tomldecodeerror", WrongOutputFormat, "tomllib.TOMLDecodeError: Invalid value (at line 3, column 5)", "toml"),
    decisive("xml.not-well-formed", "not well-formed (invalid token)", WrongOutputFormat, "xml.parsers.expat.ExpatError: not well-formed (invalid token): line 1, column 3", "xml"),
    decisive("xml.parse", "parseerror: ", WrongOutputFormat, "xml.etree.ElementTree.ParseError: no element found: line 1, column 0", "parse").pattern(r"ElementTree\.ParseError|ExpatError|XMLSyntaxError"),
    decisive("xml.sax", "saxparseexception", WrongOutputFormat, "org.xml.sax.SAXParseException; lineNumber: 3; columnNumber: 5;", "sax"),
    decisive("xml.lint", "parser error :", WrongOutputFormat, "a.xml:3: parser error : Opening and ending tag mismatch", "parser").tool("xmllint"),
    decisive("csv.error", "error tokenizing data", WrongOutputFormat, "pandas.errors.ParserError: Error tokenizing data. C error: Expected 3 fields", "data"),
    decisive("yaml.not-find-expected", "did not find expected", WrongOutputFormat, "did not find expected ',' or ']'", "did find"),
    decisive("data.utf8", "invalid utf-8", WrongOutputFormat, "error: stream did not contain valid UTF-8 / invalid utf-8 sequence", "utf-8").word(),
    decisive("data.utf8-stream", "did not contain valid utf-8", WrongOutputFormat, "stream did not contain valid UTF-8", "utf-8"),
    decisive("data.schema", "schema validation", WrongOutputFormat, "error: schema validation failed: missing property", "schema validation ok").pattern(r"(?i)schema validation (?:failed|error)|does not match (?:the )?(?:expected )?(?:json )?schema"),
    decisive("data.output-format", "output format", WrongOutputFormat, "The output format is invalid: expected JSON", "output format: json").pattern(r"(?i)(?:wrong|invalid|unexpected|bad) output format|output format is (?:invalid|wrong)"),
    decisive("archive.bad-zip", "badzipfile", WrongOutputFormat, "zipfile.BadZipFile: File is not a zip file", "zip"),
    decisive("archive.corrupt", "unexpected end of data", WrongOutputFormat, "gzip: a.gz: unexpected end of data", "data").word(),
    decisive("image.unidentified", "cannot identify image file", WrongOutputFormat, "PIL.UnidentifiedImageError: cannot identify image file 'a.png'", "image"),
    decisive("xml.entity", "failed to load external entity", FileNotFound, "warning: failed to load external entity \"report.xml\"", "entity").tool("xmllint").pattern(r"^(?:warning: )?failed to load").aside(),
];
