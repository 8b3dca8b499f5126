//! The report as one self-contained page for the morning after: nothing is fetched, and all that its script does is filter.
//!
//! First what needs a person, with the reason and the command to type; then what recovered by itself, what is flaky and what
//! still fails; then a timeline per task. Readable at 420 px, in the dark and on paper.

use crate::{Count, JournalReport, Task, TimelineEntry};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use recovery_service::answer::{period, phrase};
use recovery_service::explain::does;
use recovery_types::terminal::printable;
use recovery_types::time::span;
use recovery_types::{ErrorType, Level, Timestamp};
use serde::Serialize;

const PAGE: &str = include_str!("page.html");
/// Where a line of time begins, right of the names of the levels.
const LABEL_WIDTH: u64 = 90;
/// The width of a plot in its own units.
const PLOT_WIDTH: u64 = 600;

/// What the template reads.
#[derive(Serialize)]
struct Page<'a> {
    report: &'a JournalReport,
    project: &'a str,
    period: String,
    /// Of a page that is served: it looks for new records by itself.
    live: bool,
    /// What the records were counted as when the page was made.
    stamp: &'a str,
    saved: Option<String>,
    groups: Vec<Group<'a>>,
    expired: Vec<&'a Task>,
    tasks: Vec<Row<'a>>,
    levels: Vec<(u8, &'static str, i64, &'static str)>,
    width: u64,
    plots: [(&'static str, Vec<Bar>); 2],
}

/// Tasks that ended alike.
#[derive(Serialize)]
struct Group<'a> {
    title: &'static str,
    id: &'static str,
    tasks: Vec<&'a Task>,
}

/// A task with its line of time.
#[derive(Serialize)]
struct Row<'a> {
    task: &'a Task,
    dots: Vec<Dot>,
    from: String,
    to: String,
}

/// One bar of a plot.
#[derive(Serialize)]
struct Bar {
    name: String,
    shown: String,
    /// Its length, of the longest bar.
    percent: u64,
}

/// One dot on a task's line of time.
#[derive(Serialize)]
struct Dot {
    x: u64,
    y: i64,
    /// Its colour: that of a level, of what works, or of a note.
    class: String,
    title: String,
}

/// The page; `stamp` is given for one that is served and follows the record.
///
/// # Errors
/// Where the template and the report do not fit, which is a bug.
pub fn html(report: &JournalReport, project: &str, stamp: Option<&str>) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("page", PAGE)?;
    let page = Page {
        report,
        project,
        period: report.from.zip(report.to).map(|(from, to)| period(from, to)).unwrap_or_default(),
        live: stamp.is_some(),
        stamp: stamp.unwrap_or_default(),
        saved: (report.saved_ms > 0).then(|| span(report.saved_ms)),
        groups: groups(report),
        expired: report.tasks.iter().filter(|task| task.outcome == "expired").collect(),
        // Hundreds of lines with one dot each are of no use.
        tasks: report.tasks.iter().filter(|task| task.outcome != "expired").map(row).collect(),
        levels: Level::ALL.map(|level| (level.number(), level.action(), height(level.number()), does(level))).to_vec(),
        width: PLOT_WIDTH,
        plots: [
            ("Failures by kind", bars(&crate::by_phrase(&report.error_types), |n| n.to_string())),
            ("Time per level", bars(&report.time_per_level, span)),
        ],
    };
    // Escaped for HTML, it may still have what nobody sees.
    Ok(printable(&environment.get_template("page")?.render(Serde(page))?).into_owned())
}

fn groups(report: &JournalReport) -> Vec<Group<'_>> {
    let kinds = [
        ("Needs you", "stuck", "stuck"),
        ("Ended in failure", "failed", "failed"),
        ("Still failing", "failing", "failing"),
        ("Flaky: worked when run again", "flaky", "flaky"),
        ("Recovered", "recovered", "ok"),
        ("Settled by a person", "resolved", "resolved"),
    ];
    let group = |(title, id, outcome): (&'static str, &'static str, &str)| {
        let is_in = |task: &&Task| task.outcome == outcome && (outcome != "ok" || task.failures > 0);
        Group { title, id, tasks: report.tasks.iter().filter(is_in).collect() }
    };
    kinds.into_iter().map(group).collect()
}

fn row(task: &Task) -> Row<'_> {
    let shown = |at: Option<&TimelineEntry>| at.map(|first| first.at.to_minute()).unwrap_or_default();
    Row { task, dots: dots(&task.moments), from: shown(task.moments.first()), to: shown(task.moments.last()) }
}

/// How far from the top a level is drawn; 0 is what works.
fn height(level: u8) -> i64 {
    102 - i64::from(level) * 18
}

fn bars(counts: &[Count], shown: fn(u64) -> String) -> Vec<Bar> {
    let most = counts.iter().map(|count| count.count).max().unwrap_or(1).max(1);
    let bar = |count: &Count| Bar {
        name: count.name.clone(),
        shown: shown(count.count),
        percent: count.count.saturating_mul(100) / most,
    };
    counts.iter().map(bar).collect()
}

fn dots(moments: &[TimelineEntry]) -> Vec<Dot> {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return Vec::new() };
    let whole = last.at.since(first.at).max(1);
    let place = |at: Timestamp| LABEL_WIDTH + at.since(first.at).saturating_mul(PLOT_WIDTH - LABEL_WIDTH - 10) / whole;
    let dot = |moment: &TimelineEntry| {
        let level = moment.level.map_or(0, |level| level.number());
        let works = ["success", "resolve"].contains(&moment.what);
        let class = if level > 0 || works { format!("d{level}") } else { "note".to_owned() };
        let error = moment.error_type.as_deref().unwrap_or(moment.what);
        let error = ErrorType::from_name(error).map_or(error, |known| phrase(known));
        let title = format!("{}: {error}. {}", moment.at.to_minute(), moment.text);
        Dot { x: place(moment.at), y: height(level), class, title }
    };
    moments.iter().map(dot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_success_is_not_drawn_as_one() {
        let classes = |what, level| {
            let moment = TimelineEntry {
                at: Timestamp::from_ms(0),
                what,
                level,
                error_type: None,
                class: None,
                text: String::new(),
            };
            dots(&[moment]).into_iter().map(|dot| dot.class).collect::<Vec<_>>()
        };
        assert_eq!(classes("success", None), ["d0"]);
        assert_eq!(classes("failure", Some(Level::Nudge)), ["d2"]);
        assert_eq!(classes("end", None), ["note"]);
        assert_eq!(classes("held", None), ["note"]);
    }
}
