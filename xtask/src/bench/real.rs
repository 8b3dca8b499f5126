//! Whole commands on real logs: `recovery scan` against `rg` with ten common words and Hyperscan with the pack's texts, and the
//! throughput of `recovery problems`.
//!
//! Green and red logs apart, in four sizes: the last 4 KiB of each log, files of up to 1 MiB (longer ones are divided, because
//! most of a longer one is only skimmed), 48 MiB of such files, and 48 MiB in one file. What counts is CPU time, user and
//! system, the least of several rounds in turn, so that a busy machine disturbs little.

use super::programs::Hyperscan;
use super::{cpu_best_of, ratio};
use crate::output_of;
use anyhow::ensure;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const ROUNDS: usize = 7;
const TAIL_BYTES: usize = 4 << 10;
const FILE_BYTES: usize = 1 << 20;
const LARGE_BYTES: usize = 48 << 20;
/// What people search logs for.
const WORDS: [&str; 10] =
    ["error", "failed", "failure", "fatal", "exception", "panic", "not found", "timeout", "refused", "denied"];

pub(super) fn run(
    recovery: &Path,
    hyperscan: Option<&Hyperscan>,
    scratch: &Path,
    logs: &Path,
    page: &mut String,
) -> anyhow::Result<()> {
    ensure!(logs.join("green").is_dir(), "there are no real logs; `cargo xtask bench --logs` makes them");
    say!(
        page,
        "\n## Real logs\n\nOutputs of build tools and test runners, green and red, as `--logs` makes them; a small set is repeated to its size. CPU time of whole\n\
         commands on one core, `recovery scan` with the field pack: how many times as fast as `rg -i -c -F` with ten common words (the aim:\n\
         1x on green logs, 0.5x on red ones), and as Hyperscan that only searches for the texts of the pack, compiled beforehand (the aim: 1x).\n\
         The aims are not reached on many files: the search for the thousands of texts of the pack alone is slower than `rg` with ten words\n\
         (the table of the scan's README), and judging the lines found takes several times as long as the search.\n"
    );
    say!(
        page,
        "| logs | size | `recovery scan` | against `rg` | against Hyperscan | `recovery problems` |\n|---|---:|---:|---:|---:|---:|"
    );
    for kind in ["green", "red"] {
        let texts = texts(&logs.join(kind))?;
        let tails: Vec<&[u8]> = texts.iter().map(|text| &text[text.len().saturating_sub(TAIL_BYTES)..]).collect();
        let files: Vec<&[u8]> = texts.iter().flat_map(|text| text.chunks(FILE_BYTES)).collect();
        let bytes: usize = files.iter().map(|file| file.len()).sum();
        let many: Vec<&[u8]> =
            files.iter().copied().cycle().take(files.len() * LARGE_BYTES.div_ceil(bytes.max(1))).collect();
        let whole = many.concat();
        for (name, files) in [
            ("4 KiB tails", tails),
            ("up to 1 MiB", files),
            ("48 MiB in files of up to 1 MiB", many.clone()),
            ("48 MiB in one file", vec![&whole[..]]),
        ] {
            let dir = scratch.join("real");
            let (paths, bytes) = write(&dir, &files)?;
            let rg = || {
                let mut rg = Command::new("rg");
                rg.args(["-i", "-c", "-a", "-F", "-j", "1"])
                    .args(WORDS.iter().flat_map(|word| ["-e", *word]))
                    .arg(&dir);
                // It exits with 1 where nothing was found.
                rg.output().map(drop).map_err(anyhow::Error::from)
            };
            let scan =
                || output_of(Command::new(recovery).args(["scan", "--ndjson", "--jobs", "1"]).arg(&dir)).map(drop);
            let problems = || {
                paths.iter().take(PROBLEM_FILES).try_for_each(|path| {
                    Command::new(recovery).arg("problems").arg(path).output().map(drop).map_err(anyhow::Error::from)
                })
            };
            let times = cpu_best_of(ROUNDS, &[&rg, &scan])?;
            let problem_bytes: usize = files.iter().take(PROBLEM_FILES).map(|file| file.len()).sum();
            let problem_time = cpu_best_of(PROBLEM_ROUNDS, &[&problems])?[0];
            let speed = |bytes: usize, time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
            let against_hyperscan = match hyperscan {
                Some(hyperscan) => {
                    let all = scratch.join("real.text");
                    std::fs::write(&all, files.concat())?;
                    let nanos = hyperscan.nanos(&scratch.join("field.needles"), &all)?;
                    format!("{:.2}x", nanos / 1e9 / times[1].as_secs_f64())
                }
                None => "not installed".to_owned(),
            };
            say!(
                page,
                "| {kind}, {name} | {:.1} MB | {:.0} MB/s | {:.2}x | {against_hyperscan} | {:.0} MB/s |",
                bytes as f64 / 1e6,
                speed(bytes, times[1]),
                ratio(times[0], times[1]),
                speed(problem_bytes, problem_time),
            );
        }
    }
    say!(page, "\n`recovery problems` is started once per file, for the first {PROBLEM_FILES} files.");
    Ok(())
}

/// `recovery problems` takes one log at a time, so a few are enough.
const PROBLEM_FILES: usize = 40;
const PROBLEM_ROUNDS: usize = 3;

fn texts(dir: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let texts = paths.iter().map(std::fs::read).collect::<std::io::Result<Vec<_>>>()?;
    Ok(texts.into_iter().filter(|text| !text.is_empty()).collect())
}

/// Writes the files into a new directory; their paths and their size in all.
fn write(dir: &Path, files: &[&[u8]]) -> anyhow::Result<(Vec<PathBuf>, usize)> {
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir)?;
    let mut paths = Vec::new();
    for (number, file) in files.iter().enumerate() {
        paths.push(dir.join(format!("{number:05}.log")));
        std::fs::write(&paths[number], file)?;
    }
    Ok((paths, files.iter().map(|file| file.len()).sum()))
}
