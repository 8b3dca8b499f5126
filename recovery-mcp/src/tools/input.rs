//! The arguments of each tool. Their comments are the descriptions that clients show to a model.

use recovery_types::repair::{FailedTask, PlanContext, RepairRequest};
use recovery_types::{Ancestor, FailureCause, FailureEvent, HistoryEntry, Judge, Node, RepoPath};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// What a failed command printed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Failure {
    /// What the command printed; the end of it matters most.
    pub output: String,
    /// Its exit code.
    #[serde(default = "one")]
    pub exit_code: i64,
    /// The tool that failed, such as Bash or cargo.
    #[serde(default)]
    pub tool: Option<String>,
}

/// A failed attempt at a task.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Attempt {
    /// The task: any name that stays the same between attempts.
    pub task: String,
    /// This attempt: any id that no other attempt at the task has, such as the tool call's id.
    pub attempt_id: String,
    /// What the failed command printed; the end of it matters most.
    pub output: String,
    /// Its exit code.
    #[serde(default = "one")]
    pub exit_code: i64,
    /// The tool that failed.
    #[serde(default)]
    pub tool: Option<String>,
    /// The command line, or the call's arguments: how repeated actions are recognised.
    #[serde(default)]
    pub action: Option<String>,
    /// What was being tried, in words.
    #[serde(default)]
    pub approach: Option<String>,
    /// Files that the attempt changed.
    #[serde(default)]
    pub files_touched: Vec<String>,
    /// Whether running it again is harmless.
    #[serde(default)]
    pub idempotent: Option<bool>,
    /// The failed test's output, where the test runner gives it apart.
    #[serde(default)]
    pub test_output: Option<String>,
    /// What went wrong, where it is known: an error type, as explain_rule lists them.
    #[serde(default)]
    pub error_type: Option<String>,
    /// Similar actions in a row, this one included, where they are counted.
    #[serde(default)]
    pub similar: Option<u32>,
    /// The step of the task that failed.
    #[serde(default)]
    pub step: Option<String>,
    /// Steps of the task that are done.
    #[serde(default)]
    pub completed_steps: Vec<String>,
    /// A judge's verdict on the work.
    #[serde(default)]
    pub judge: Option<Judge>,
    /// `conflict` where two tasks collided.
    #[serde(default)]
    pub cause: Option<String>,
    /// The conflict that it belongs to.
    #[serde(default)]
    pub conflict_id: Option<String>,
    /// The task's node in the plan.
    #[serde(default)]
    pub node: Option<Node>,
    /// The node's parent (for example a story), where `node` is not given.
    #[serde(default)]
    pub parent: Option<String>,
    /// The mission with its constraints and features.
    #[serde(default)]
    pub ancestor: Option<Ancestor>,
    /// The plan's task with its done-criteria.
    #[serde(default)]
    pub plan_task: Option<FailedTask>,
    /// The plan around the task: adjacent tasks, decisions, what is out of scope.
    #[serde(default)]
    pub plan: Option<PlanContext>,
    /// What happened before, oldest first, beside what the journal has recorded.
    #[serde(default)]
    pub history: Vec<HistoryEntry>,
    /// The last commit known to be good.
    #[serde(default)]
    pub last_good_commit: Option<String>,
    /// The model that worked on it.
    #[serde(default)]
    pub model: Option<String>,
    /// The agent that worked on it.
    #[serde(default)]
    pub agent: Option<String>,
}

impl Attempt {
    /// The attempt as an event. A parent alone makes the task itself the node.
    pub fn event(self) -> FailureEvent {
        let (task, parent) = (self.task, self.parent);
        let below = |parent: String| Node { id: task, parent_id: Some(parent), ..Node::default() };
        FailureEvent {
            tool: self.tool,
            exit_code: self.exit_code,
            stderr_tail: self.output,
            action: self.action,
            approach: self.approach,
            files_touched: self.files_touched.iter().map(|path| RepoPath::new(path)).collect(),
            idempotent: self.idempotent,
            test_output: self.test_output,
            error_type: self.error_type,
            similar: self.similar,
            step: self.step,
            completed_steps: self.completed_steps,
            judge: self.judge,
            cause: self.cause.map(FailureCause::from),
            conflict_id: self.conflict_id,
            node: self.node.or_else(|| parent.map(below)),
            ancestor: self.ancestor,
            task: self.plan_task,
            plan: self.plan,
            history: self.history,
            last_good_commit: self.last_good_commit,
            model: self.model,
            agent: self.agent,
            ..FailureEvent::default()
        }
    }
}

/// A task by its name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OneTask {
    /// The task, as in decide_next_step.
    pub task: String,
}

/// A task to repair.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RepairTask {
    /// The task, as in decide_next_step; without it nothing is recorded.
    #[serde(default)]
    pub task: Option<String>,
    /// The failed task, its error and the plan around it.
    #[schemars(with = "RepairRequest")]
    pub request: Value,
}

/// How a repair ended.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RepairOutcome {
    /// The task, as in decide_next_step.
    pub task: String,
    /// Whether it worked.
    pub ok: bool,
}

/// A word about a task.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Settle {
    /// The task, as in decide_next_step.
    pub task: String,
    /// Why.
    pub reason: String,
}

/// How an attempt ended.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Outcome {
    /// The task, as in decide_next_step.
    pub task: String,
    /// This attempt: any id that no other attempt at the task has.
    pub attempt_id: String,
    /// Whether it worked.
    pub ok: bool,
    /// What it printed.
    #[serde(default)]
    pub output: String,
    /// What was tried, in words.
    #[serde(default)]
    pub approach: Option<String>,
    /// The tool that was called.
    #[serde(default)]
    pub tool: Option<String>,
    /// The command or call itself.
    #[serde(default)]
    pub action: Option<String>,
    /// Files that the attempt changed.
    #[serde(default)]
    pub files_touched: Vec<String>,
    /// The task's node in the plan.
    #[serde(default)]
    pub node: Option<Node>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// One task; without it all of them.
    #[serde(default)]
    pub task: Option<String>,
    /// How many at most, 20 unless given.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Only those after this one: `next` of the page before.
    #[serde(default)]
    pub after: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Id {
    /// What to explain, such as rate_limit, F3, level-3 or a rule's id.
    pub id: String,
}

const fn one() -> i64 {
    1
}
