//! The ladder of a policy as a drawing, in Graphviz's DOT language.
//!
//! In: a [`Policy`]. Out: a graph with a box per level that has attempts, and an edge per move. Every edge is computed by the
//! transition rules, so the drawing cannot differ from what the ladder does. `recovery simulate --dot` prints it;
//! the labels (attempts, limits) are worded here.

use crate::{Move, Policy, Position, Trigger, next};
use recovery_types::{ErrorType, Level};
use std::fmt::Write as _;

impl Policy {
    /// The ladder as a DOT graph: `dot -Tsvg` draws it. Every edge is computed by the rules ([`next`]).
    ///
    /// ```
    /// let drawing = escalation::Policy::default().to_dot();
    /// assert!(drawing.contains(r#"level1 -> level2 [label="3 failed, or 30 s"]"#));
    /// ```
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph ladder {\n  rankdir=BT;\n  node [shape=box];\n  idle [shape=ellipse];\n");
        for level in Level::ALL.into_iter().filter(|level| self.attempts(*level) > 0) {
            let about = match level {
                Level::Retry => {
                    let backoffs: Vec<_> =
                        (1..=self.retry.attempts).map(|n| duration(self.retry.backoff_ms(n))).collect();
                    format!("same action after {}", backoffs.join(", "))
                }
                Level::Nudge => format!("{} variants", self.nudge.variants),
                Level::Replan => format!("{} new plan", self.replan.plans),
                Level::Fallback => format!("{} other agent or model", self.fallback.targets.len()),
                Level::ForceDone => "partial result".to_owned(),
            };
            line(&mut dot, &format!("{} [label=\"{} {}\\n{about}\"]", name(level), level.number(), level.action()));
        }
        self.entries(&mut dot);
        self.climbs(&mut dot);
        if let Some(budget) = self.session_budget_ms {
            line(&mut dot, &format!("any [shape=plaintext, label=\"session of {}\"]", duration(budget)));
            line(&mut dot, "any -> level5");
        }
        dot.push_str("}\n");
        dot
    }

    /// The edges from idle to each level, labelled with what enters there.
    fn entries(&self, dot: &mut String) {
        let row = |error: &ErrorType| self.entry.get(error).copied().unwrap_or_else(|| crate::entry_level(*error));
        for level in Level::ALL {
            let mut reasons: Vec<String> =
                ErrorType::ALL.iter().filter(|e| row(e) == level).map(|e| e.name().to_owned()).collect();
            match level {
                Level::Retry => {}
                Level::Nudge => reasons.push(format!("evidence of completion < {}", self.judge.evidence_of_completion)),
                Level::Replan => {
                    reasons.push(format!("goal alignment < {}", self.judge.goal_alignment));
                    reasons.push(format!("loop of {}", self.loops.replan));
                }
                Level::Fallback => reasons.push(format!("loop of {}", self.loops.fallback)),
                Level::ForceDone => reasons.push(format!("loop of {}", self.loops.force_done)),
            }
            let entered = next(self, Position::Idle, Trigger::Looped { entry: level });
            if let (Some(to), false) = (self.entered(entered), reasons.is_empty()) {
                line(dot, &format!("idle -> {} [label=\"{}\"]", name(to), reasons.join("\\n")));
            }
        }
    }

    /// The edges from each level to its successor once it is used up, and back to idle.
    fn climbs(&self, dot: &mut String) {
        for level in Level::ALL.into_iter().filter(|level| self.attempts(*level) > 0) {
            let at = |error| match level {
                Level::ForceDone => Position::Done { ran_out_of_time: false },
                Level::Retry | Level::Nudge | Level::Replan | Level::Fallback => {
                    Position::Climbing { level, attempt: self.attempts(level), error }
                }
            };
            let used_up = self.entered(next(self, at(ErrorType::Other), Trigger::Deadline));
            if let (Some(to), Some(limit)) = (used_up, self.limit_ms(level)) {
                let failed = self.attempts(level);
                line(
                    dot,
                    &format!("{} -> {} [label=\"{failed} failed, or {}\"]", name(level), name(to), duration(limit)),
                );
            }
            for error in ErrorType::ALL {
                let to = self.entered(next(self, at(*error), Trigger::Deadline));
                if let Some(to) = to.filter(|_| to != used_up) {
                    line(dot, &format!("{} -> {} [label=\"the same, by {error}\"]", name(level), name(to)));
                }
            }
            for (trigger, label) in [(Trigger::Succeeded, "success"), (Trigger::Reset, "reset")] {
                if next(self, at(ErrorType::Other), trigger) == Move::End {
                    line(dot, &format!("{} -> idle [label=\"{label}\", style=dashed]", name(level)));
                }
            }
        }
    }

    fn entered(&self, step: Move) -> Option<Level> {
        match step {
            Move::Enter { wanted } => Some(self.at_or_above(wanted, None)),
            Move::Stay | Move::Attempt { .. } | Move::Hold | Move::End => None,
        }
    }
}

fn line(dot: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(dot, "  {text};");
}

fn name(level: Level) -> String {
    format!("level{}", level.number())
}

fn duration(ms: u64) -> String {
    match ms {
        ms if ms % 3_600_000 == 0 => format!("{} h", ms / 3_600_000),
        ms if ms % 60_000 == 0 => format!("{} min", ms / 60_000),
        ms if ms % 1000 == 0 => format!("{} s", ms / 1000),
        ms => format!("{ms} ms"),
    }
}
