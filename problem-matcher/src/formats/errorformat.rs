//! Vim's `errorformat`: a list of scanf-like patterns, as `:help errorformat` describes them.
//!
//! A string may hold several patterns with commas between them (`\,` is a comma itself). A pattern is translated into a
//! regular expression; its first letter (`%E`, `%C`, `%Z`, `%P`, ...) determines what a line that matches does to the entry under
//! construction. Folders that are entered and left (`%D`, `%X`) are not followed, since the file is quoted as printed.

use super::definition::{Definition, Text, severity_of};
use super::matcher::Match;
use crate::lines::{Line, Lines};
use recovery_types::{Problem, Severity};
use regex::{Captures, Regex};

/// A list of patterns, ready to match.
#[derive(Debug)]
pub(super) struct Errorformat {
    formats: Vec<Format>,
}

#[derive(Debug)]
struct Format {
    regexp: Regex,
    role: Role,
    flag: Flag,
}

/// What a line that matches does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It is a problem of its own.
    Whole,
    /// It starts a problem of several lines, with this severity if the letter gives one.
    Start(Option<Severity>),
    /// It continues the problem.
    Continue,
    /// It ends the problem.
    End,
    /// It is a general message.
    General,
    /// It names the file of the lines below.
    PushFile,
    /// It ends the lines that belong to that file.
    PopFile,
}

/// `%-` and `%+` before the letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    None,
    /// The line is not reported.
    Drop,
    /// The whole line is the message.
    WholeLine,
}

impl Errorformat {
    /// Translates and compiles all patterns of `strings`.
    pub fn compile(strings: &[Text]) -> Result<Self, String> {
        let formats = strings
            .iter()
            .flat_map(|string| split(string))
            .map(|part| Format::compile(&part))
            .collect::<Result<_, _>>()?;
        Ok(Self { formats })
    }

    /// Everything that the patterns recognise, with the index of its first line.
    pub fn find_all(&self, definition: &Definition, lines: &Lines<'_>) -> Vec<(usize, Match)> {
        let mut all: Vec<(usize, Match)> = Vec::new();
        let mut files: Vec<String> = Vec::new();
        let mut is_open = false;
        for (index, line) in lines.iter().enumerate() {
            let matched = self.formats.iter().find_map(|format| {
                let is_continuation = matches!(format.role, Role::Continue | Role::End);
                (is_open || !is_continuation).then(|| Some((format, format.regexp.captures(line.text)?))).flatten()
            });
            let Some((format, captures)) = matched else {
                is_open = false;
                continue;
            };
            match format.role {
                Role::PushFile => files.extend(captures.name("f").map(|file| file.as_str().to_owned())),
                Role::PopFile => drop(files.pop()),
                Role::General if format.flag == Flag::Drop => is_open = false,
                Role::Whole | Role::Start(_) | Role::General => {
                    is_open = matches!(format.role, Role::Start(_));
                    let mut problem = Problem::new(definition.severity, String::new());
                    problem.tool = Some(definition.tool.clone().into_owned());
                    problem.file = files.last().cloned();
                    if let Role::Start(Some(severity)) = format.role {
                        problem.severity = severity;
                    }
                    format.fill(&mut problem, &captures, line);
                    all.push((index, Match { problems: vec![problem], lines: 1 }));
                }
                Role::Continue | Role::End => {
                    if let Some((start, Match { problems, lines })) = all.last_mut() {
                        format.fill(&mut problems[0], &captures, line);
                        *lines = index + 1 - *start;
                    }
                    is_open = format.role == Role::Continue;
                }
            }
        }
        all.retain(|(_, matched)| !matched.problems[0].message.is_empty());
        all
    }
}

impl Format {
    fn compile(part: &str) -> Result<Self, String> {
        let mut rest = part;
        let mut flag = Flag::None;
        let mut role = Role::Whole;
        if let Some(after) = rest.strip_prefix('%') {
            let (after, given) = match after.as_bytes().first() {
                Some(b'-') => (&after[1..], Flag::Drop),
                Some(b'+') => (&after[1..], Flag::WholeLine),
                _ => (after, Flag::None),
            };
            let letter = after.chars().next().and_then(role_of);
            if let Some(given_role) = letter {
                (role, flag, rest) = (given_role, given, &after[1..]);
            } else if given != Flag::None {
                return Err(format!("errorformat `{part}`: `%-` and `%+` need a letter"));
            }
        }
        let regexp = translate(rest).map_err(|problem| format!("errorformat `{part}`: {problem}"))?;
        let regexp = Regex::new(&regexp).map_err(|error| format!("errorformat `{part}`: {error}"))?;
        Ok(Self { regexp, role, flag })
    }

    fn fill(&self, problem: &mut Problem, captures: &Captures<'_>, line: &Line<'_>) {
        let text = |name| captures.name(name).map(|group| group.as_str());
        let number = |name| text(name).and_then(|digits| digits.parse().ok());
        problem.file = text("f").map(str::to_owned).or(problem.file.take());
        problem.line = number("l").or(problem.line);
        problem.column = number("c").or_else(|| Some(text("p")?.chars().count() as u64 + 1)).or(problem.column);
        problem.end_line = number("e").or(problem.end_line);
        problem.end_column = number("k").or(problem.end_column);
        problem.code = text("n").map(str::to_owned).or(problem.code.take());
        problem.severity = text("t").and_then(severity_of).unwrap_or(problem.severity);
        let message = match self.flag {
            Flag::Drop => None,
            Flag::WholeLine => Some(line.text),
            Flag::None => text("m"),
        };
        let Some(message) = message.map(str::trim).filter(|message| !message.is_empty()) else { return };
        if problem.message.is_empty() {
            problem.message = message.to_owned();
            problem.text_line = Some(u64::from(line.number));
        } else {
            problem.message.push('\n');
            problem.message.push_str(message);
        }
    }
}

fn role_of(letter: char) -> Option<Role> {
    Some(match letter {
        'E' => Role::Start(Some(Severity::Error)),
        'W' => Role::Start(Some(Severity::Warning)),
        'I' | 'N' => Role::Start(Some(Severity::Note)),
        'A' => Role::Start(None),
        'C' => Role::Continue,
        'Z' => Role::End,
        'G' => Role::General,
        'P' | 'O' => Role::PushFile,
        'Q' => Role::PopFile,
        _ => return None,
    })
}

/// The patterns of one string.
fn split(string: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = string.chars().peekable();
    while let Some(c) = chars.next() {
        let last = parts.last_mut().expect("there is always one");
        match c {
            // `\,` is a comma, `\ ` a space; what follows `%\` belongs to the expression.
            '\\' if !last.ends_with('%') && matches!(chars.peek(), Some(',' | ' ' | '\\')) => last.extend(chars.next()),
            ',' => parts.push(String::new()),
            _ => last.push(c),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The regular expression of a pattern.
fn translate(pattern: &str) -> Result<String, String> {
    let mut regexp = String::from("^");
    let mut chars = pattern.chars();
    let mut given = String::new();
    while let Some(c) = chars.next() {
        if c != '%' {
            regexp.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
            continue;
        }
        let item = chars.next().ok_or("it ends with `%`")?;
        let group = match item {
            'f' => r"(?:[A-Za-z]:)?(?:\\ |[^ ])+?",
            'l' | 'c' | 'v' | 'e' | 'k' => r"\d+",
            'n' => r"-?\d+",
            't' => ".",
            'm' | 's' | 'o' => ".+",
            'r' => ".*",
            'p' => r"[- \t.]*",
            '.' => {
                regexp.push('.');
                continue;
            }
            '#' => {
                regexp.push('*');
                continue;
            }
            '^' | '$' | '[' => {
                regexp.push(item);
                continue;
            }
            '~' | '%' => {
                regexp.push_str(&regex::escape(item.encode_utf8(&mut [0; 4])));
                continue;
            }
            '*' => {
                skip(&mut regexp, &mut chars)?;
                continue;
            }
            '\\' => {
                escaped(&mut regexp, chars.next().ok_or("it ends with `%\\`")?)?;
                continue;
            }
            'D' | 'X' => return Err("folders (`%D`, `%X`) are not followed".to_owned()),
            other => return Err(format!("`%{other}` is not known")),
        };
        let name = if item == 'v' { 'c' } else { item };
        if given.contains(name) {
            return Err(format!("`%{item}` occurs twice"));
        }
        given.push(name);
        regexp.push_str(&format!("(?P<{name}>{group})"));
    }
    regexp.push('$');
    Ok(regexp)
}

/// `%*[...]` and `%*\D`: characters that are passed over.
fn skip(regexp: &mut String, chars: &mut std::str::Chars<'_>) -> Result<(), String> {
    match chars.next() {
        Some('[') => {
            regexp.push('[');
            for c in chars.by_ref() {
                regexp.push(c);
                if c == ']' {
                    regexp.push('+');
                    return Ok(());
                }
            }
            Err("`%*[` has no end".to_owned())
        }
        Some('\\') => {
            escaped(regexp, chars.next().ok_or("it ends with `%*\\`")?)?;
            regexp.push('+');
            Ok(())
        }
        _ => Err("`%*` needs `[...]` or a class".to_owned()),
    }
}

/// `%\` and a letter: an item of Vim's regular expressions.
fn escaped(regexp: &mut String, letter: char) -> Result<(), String> {
    match letter {
        'd' | 'D' | 's' | 'S' | 'w' | 'W' => {
            regexp.push('\\');
            regexp.push(letter);
        }
        '+' | '?' | '(' | ')' | '|' => regexp.push(letter),
        '=' => regexp.push('?'),
        '<' | '>' => regexp.push_str(r"\b"),
        'a' => regexp.push_str("[A-Za-z]"),
        'u' => regexp.push_str("[A-Z]"),
        'l' => regexp.push_str("[a-z]"),
        'x' => regexp.push_str("[0-9A-Fa-f]"),
        other if !other.is_alphanumeric() => regexp.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        other => return Err(format!("`%\\{other}` is not known")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a definition with these patterns finds, one line per problem.
    fn found(formats: &[&str], text: &str) -> Vec<String> {
        let toml = format!("id = \"x\"\nerrorformat = {formats:?}\n");
        let definition: Definition = toml::from_str(&toml).unwrap();
        let super::super::Matching::Errorformat(strings) = &definition.matching else { panic!("it is an errorformat") };
        let lines = Lines::of(text);
        let entry = |(_, matched): (usize, Match)| {
            let Problem { severity, message, file, line, column, .. } = &matched.problems[0];
            format!("{}|{line:?}|{column:?}|{severity}|{message}", file.as_deref().unwrap_or("-"))
        };
        Errorformat::compile(strings).unwrap().find_all(&definition, &lines).into_iter().map(entry).collect()
    }

    #[test]
    fn a_line_is_a_problem() {
        assert_eq!(
            found(&["%f:%l:%c: %m", "%f:%l: %m"], "a.c:3:7: no\nb.c:4: yes\nnothing"),
            ["a.c|Some(3)|Some(7)|error|no", "b.c|Some(4)|None|error|yes"]
        );
    }

    #[test]
    fn commas_split_and_escaped_ones_do_not() {
        assert_eq!(
            found(&[r"%f(%l\,%c): %trror %m,%f(%l\,%c): %tarning %m"], "a.cs(3,7): warning CS1: x"),
            ["a.cs|Some(3)|Some(7)|warning|CS1: x"]
        );
    }

    #[test]
    fn a_problem_may_take_several_lines() {
        let formats = ["%E%f:%l: error: %m", "%W%f:%l: warning: %m", "%Z%p^", "%C%.%#", "%-G%.%#"];
        let text = "x.scala:6: error: missing argument list\n  error\n  ^\nx.scala:4: warning: never used\n    val\n    ^\n1 error";
        assert_eq!(
            found(&formats, text),
            ["x.scala|Some(6)|Some(3)|error|missing argument list", "x.scala|Some(4)|Some(5)|warning|never used"]
        );
    }

    #[test]
    fn a_line_may_name_the_file_of_those_below() {
        let formats = ["%-P%f", r"%*[ ]%l:%c%*[ ]%trror%*[ ]%m", "%-Q"];
        assert_eq!(
            found(&formats, "a.js\n  3:1  error  no\n  4:2  error  yes\n\nb.js\n  1:1  error  last"),
            ["a.js|Some(3)|Some(1)|error|no", "a.js|Some(4)|Some(2)|error|yes", "b.js|Some(1)|Some(1)|error|last"]
        );
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for wrong in ["%f:%y", "%f %f", "%-f", "%*x", "%"] {
            assert!(Errorformat::compile(&[Text::from(wrong)]).is_err(), "{wrong}");
        }
    }
}
