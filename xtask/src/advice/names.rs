//! Asks the package indexes whether every package exists that a step tells to install; writes docs/advice-names.md.
//!
//! In: `node_repair::step::suggested_packages`. One request per name by `curl`, sixteen at a time; Debian's names are asked of
//! `apt-cache`. An index that does not answer is listed as unchecked, never assumed to agree. Needs a network, so no test
//! calls it.

use anyhow::{Context as _, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The page.
const PAGE: &str = "docs/advice-names.md";

/// What an index answered about a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Yes,
    No,
    /// It did not answer.
    Unknown,
}

pub(super) fn check(root: &Path) -> anyhow::Result<()> {
    let mut by_index: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (index, name) in node_repair::step::suggested_packages() {
        by_index.entry(index).or_default().push(name);
    }
    let mut page = "# Packages that steps name\n\n\
        Every package that a step may tell to install, asked of its index by `cargo xtask advice --check-names`.\n\n\
        | index | names | exist | do not exist | index not reached |\n|---|---|---|---|---|\n"
        .to_owned();
    let mut missing = Vec::new();
    for (index, names) in &by_index {
        let found = if *index == "Debian" { of_apt(names)? } else { of_web(index, names)? };
        let count = |wanted: Found| found.iter().filter(|found| **found == wanted).count();
        let (yes, no, unknown) = (count(Found::Yes), count(Found::No), count(Found::Unknown));
        let _ = writeln!(page, "| {index} | {} | {yes} | {no} | {unknown} |", names.len());
        let absent = names.iter().zip(&found).filter(|(_, found)| **found == Found::No).map(|(name, _)| name);
        missing.extend(absent.map(|name| format!("{index}: {name}")));
    }
    crate::write(root, PAGE, &page)?;
    ensure!(missing.is_empty(), "names that their index does not have:\n{}", missing.join("\n"));
    println!("every name exists that an index was reached for; written to {PAGE}");
    Ok(())
}

fn of_apt(names: &[String]) -> anyhow::Result<Vec<Found>> {
    let known = crate::output_of(Command::new("apt-cache").arg("pkgnames"))?;
    let known: BTreeSet<&str> = known.lines().collect();
    Ok(names.iter().map(|name| if known.contains(name.as_str()) { Found::Yes } else { Found::No }).collect())
}

/// Where an index answers 200 for a package that it has and 404 for one that it has not.
fn address(index: &str, name: &str) -> String {
    let lower = name.to_lowercase();
    match index {
        "PyPI" => format!("https://pypi.org/simple/{}/", lower.replace(['_', '.'], "-")),
        "npm" => format!("https://registry.npmjs.org/{}", name.replace('/', "%2f")),
        "crates.io" => sparse(&lower.replace('_', "-")),
        "RubyGems" => format!("https://rubygems.org/api/v1/gems/{name}.json"),
        "LuaRocks" => format!("https://luarocks.org/search?q={name}"),
        "Packagist" => format!("https://repo.packagist.org/p2/{name}.json"),
        "Maven" => {
            let (group, artifact) = name.split_once(':').unwrap_or((name, ""));
            format!("https://repo1.maven.org/maven2/{}/{artifact}/maven-metadata.xml", group.replace('.', "/"))
        }
        _ => format!("https://api.nuget.org/v3-flatcontainer/{lower}/index.json"),
    }
}

/// A crate in the sparse index: `se/rd/serde`.
fn sparse(name: &str) -> String {
    let directory = match name.len() {
        1 | 2 => name.len().to_string(),
        3 => format!("3/{}", &name[..1]),
        _ => format!("{}/{}", &name[..2], &name[2..4]),
    };
    format!("https://index.crates.io/{directory}/{name}")
}

fn of_web(index: &str, names: &[String]) -> anyhow::Result<Vec<Found>> {
    let mut wanted: Vec<Vec<String>> = names.iter().map(|name| vec![address(index, name)]).collect();
    if index == "crates.io" {
        // The index has one spelling of a name; an import has underscores for both.
        for (urls, name) in wanted.iter_mut().zip(names) {
            urls.push(sparse(&name.to_lowercase()));
        }
    }
    let all: Vec<String> = wanted.iter().flatten().cloned().collect();
    let codes = status_codes(&all)?;
    let of_one = |urls: &Vec<String>| {
        let codes: Vec<u16> = urls.iter().map(|url| codes.get(url).copied().unwrap_or_default()).collect();
        match () {
            () if codes.contains(&200) => Found::Yes,
            () if codes.iter().all(|code| matches!(code, 404 | 410 | 451)) => Found::No,
            () => Found::Unknown,
        }
    };
    Ok(wanted.iter().map(of_one).collect())
}

/// The status of each address; 0 where nothing answered.
fn status_codes(urls: &[String]) -> anyhow::Result<BTreeMap<String, u16>> {
    let arguments =
        ["--parallel", "--parallel-max", "16", "--silent", "--location", "--max-time", "30", "--config", "-"];
    let mut curl = Command::new("curl")
        .args(arguments)
        .args(["--write-out", "%{http_code} %{url}\n"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("curl is needed")?;
    let config: String = urls.iter().map(|url| format!("url = \"{url}\"\noutput = \"/dev/null\"\n")).collect();
    let mut stdin = curl.stdin.take().context("curl has no standard input")?;
    let writer = std::thread::spawn(move || stdin.write_all(config.as_bytes()));
    let output = curl.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("the writer panicked"))??;
    let text = String::from_utf8(output.stdout)?;
    let parse = |line: &str| line.split_once(' ').and_then(|(code, url)| Some((url.to_owned(), code.parse().ok()?)));
    Ok(text.lines().filter_map(parse).collect())
}
