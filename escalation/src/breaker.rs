//! Shared cooldowns and a circuit breaker for one resource that many tasks use: a host, a registry, a model provider.
//!
//! In: what happened to whom, and when, by the store's clock. Out: whether a task may go on, or until when it waits. The
//! state is small and bounded, and sharing it is up to its store; this file uses no store and no clock.
//!
//! ```text
//!             a server's own word                failures of several tasks
//!   cooling <---------------------- closed -------------------------------> open
//!      |   its time has passed        ^                                      | its time has passed
//!      +------------------------------+---- it works ---- half open <-------+
//!                                                             |  it fails: open again, for longer
//! ```
//!
//! The breaker is the one of Nygard's *Release It!*. A waiting task gets a ticket, and tickets are called a few at a time
//! with jitter, so that those who waited together do not come back together. While half open one task tries, under a lease
//! that expires: a process that dies blocks no other.

use recovery_types::{CooldownState, Timestamp};
use serde::{Deserialize, Serialize};

/// When a breaker opens, and how the waiting tasks return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BreakerPolicy {
    /// The number of transient failures without a stated wait that opens it. Fewer would open it for what two retries
    /// fix.
    pub failures: u32,
    /// The minimum number of tasks among them: a single task may be at fault itself.
    pub tasks: u32,
    /// The period in which they are counted.
    pub window_ms: u64,
    /// The first open period. Most restarts of a service take less; it doubles each time.
    pub open_ms: u64,
    /// The longest open period.
    pub longest_open_ms: u64,
    /// The lease of the one task that tries while all others wait: longer than most commands run, and the longest delay
    /// that the death of its process causes.
    pub lease_ms: u64,
    /// The number of tasks that return at the same time.
    pub at_once: u32,
    /// The interval between those groups.
    pub spacing_ms: u64,
}

impl BreakerPolicy {
    const DEFAULT: Self = Self {
        failures: 5,
        tasks: 3,
        window_ms: 60_000,
        open_ms: 30_000,
        longest_open_ms: 300_000,
        lease_ms: 60_000,
        at_once: 5,
        spacing_ms: 1_000,
    };
}

impl Default for BreakerPolicy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The state of one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breaker {
    /// The time that the server stated: no task returns before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooldown_until: Option<Timestamp>,
    /// The end of the open period; half open from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_until: Option<Timestamp>,
    /// The number of openings since the last success.
    pub openings: u32,
    /// The latest failures while it was closed, oldest first, at most as many as open it.
    pub failures: Vec<FailureOf>,
    /// The task that tries while it is half open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// Tickets issued for the time after the present wait.
    pub tickets: u32,
}

/// A failure of one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureOf {
    /// The task.
    pub task: String,
    /// The time of the failure.
    pub at: Timestamp,
}

/// The task that may try while all others wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The task.
    pub task: String,
    /// The end of its lease.
    pub until: Timestamp,
}

/// A wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The end of the wait.
    pub until: Timestamp,
    /// The reason of the wait.
    pub state: CooldownState,
}

impl Breaker {
    /// The state of the breaker.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> CooldownState {
        match (self.cooldown_until, self.open_until) {
            (Some(until), _) if until > now => CooldownState::Cooling,
            (_, Some(until)) if until > now => CooldownState::Open,
            (_, Some(_)) => CooldownState::HalfOpen,
            (_, None) => CooldownState::Closed,
        }
    }

    /// The end of the wait that applies to every task, if there is one.
    #[must_use]
    pub fn until(&self, now: Timestamp) -> Option<Timestamp> {
        [self.cooldown_until, self.open_until].into_iter().flatten().max().filter(|until| *until > now)
    }

    /// Whether the state is empty, so that it need not be stored.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        *self == Self::default()
    }

    /// Records a transient failure of `task`; `stated` is the end of the wait that the server asked for.
    pub fn failed(&mut self, policy: &BreakerPolicy, task: &str, stated: Option<Timestamp>, now: Timestamp) {
        if let Some(stated) = stated.filter(|stated| *stated > now) {
            if self.until(now).is_none() {
                self.tickets = 0;
            }
            self.cooldown_until = self.cooldown_until.max(Some(stated));
        }
        match self.state(now) {
            // A server that states when to come back is alive, and requests already under way add no information.
            CooldownState::Cooling | CooldownState::Open => {}
            CooldownState::HalfOpen => {
                if self.lease.as_ref().is_some_and(|lease| lease.task == task || lease.until <= now) {
                    self.open(policy, now);
                }
            }
            CooldownState::Closed => {
                self.failures.retain(|failure| now.since(failure.at) <= policy.window_ms && failure.at <= now);
                self.failures.push(FailureOf { task: task.to_owned(), at: now });
                let most = usize::try_from(policy.failures.max(1)).unwrap_or(usize::MAX);
                let excess = self.failures.len().saturating_sub(most);
                self.failures.drain(..excess);
                let tasks: std::collections::BTreeSet<&str> = self.failures.iter().map(|f| f.task.as_str()).collect();
                if self.failures.len() >= most && tasks.len() as u64 >= u64::from(policy.tasks) {
                    self.open(policy, now);
                }
            }
        }
    }

    /// Records a success with the resource. A stated wait stays until it has passed and all waiting tasks were called.
    pub fn worked(&mut self, policy: &BreakerPolicy, now: Timestamp) {
        let stated = self.cooldown_until.filter(|until| self.all_called(policy, *until) > now);
        let tickets = if stated.is_some() { self.tickets } else { 0 };
        *self = Self { cooldown_until: stated, tickets, ..Self::default() };
    }

    /// The time at which the last ticket for the time after `until` is called.
    fn all_called(&self, policy: &BreakerPolicy, until: Timestamp) -> Timestamp {
        until.plus_ms(u64::from(self.tickets.div_ceil(policy.at_once.max(1))) * policy.spacing_ms)
    }

    /// Issues a ticket to `task` after a failure and returns its wait.
    pub fn hold(&mut self, policy: &BreakerPolicy, task: &str, now: Timestamp) -> Option<Hold> {
        let (state, until) = (self.state(now), self.until(now)?);
        let group = self.tickets / policy.at_once.max(1);
        let jitter = jitter(task, self.tickets, policy.spacing_ms);
        self.tickets = self.tickets.saturating_add(1);
        Some(Hold { until: until.plus_ms(u64::from(group) * policy.spacing_ms + jitter), state })
    }

    /// Whether `task` may continue now, or until when it waits. `waited_for` is the end of the wait that it has
    /// observed. Half open, the first caller continues, under a lease.
    pub fn admit(
        &mut self,
        policy: &BreakerPolicy,
        task: &str,
        waited_for: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<Hold> {
        match self.state(now) {
            // A stated wait that began after the task's own wait applies to it too.
            CooldownState::Cooling | CooldownState::Open => self.hold(policy, task, now),
            CooldownState::HalfOpen => {
                let others = self.lease.as_ref().filter(|lease| lease.task != task && lease.until > now);
                match others {
                    Some(lease) => {
                        let again = now.plus_ms(policy.spacing_ms + jitter(task, self.tickets, policy.spacing_ms));
                        Some(Hold { until: again.min(lease.until), state: CooldownState::HalfOpen })
                    }
                    None => {
                        self.lease = Some(Lease { task: task.to_owned(), until: now.plus_ms(policy.lease_ms) });
                        None
                    }
                }
            }
            // Tasks that arrive while others are called queue behind them.
            CooldownState::Closed => {
                let all_called = self.all_called(policy, self.cooldown_until?);
                if waited_for.is_some() || now >= all_called {
                    return None;
                }
                self.tickets = self.tickets.saturating_add(1);
                let until = all_called.plus_ms(jitter(task, self.tickets, policy.spacing_ms));
                Some(Hold { until, state: CooldownState::Cooling })
            }
        }
    }

    fn open(&mut self, policy: &BreakerPolicy, now: Timestamp) {
        let longer = policy.open_ms.saturating_mul(1 << self.openings.min(20));
        self.openings = self.openings.saturating_add(1);
        self.open_until = Some(now.plus_ms(longer.min(policy.longest_open_ms)));
        self.failures.clear();
        self.lease = None;
        self.tickets = 0;
    }
}

/// A number below `range_ms` that differs from task to task and from ticket to ticket (FNV-1a), so that callers are
/// spread without a source of randomness.
fn jitter(task: &str, ticket: u32, range_ms: u64) -> u64 {
    let bytes = task.bytes().chain(ticket.to_be_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)) % range_ms.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: BreakerPolicy = BreakerPolicy::DEFAULT;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    fn opened() -> Breaker {
        let mut breaker = Breaker::default();
        for (n, task) in ["a", "b", "c", "a", "b"].into_iter().enumerate() {
            breaker.failed(&POLICY, task, None, at(n as i64));
        }
        breaker
    }

    #[test]
    fn the_defaults_are_the_documented_ones() {
        assert_eq!(BreakerPolicy::default(), POLICY);
    }

    #[test]
    fn a_stated_wait_holds_every_task_and_they_come_back_a_few_at_a_time() {
        let mut breaker = Breaker::default();
        breaker.failed(&POLICY, "first", Some(at(10_000)), at(0));
        assert_eq!(breaker.state(at(9_999)), CooldownState::Cooling);
        let mut returns: Vec<i64> =
            (0..20).map(|n| breaker.admit(&POLICY, &format!("t{n}"), None, at(5_000)).unwrap().until.ms()).collect();
        assert!(returns.iter().all(|ms| (10_000..14_000).contains(ms)), "{returns:?}");
        returns.sort_unstable();
        for second in 10..14 {
            let together = returns.iter().filter(|ms| **ms / 1_000 == second).count();
            assert_eq!(together, 5, "in second {second}: {returns:?}");
        }
        returns.dedup();
        assert!(returns.len() > 15, "spread within the second: {returns:?}");
        // Tasks that arrive in the meantime queue behind them; tasks that have waited continue; later ones do not wait.
        let late = breaker.admit(&POLICY, "late", None, at(11_000)).unwrap();
        assert!(late.until >= at(14_000), "{late:?}");
        assert_eq!(breaker.admit(&POLICY, "t1", Some(at(10_500)), at(11_000)), None);
        assert_eq!(breaker.admit(&POLICY, "later", None, at(16_000)), None);
    }

    #[test]
    fn a_stated_wait_opens_nothing() {
        let mut breaker = Breaker::default();
        for n in 0..20 {
            breaker.failed(&POLICY, &n.to_string(), Some(at(n + 1_000)), at(n));
        }
        assert_eq!(breaker.state(at(2_000)), CooldownState::Closed);
    }

    #[test]
    fn failures_of_several_tasks_open_it_and_one_tries() {
        let mut breaker = opened();
        assert_eq!(breaker.state(at(5)), CooldownState::Open);
        assert!(breaker.admit(&POLICY, "a", None, at(100)).unwrap().until >= at(30_004));
        let half_open = at(30_004);
        assert_eq!(breaker.state(half_open), CooldownState::HalfOpen);
        assert_eq!(breaker.admit(&POLICY, "b", None, half_open), None, "the first to ask tries");
        let other = breaker.admit(&POLICY, "c", None, half_open).unwrap();
        assert_eq!(other.state, CooldownState::HalfOpen);
        assert!(other.until > half_open && other.until < at(33_000), "asks again soon: {other:?}");
        assert_eq!(breaker.admit(&POLICY, "b", None, at(31_000)), None, "it still holds the lease");
        let mut failing = breaker.clone();
        failing.failed(&POLICY, "b", None, at(32_000));
        assert_eq!(failing.open_until, Some(at(92_000)), "open again, for twice as long");
        breaker.worked(&POLICY, at(32_000));
        assert_eq!((breaker.state(at(32_000)), breaker.is_calm()), (CooldownState::Closed, true));
        // A stated wait is not ended by the success of work that began before it.
        breaker.failed(&POLICY, "a", Some(at(50_000)), at(40_000));
        breaker.worked(&POLICY, at(41_000));
        assert_eq!(breaker.state(at(41_000)), CooldownState::Cooling);
        breaker.worked(&POLICY, at(50_000));
        assert!(breaker.is_calm());
    }

    #[test]
    fn a_lease_outlives_nobody() {
        let mut breaker = opened();
        assert_eq!(breaker.admit(&POLICY, "dies", None, at(40_000)), None);
        assert!(breaker.admit(&POLICY, "b", None, at(99_999)).is_some());
        assert_eq!(breaker.admit(&POLICY, "b", None, at(100_000)), None);
    }

    #[test]
    fn one_task_alone_old_failures_and_those_under_way_open_nothing() {
        let mut one = Breaker::default();
        let mut slow = Breaker::default();
        for n in 0..20_i64 {
            one.failed(&POLICY, "a", None, at(n));
            slow.failed(&POLICY, &n.to_string(), None, at(n * 20_000));
        }
        assert_eq!(one.state(at(20)), CooldownState::Closed);
        assert_eq!(slow.state(at(400_000)), CooldownState::Closed);
        assert_eq!(one.failures.len(), 5, "what is remembered is bounded");
        let mut breaker = opened();
        let until = breaker.open_until;
        breaker.failed(&POLICY, "under way", None, at(1_000));
        assert_eq!(breaker.open_until, until);
        for _ in 0..20 {
            let now = breaker.open_until.unwrap();
            breaker.admit(&POLICY, "a", None, now);
            breaker.failed(&POLICY, "a", None, now);
            assert!(breaker.open_until.unwrap().since(now) <= POLICY.longest_open_ms);
        }
    }
}
