//! The report as one self-contained page: readable on a phone, no script, nothing fetched.

use super::{Count, Report, Task};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use recovery_types::Timestamp;
use recovery_types::time::span;
use serde::Serialize;

const PAGE: &str = include_str!("page.html");
/// The width of a plot in its own units.
const WIDTH: u64 = 600;

/// What the template reads.
#[derive(Serialize)]
struct Page<'a> {
    report: &'a Report,
    tasks: Vec<Row<'a>>,
    width: u64,
    plots: [(&'static str, Vec<Bar>); 3],
}

/// A task with its line of time.
#[derive(Serialize)]
struct Row<'a> {
    task: &'a Task,
    dots: Vec<Dot>,
}

/// One bar of a plot.
#[derive(Serialize)]
struct Bar {
    name: String,
    shown: String,
    width: u64,
}

/// One dot on a task's line of time.
#[derive(Serialize)]
struct Dot {
    x: u64,
    y: u8,
    level: u8,
    title: String,
}

/// The page.
pub(crate) fn html(report: &Report) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("page", PAGE)?;
    let page = Page {
        report,
        tasks: report.tasks.iter().map(|task| Row { task, dots: dots(task) }).collect(),
        width: WIDTH,
        plots: [
            ("Error types", bars(&report.error_types, |n| n.to_string())),
            ("Classes", bars(&report.classes, |n| n.to_string())),
            ("Time per level", bars(&report.time_per_level, span)),
        ],
    };
    Ok(environment.get_template("page")?.render(Serde(page))?)
}

fn bars(counts: &[Count], shown: fn(u64) -> String) -> Vec<Bar> {
    let most = counts.iter().map(|count| count.count).max().unwrap_or(1).max(1);
    let bar = |count: &Count| Bar {
        name: count.name.clone(),
        shown: shown(count.count),
        width: count.count.saturating_mul(WIDTH) / most,
    };
    counts.iter().take(12).map(bar).collect()
}

fn dots(task: &Task) -> Vec<Dot> {
    let (Some(first), Some(last)) = (task.moments.first(), task.moments.last()) else { return Vec::new() };
    let whole = last.at.since(first.at).max(1);
    let place = |at: Timestamp| 8 + at.since(first.at).saturating_mul(WIDTH - 16) / whole;
    let dot = |moment: &super::Moment| {
        let level = moment.level.map_or(0, |level| level.number());
        let error = moment.error_type.as_deref().unwrap_or(moment.what);
        Dot { x: place(moment.at), y: 62 - level * 10, level, title: format!("{} {error}", moment.at) }
    };
    task.moments.iter().map(dot).collect()
}
