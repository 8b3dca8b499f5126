//! `--ndjson`: one JSON object per line in, one answer per line out, in order.

use crate::input::Source;
use crate::output::Warned;
use crate::{exit, output};
use recovery_service::Accept;
use recovery_service::json::accepted;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::io::Write;

/// The option's text in `--help`.
pub(crate) const HELP: &str = "Read one JSON object per line, write one answer per line; a line that cannot be parsed is \
    answered with {\"error\":...,\"line\":N}, and the exit code is 0 all the same";

/// What a line that cannot be read is answered with.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct BadLine {
    /// What is wrong with it.
    pub error: String,
    /// Its number, from 1.
    pub line: u64,
}

/// Answers each line. The inner error of `answer` is one of the line, the outer one ends everything. Whoever writes a
/// line and waits for its answer gets it: nothing is held back while there is nothing to read.
pub(crate) fn each_line<T: DeserializeOwned + JsonSchema, A: Serialize>(
    source: Source,
    out: impl Write,
    mut answer: impl FnMut(T) -> anyhow::Result<Result<A, String>>,
) -> anyhow::Result<u8> {
    let out = RefCell::new(out);
    let accept = Accept::default();
    source.lines(
        |number, line| {
            let bad_line = |error: String| output::json_line(&mut *out.borrow_mut(), &BadLine { error, line: number });
            match line.and_then(|line| accepted::<T>(&accept, line)) {
                Ok((value, warnings)) => match answer(value)? {
                    Ok(answer) => output::json_line(&mut *out.borrow_mut(), &Warned { answer, warnings }),
                    Err(error) => bad_line(error),
                },
                Err(problem) => bad_line(problem.within_line()),
            }
        },
        || Ok(out.borrow_mut().flush()?),
    )?;
    out.into_inner().flush()?;
    Ok(exit::DONE)
}
