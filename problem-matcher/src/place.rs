//! Places in the forms tools print them: `a.rs:3:5`, `a.cs(3,5)`, `a.pl line 3`, `"a.c", line 3`, `a.php on line 3`.
//!
//! [`first`] finds the first place in a piece of text. A place needs a file name: a path or a name with an extension. Web
//! addresses, times and host names with ports are no places. Used by frames, reports and the choice of the best line.

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place<'t> {
    /// The file as printed, without `file://`.
    pub file: &'t str,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
}

/// The number at the beginning of a text.
pub(crate) fn leading_number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The first place in `text`.
pub(crate) fn first(text: &str) -> Option<Place<'_>> {
    let bytes = text.as_bytes();
    if (bytes.starts_with(b"Line ") || bytes.starts_with(b"line "))
        && let Some((place, _)) = after_word(text, 0, 0)
    {
        return Some(place);
    }
    let mut from = 0;
    for at in memchr::memchr3_iter(b':', b'(', b' ', bytes) {
        if at < from {
            continue;
        }
        let found = match bytes[at] {
            b':' => after_colon(text, at),
            b'(' => after_parenthesis(text, at),
            _ => after_word(text, at, at + 1),
        };
        if let Some((place, _)) = found {
            return Some(place);
        }
        from = at + 1;
    }
    None
}

/// `file:3` or `file:3:5`, with the colon at `at`.
fn after_colon(text: &str, at: usize) -> Option<(Place<'_>, usize)> {
    // Maven's `A.java:[3,5]`
    if let Some(inner) = text[at + 1..].strip_prefix('[') {
        let (line, column) = inner.split_once(']')?.0.split_once(',')?;
        let file = file_before(text, at)?;
        return Some((Place { file, line: Some(line.parse().ok()?), column: column.trim().parse().ok() }, at));
    }
    let line = leading_number(&text[at + 1..])?;
    let file = file_before(text, at)?;
    let mut end = at + 1 + digits(&text[at + 1..]);
    let mut column = None;
    // `a.sml:3.5-3.8` and `a.c:3:5`
    if let Some(rest) = text[end..].strip_prefix([':', '.'])
        && let Some(number) = leading_number(rest)
    {
        column = Some(number);
        end += 1 + digits(rest);
    }
    // `host.example:443/x` is an address.
    if text[end..].starts_with('/') {
        return None;
    }
    Some((Place { file, line: Some(line), column }, end))
}

/// `file(3)` or `file(3,5)`, with the parenthesis at `at`.
fn after_parenthesis(text: &str, at: usize) -> Option<(Place<'_>, usize)> {
    let rest = &text[at + 1..];
    let line = leading_number(rest)?;
    let after = &rest[digits(rest)..];
    let (column, after) = match after.strip_prefix(',') {
        Some(second) => (leading_number(second.trim_start()), &second.trim_start()[digits(second.trim_start())..]),
        None => (None, after),
    };
    if !after.starts_with([')', ',']) {
        return None;
    }
    let file = file_before(text, at)?;
    Some((Place { file, line: Some(line), column }, at))
}

/// `file line 3`, `file, line 3`, `"file", line 3`, `file on line 3`, `line 3 of file`, with the word at `word` and what is before
/// it ending at `at`.
fn after_word(text: &str, at: usize, word: usize) -> Option<(Place<'_>, usize)> {
    let rest = &text[word..];
    const WORDS: [&str; 11] = [
        "line ", "Line ", "lines ", "on line ", "at line ", "(line ", "line: ", "in line ", "near line ", "@ line ",
        "(at line ",
    ];
    let number = WORDS.iter().find_map(|word| rest.strip_prefix(word))?;
    let line = leading_number(number)?;
    let before = text[..at].trim_end_matches([' ', ',', ':', ';']);
    let Some(file) = file_before(before, before.len()) else {
        // `line 3 of a.f`, `line 3 in file "a.c"`
        let after = &number[digits(number)..];
        let after = after.trim_start_matches([',', ' ']);
        let (column, after) = column_before(after);
        let after = ["of file ", "in file ", "of ", "in ", "file "].iter().find_map(|word| after.strip_prefix(word))?;
        let file = after.split([' ', ',']).next()?.trim_matches(['"', '\'', '`', ':', ')', '.', ';']);
        let file = file.strip_prefix("file://").unwrap_or(file);
        return is_file_name(file).then_some((Place { file, line: Some(line), column }, at));
    };
    Some((Place { file, line: Some(line), column: column_after(&number[digits(number)..]) }, at))
}

/// The column of `column 5, file a.c` and of `char 8 of a.xml`, and what comes after it.
fn column_before(text: &str) -> (Option<u64>, &str) {
    let number =
        ["column ", "col ", "char ", "character ", "position "].iter().find_map(|word| text.strip_prefix(word));
    match number.and_then(|number| Some((leading_number(number)?, number))) {
        Some((column, number)) => (Some(column), number[digits(number)..].trim_start_matches([',', ' '])),
        None => (None, text),
    }
}

/// The column in `, column 5`, `:5`, `, col: 5`.
fn column_after(text: &str) -> Option<u64> {
    let rest = text.trim_start_matches([',', ' ', ':', ';']);
    let rest =
        ["column", "col", "char", "pos", "position"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    leading_number(rest.trim_start_matches([' ', ':', '.']))
}

/// A line, and perhaps a column, that a text names without a file: `line 3, column 5`, `Line: 3`, `(3:5)`, `3:5  error`.
pub(crate) fn bare(text: &str) -> Option<(u64, Option<u64>)> {
    let lower = text.to_ascii_lowercase();
    for (at, word) in lower.match_indices("line") {
        let is_word = !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = lower[at + word.len()..].trim_start_matches([' ', ':', '=', '#']);
        if is_word && let Some(line) = leading_number(rest).filter(|line| *line > 0) {
            return Some((line, column_after(&rest[digits(rest)..])));
        }
    }
    text.split([' ', '(', ')', '[', ']', ',', '\t', '@']).find_map(|word| {
        let (line, column) = word.trim_end_matches([':', '.']).split_once(':')?;
        let is_number = |part: &str| (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        // `12:30` is a time of day where nothing else is on the line.
        let is_time = line.len() == 2 && column.len() == 2 && word.len() == text.trim().len();
        (is_number(line) && is_number(column) && !is_time).then(|| Some((line.parse().ok()?, column.parse().ok())))?
    })
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// The file name that ends at `end`.
fn file_before(text: &str, end: usize) -> Option<&str> {
    let head = &text[..end];
    if let Some(quote @ ('"' | '\'' | '`')) = head.chars().next_back() {
        let inner = &head[..head.len() - 1];
        let start = inner.rfind(quote).or_else(|| if quote == '\'' { inner.rfind('`') } else { None })?;
        let file = &inner[start + 1..];
        return is_file_name(file).then_some(file);
    }
    let is_end = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | '=' | ',' | ';' | '|' | '│' | '{' | '}' | '❯'
            )
    };
    // Names with brackets (`[id].ts`) and spaces are cut; a path that begins further left is taken whole.
    let start = head.char_indices().rev().find(|&(_, c)| is_end(c)).map_or(0, |(index, c)| index + c.len_utf8());
    let mut file = head.get(start..)?;
    // `function@file` of some browsers; a scope (`@babel/parser`) belongs to the path.
    if let Some((before, rest)) = file.split_once('@')
        && !before.contains('/')
        && !before.is_empty()
    {
        file = rest;
    }
    if let Some(rest) = file.strip_prefix("file://") {
        file = rest;
    } else if let Some((before, rest)) = file.rsplit_once(':') {
        // A drive letter belongs to the path; anything else before a colon does not.
        let is_drive = before.len() == 1 && before.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_scheme = before.ends_with("node") || before.ends_with("webpack") || before.ends_with("package");
        if before.ends_with("http") || before.ends_with("https") || before.ends_with("tcp") {
            return None;
        }
        if !is_drive && !is_scheme {
            file = rest;
        }
    }
    is_file_name(file).then_some(file)
}

/// Whether it is a path or a name with an extension, and not a host, a version or a time.
pub(crate) fn is_file_name(name: &str) -> bool {
    if name.is_empty() || name.len() > 500 || name.contains("://") || name.starts_with("//") {
        return false;
    }
    const NAMES: [&str; 9] = [
        "Makefile", "Dockerfile", "Jenkinsfile", "Gemfile", "Rakefile", "Vagrantfile", "Justfile", "justfile", "go.mod",
    ];
    if NAMES.iter().any(|known| name.ends_with(known)) || name.starts_with('<') || name.starts_with("node:") {
        return true;
    }
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match last.rsplit_once('.') {
        Some((stem, extension)) => {
            let is_extension = (1..=12).contains(&extension.len())
                && extension.starts_with(|c: char| c.is_ascii_alphabetic())
                && extension.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '_'));
            const HOSTS: [&str; 8] = ["com", "org", "net", "io", "dev", "local", "internal", "invalid"];
            is_extension
                && (stem.is_empty() || stem.contains(|c: char| c.is_alphanumeric() || c == '_'))
                && (!stem.is_empty() || name.contains('/'))
                && (name.contains('/') || !HOSTS.contains(&extension))
        }
        None => (name.starts_with('/') || name.starts_with("./") || name.starts_with("../")) && !last.is_empty(),
    }
}

/// The first path in quotes, or the first word that is a path, where a message is about a file without a line.
pub(crate) fn first_path(text: &str) -> Option<&str> {
    let quoted = text.split(['\'', '"', '`', '‘', '’', '“', '”']).skip(1).step_by(2);
    quoted
        .chain(text.split_whitespace().map(|word| {
            word.trim_end_matches([':', ',', ';', ')', '.', '}', '`', '\'', '"']).trim_start_matches(['(', '{'])
        }))
        .find(|word| {
            !word.contains(' ')
                && (word.contains(['/', '\\']) || has_known_extension(word))
                && !word.starts_with('-')
                && is_file_name(word)
                && !word.starts_with('<')
                && !word.starts_with("//")
        })
}

/// Extensions of files that tools name without a directory. Without this list, hosts and dotted names would be files.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "bats", "bin", "c", "cc", "cfg", "clj", "cmake", "coffee", "conf", "cpp", "cs", "csproj", "css", "csv", "cxx", "d", "dart", "db", "ejs", "env", "erl", "ex", "exs", "f90", "fs", "go", "gradle", "graphql", "gz", "h", "hpp", "hs", "html",
    "ini", "ipynb", "jar", "java", "js", "json", "jsx", "kt", "kts", "lock", "log", "lua", "m", "md", "mjs", "ml", "mm", "nix", "php", "pl", "pm", "png", "properties", "proto", "py", "r", "rb", "robot", "rs", "rst", "s", "scala", "scss", "sh", "so", "sql", "sqlite",
    "svelte", "svg", "swift", "tar", "tf", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig", "zip", "mod", "sum", "cjs", "cts", "mts",
];

fn has_known_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
    }) || ["Makefile", "Dockerfile", "Gemfile", "Rakefile", "Jenkinsfile"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_the_forms_tools_print() {
        for (text, file, line, column) in [
            ("src/a.rs:3:5", "src/a.rs", 3, Some(5)),
            ("error at C:\\x\\a.c:3: boom", "C:\\x\\a.c", 3, None),
            ("a.cs(3,5): error", "a.cs", 3, Some(5)),
            ("x.c(12) : fatal error", "x.c", 12, None),
            ("died at a.pl line 3.", "a.pl", 3, None),
            ("\"/home/main.cpp\", line 21: Error", "/home/main.cpp", 21, None),
            ("in /a/b.php on line 39", "/a/b.php", 39, None),
            ("make: Makefile:2: all", "Makefile", 2, None),
            ("lua: a.lua:2: unexpected symbol", "a.lua", 2, None),
            ("(file:///app/a.mjs:1:2)", "/app/a.mjs", 1, Some(2)),
            ("[ERROR] /a/B.java:[3,5] cannot find symbol", "/a/B.java", 3, Some(5)),
            ("a.sml:3.5-3.8 Error: x", "a.sml", 3, Some(5)),
            ("bad name (file: /m/init.pp, line: 5, column: 11)", "/m/init.pp", 5, Some(11)),
            ("syntax error on line 4 of file b.tex", "b.tex", 4, None),
            ("Line 45 of \"foo.c\": undefined", "foo.c", 45, None),
            ("File \"cart.ml\", lines 5-8, characters 20-155:", "cart.ml", 5, None),
            ("Semantic error at line 5, column 7, file cart.pc:", "cart.pc", 5, Some(7)),
            ("in unnamed entity at line 7 char 8 of file:///project/cart.xml", "/project/cart.xml", 7, Some(8)),
        ] {
            assert_eq!(first(text), Some(Place { file, line: Some(line), column }), "{text}");
        }
    }

    #[test]
    fn addresses_times_and_versions_are_no_places() {
        for text in [
            "http://host.example:8080/x",
            "127.0.0.1:5432",
            "12:34:56",
            "example.com:443",
            "foo: 3",
            "x@1.2.3:4",
            "[127.0.0.1]:7222",
        ] {
            assert_eq!(first(text), None, "{text}");
        }
    }

    #[test]
    fn the_path_a_message_is_about_is_found() {
        assert_eq!(first_path("touch: cannot touch '/a/b/c': No such file or directory"), Some("/a/b/c"));
        assert_eq!(first_path("jq: error: Could not open file config.json: No such file"), Some("config.json"));
        let package = "failed to get `serde` as a dependency of package `app v0.1.0 (/work/app)`";
        assert_eq!(first_path(package), Some("/work/app"));
        assert_eq!(first_path("Error: nothing here"), None);
    }
}
