//! A command line as far as a hook has to understand it: its simple commands, how they are joined, where output goes.
//!
//! In: the line as the agent gave it to its shell. Out: [`Line`], a list of [`Simple`] commands. This is no shell: command
//! substitutions, subshells and loops are taken apart like lists, here-documents are skipped, and variables stay as
//! they are written. Callers need to know what a line may do or what its exit code means. In doubt the answer is the
//! cautious one: an unknown command may have changed something.
//!
//! The tables that give the commands a meaning are in `benign.rs` (exit codes) and `call/` (everything else).

/// How a command is joined to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `&`
    Background,
    /// `;`, a new line, a parenthesis
    List,
}

/// A program with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    /// The words without quotes, redirections, assignments and wrappers (`env`, `timeout 60`, `sudo`).
    pub words: Vec<String>,
    /// Whether output goes into a file (`> out.txt`, but neither `2>&1` nor `/dev/null`).
    pub writes_file: bool,
    /// How it is joined to the one after it; none for the last one, unless it runs in the background.
    pub join: Option<Join>,
}

impl Simple {
    /// The program's name without its directory.
    pub fn program(&self) -> &str {
        let first = self.words.first().map(String::as_str).unwrap_or_default();
        first.rsplit('/').next().unwrap_or(first)
    }

    /// The first argument that is not an option.
    pub fn subcommand(&self) -> &str {
        self.arguments().find(|word| !word.starts_with('-')).unwrap_or_default()
    }

    /// Everything after the program.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.words.iter().skip(1).map(String::as_str)
    }

    /// Whether it serves, watches or follows something until it is ended from outside.
    pub fn is_endless(&self) -> bool {
        let program = self.program();
        let is_named_so = |word: &str| ["server", "serve", "watch"].iter().any(|part| word.contains(part));
        self.has(&[
            "-f", "-F", "--follow", "--watch", "-w", "dev", "start", "serve", "watch", "runserver", "http.server",
        ]) || is_named_so(program)
            || SERVERS.contains(&program) && !self.has(&["build", "test", "lint"])
            || program == "flask" && self.has(&["run"])
    }

    /// Whether one of `flags` is among the arguments.
    pub fn has(&self, flags: &[&str]) -> bool {
        self.arguments().any(|word| flags.contains(&word))
    }
}

/// Programs that run until they are ended.
const SERVERS: [&str; 10] =
    ["uvicorn", "gunicorn", "hypercorn", "daphne", "vite", "nodemon", "caddy", "mongod", "mysqld", "ngrok"];

/// A command line, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The commands in order.
    pub commands: Vec<Simple>,
}

/// Programs that run the rest of their arguments, with how many of their own arguments come first.
const WRAPPERS: [(&str, usize); 12] = [
    ("env", 0),
    ("time", 0),
    ("timeout", 1),
    ("nice", 0),
    ("nohup", 0),
    ("sudo", 0),
    ("command", 0),
    ("exec", 0),
    ("stdbuf", 0),
    ("xargs", 0),
    ("builtin", 0),
    ("unbuffer", 0),
];
/// Shells that run the text after `-c`.
const SHELLS: [&str; 4] = ["sh", "bash", "zsh", "dash"];
/// Words of the shell's own grammar that come before a command.
const KEYWORDS: [&str; 9] = ["if", "then", "else", "elif", "do", "while", "until", "!", "{"];
/// How deep `sh -c` may be nested.
const DEEPEST: u8 = 3;

impl Line {
    /// Takes `line` apart.
    pub fn parse(line: &str) -> Self {
        let mut commands = Vec::new();
        parse_into(line, 0, &mut commands);
        if let Some(last) = commands.last_mut().filter(|last| last.join != Some(Join::Background)) {
            last.join = None;
        }
        Self { commands }
    }

    /// The last command, whose exit code is the line's own where nothing else was skipped.
    pub fn last(&self) -> Option<&Simple> {
        self.commands.last()
    }
}

fn parse_into(line: &str, depth: u8, commands: &mut Vec<Simple>) {
    let mut lexer = Lexer { rest: line, commands: Vec::new(), current: Raw::default(), depth: 0 };
    lexer.run();
    for raw in lexer.commands {
        let simple = unwrapped(raw);
        let script = SHELLS.contains(&simple.program()).then(|| inline_script(&simple)).flatten();
        match script {
            Some(script) if depth < DEEPEST => {
                parse_into(&script, depth + 1, commands);
                if let Some(last) = commands.last_mut() {
                    last.join = simple.join;
                    last.writes_file |= simple.writes_file;
                }
            }
            _ if simple.words.is_empty() && !simple.writes_file => {}
            _ => commands.push(simple),
        }
    }
}

/// The text after `-c` (also `-lc`, `-ec`).
fn inline_script(simple: &Simple) -> Option<String> {
    let mut words = simple.arguments();
    words.find(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
    words.next().map(str::to_owned)
}

/// A command as lexed: words before wrappers and assignments are taken off.
#[derive(Default)]
struct Raw {
    words: Vec<String>,
    writes_file: bool,
    join: Option<Join>,
}

fn unwrapped(raw: Raw) -> Simple {
    let mut words = raw.words;
    while let Some(first) = words.first() {
        if KEYWORDS.contains(&first.as_str()) || is_assignment(first) {
            words.remove(0);
            continue;
        }
        let name = first.rsplit('/').next().unwrap_or(first);
        let Some((_, own)) = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name) else { break };
        // `command -v x` asks; it runs nothing.
        if name == "command" && words.get(1).is_some_and(|word| word.starts_with("-v") || word.starts_with("-V")) {
            break;
        }
        let mut skip = 1;
        while words.get(skip).is_some_and(|word| word.starts_with('-')) {
            let takes_value = matches!(words[skip].as_str(), "-n" | "-u" | "-I" | "-k" | "-s" | "-P" | "-L");
            skip += 1 + usize::from(takes_value && words.get(skip + 1).is_some());
        }
        skip += own;
        if skip >= words.len() {
            break;
        }
        words.drain(..skip);
    }
    Simple { words, writes_file: raw.writes_file, join: raw.join }
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

struct Lexer<'a> {
    rest: &'a str,
    commands: Vec<Raw>,
    current: Raw,
    /// How many command substitutions this one is within.
    depth: u32,
}

/// Command substitutions within each other that are parsed: real lines have fewer, and each is searched for its end.
const MAX_DEPTH: u32 = 8;
/// What separates words. No other space does in a shell: a no-break space or a form feed is part of a word.
const BLANKS: [char; 3] = [' ', '\t', '\r'];

impl Lexer<'_> {
    fn run(&mut self) {
        let mut heredocs: Vec<String> = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches(BLANKS);
            let Some(c) = self.rest.chars().next() else { break };
            match c {
                '\n' => {
                    self.take(1);
                    for end in std::mem::take(&mut heredocs) {
                        self.skip_heredoc(&end);
                    }
                    self.end(Join::List);
                }
                '#' => self.take(self.rest.find('\n').unwrap_or(self.rest.len())),
                '&' if self.rest.starts_with("&&") => self.end_with(2, Join::And),
                '&' if self.rest.starts_with("&>") => self.redirect(2),
                '|' if self.rest.starts_with("||") => self.end_with(2, Join::Or),
                '|' if self.rest.starts_with("|&") => self.end_with(2, Join::Pipe),
                '|' => self.end_with(1, Join::Pipe),
                '&' => self.end_with(1, Join::Background),
                ';' | '(' | ')' => self.end_with(1, Join::List),
                '<' if self.rest.starts_with("<<<") => {
                    self.take(3);
                    self.word();
                }
                '<' if self.rest.starts_with("<<") => {
                    self.take(2);
                    self.take(usize::from(self.rest.starts_with('-')));
                    heredocs.extend(self.word());
                }
                '<' => {
                    self.take(1);
                    self.word();
                }
                '>' => self.redirect(1),
                digit if digit.is_ascii_digit() && self.rest[1..].starts_with('>') => self.redirect(2),
                _ => {
                    let word = self.word();
                    self.current.words.extend(word);
                }
            }
        }
        self.end(Join::List);
    }

    fn take(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn end_with(&mut self, bytes: usize, join: Join) {
        self.take(bytes);
        self.end(join);
    }

    fn end(&mut self, join: Join) {
        let mut raw = std::mem::take(&mut self.current);
        if !raw.words.is_empty() || raw.writes_file {
            raw.join = Some(join);
            self.commands.push(raw);
        }
    }

    /// `>`, `>>`, `>|`, `>&1`, `&>`: where the output goes.
    fn redirect(&mut self, bytes: usize) {
        self.take(bytes);
        self.take(self.rest.len() - self.rest.trim_start_matches(['>', '|']).len());
        if let Some(after) = self.rest.strip_prefix('&') {
            let number = after.chars().take_while(|c| c.is_ascii_digit() || *c == '-').count();
            if number > 0 {
                self.take(1 + number);
                return;
            }
            self.take(1);
        }
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let target = self.word().unwrap_or_default();
        self.current.writes_file |= !matches!(target.as_str(), "/dev/null" | "/dev/stderr" | "/dev/stdout");
    }

    fn skip_heredoc(&mut self, end: &str) {
        while !self.rest.is_empty() {
            let length = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
            let line = &self.rest[..length];
            let is_end = line.trim() == end;
            self.take(length);
            if is_end {
                return;
            }
        }
    }

    /// One word, quotes taken off. A command substitution within it becomes a command of its own.
    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        let mut any = false;
        let mut quoted = false;
        while let Some(c) = self.rest.chars().next() {
            if !quoted && (BLANKS.contains(&c) || "\n|&;()<>".contains(c)) {
                break;
            }
            any = true;
            self.take(c.len_utf8());
            match c {
                '"' => quoted = !quoted,
                '\'' if !quoted => {
                    let end = self.rest.find('\'').unwrap_or(self.rest.len());
                    word.push_str(&self.rest[..end]);
                    self.take((end + 1).min(self.rest.len()));
                }
                '\\' => {
                    let next = self.rest.chars().next();
                    self.take(next.map_or(0, char::len_utf8));
                    word.extend(next.filter(|next| *next != '\n'));
                }
                '`' => {
                    let end = self.rest.find('`').unwrap_or(self.rest.len());
                    self.substitution(&self.rest[..end]);
                    self.take((end + 1).min(self.rest.len()));
                }
                '$' if self.rest.starts_with('(') => {
                    let inner = balanced(self.rest);
                    self.substitution(inner.trim_start_matches('(').trim_end_matches(')'));
                    self.take(inner.len());
                    word.push('$');
                }
                c => word.push(c),
            }
        }
        any.then_some(word)
    }

    fn substitution(&mut self, script: &str) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let depth = self.depth + 1;
        let mut inner = Lexer { rest: script, commands: Vec::new(), current: Raw::default(), depth };
        inner.run();
        self.commands.append(&mut inner.commands);
    }
}

/// From the parenthesis at the start of `text` to the one that closes it.
fn balanced(text: &str) -> &str {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return &text[..=at];
                }
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(line: &str) -> Vec<String> {
        Line::parse(line).commands.iter().map(|simple| simple.words.join(" ")).collect()
    }

    /// These made no progress, or took time that grew with the square of the length.
    #[test]
    fn odd_spaces_and_deep_substitutions_end() {
        assert_eq!(words("ls\u{a0}-la; a\u{c}b \u{b}"), ["ls\u{a0}-la", "a\u{c}b \u{b}"]);
        assert_eq!(words("\u{2028}x\u{85}"), ["\u{2028}x\u{85}"]);
        let line = "$(".repeat(100_000);
        assert!(words(&line).len() <= 10);
    }

    #[test]
    fn lines_are_taken_apart() {
        for (line, expected) in [
            ("cd src && grep -rn TODO .", vec!["cd src", "grep -rn TODO ."]),
            ("grep -rnE 'foo|bar;baz' src", vec!["grep -rnE foo|bar;baz src"]),
            ("RUST_BACKTRACE=1 timeout 60 cargo test 2>&1 | tail -20", vec!["cargo test", "tail -20"]),
            ("npm test # again", vec!["npm test"]),
            ("bash -lc \"cd x && make\"", vec!["cd x", "make"]),
            ("python3 - <<'E'\nrm -rf /\nE\nls", vec!["python3 -", "ls"]),
            ("echo $(git rev-parse HEAD)", vec!["git rev-parse HEAD", "echo $"]),
            ("if [ -f a ]; then make; fi", vec!["[ -f a ]", "make", "fi"]),
            ("sudo -u me env A=1 npm ci", vec!["npm ci"]),
            ("command -v jq", vec!["command -v jq"]),
            ("a & b", vec!["a", "b"]),
            ("", vec![]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    #[test]
    fn only_files_count_as_written() {
        for (line, writes) in [
            ("a > b", true),
            ("a 2>&1", false),
            ("a >/dev/null 2>&1", false),
            ("a &> log", true),
            ("a >> b", true),
            ("echo 'a > b'", false),
        ] {
            assert_eq!(Line::parse(line).commands[0].writes_file, writes, "{line}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_too_odd(line in r#"([a-z$(){}`'"\\|&;<>#\n =é-]|<<|\$\(|>&1){0,40}"#) {
            let _ = Line::parse(&line);
        }
    }
}
