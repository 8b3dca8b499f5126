//! The fixed text that a pattern demands where the line's content begins. Looking for it is much cheaper than asking the
//! pattern, and most lines do not have it.

/// What a pattern opens with, as part of the pattern itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opening {
    from: usize,
    length: usize,
    any_case: bool,
}

impl Opening {
    /// What every match of `pattern` begins with; nothing where that cannot be seen at a glance.
    pub(crate) fn of(pattern: &str) -> Self {
        let (any_case, rest) = pattern.strip_prefix("(?i)").map_or((false, pattern), |rest| (true, rest));
        let Some(rest) = rest.strip_prefix('^').filter(|rest| !has_choice(rest)) else { return Self::default() };
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" :;,'\"!=<>@#%&_~`-/".contains(byte);
        let length = rest.bytes().take_while(|byte| plain(byte)).count();
        // What a quantifier follows may be absent.
        let optional = rest[length..].starts_with(['?', '*', '{']);
        Self { from: pattern.len() - rest.len(), length: length - usize::from(optional && length > 0), any_case }
    }

    /// Whether `content` may match `pattern`, whose opening this is.
    pub(crate) fn allows(self, pattern: &str, content: &[u8]) -> bool {
        let opening = &pattern.as_bytes()[self.from..self.from + self.length];
        let Some(start) = content.get(..opening.len()) else { return false };
        if self.any_case { start.eq_ignore_ascii_case(opening) } else { start == opening }
    }
}

/// Whether a pattern has alternatives that are not within a group, or anything too strange to tell.
fn has_choice(pattern: &str) -> bool {
    let (mut depth, mut in_set) = (0_usize, false);
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b']' => in_set = false,
            b'[' if in_set => return true,
            b'[' => in_set = true,
            _ if in_set => {}
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => return true,
            _ => {}
        }
    }
    // Within a set, `]` may stand first for itself; what follows is then read wrongly.
    pattern.contains("[]") || pattern.contains("[^]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PackName, Taxonomy};

    #[test]
    fn openings_are_seen_only_where_every_match_has_them() {
        let opening = |pattern: &str| {
            let Opening { from, length, .. } = Opening::of(pattern);
            pattern[from..from + length].to_owned()
        };
        assert_eq!(opening(r"^error: failed (?:a|b)"), "error: failed ");
        assert_eq!(opening(r"(?i)^(?:a|b)"), "");
        assert_eq!(opening(r"(?i)^Fail\d"), "Fail");
        assert_eq!(opening(r"^errors?$"), "error");
        assert_eq!(opening(r"^ab+"), "ab");
        for none in ["error", "^a|b", r"^a\||b", "^x[]|]|y", "^a*", "(?i)b", "a^"] {
            assert_eq!(opening(none), "", "{none}");
        }
        assert!(Opening::of("(?i)^Fail").allows("(?i)^Fail", b"FAILED"));
        assert!(!Opening::of("^Fail").allows("^Fail", b"FAILED") && !Opening::of("^Fail").allows("^Fail", b"Fai"));
    }

    /// Every pattern of the field pack on the examples of the rows around it.
    #[test]
    fn an_opening_never_contradicts_its_pattern() {
        let field = Taxonomy::builder(PackName::Field).build().unwrap();
        let rows: Vec<_> = field.indicators().collect();
        let mut known = 0;
        for (at, row) in rows.iter().enumerate() {
            let Some(pattern) = row.guard.pattern else { continue };
            let opening = Opening::of(pattern);
            known += usize::from(opening.length > 0);
            let regex = field.pattern(at, pattern).unwrap();
            for other in &rows[at.saturating_sub(8)..rows.len().min(at + 8)] {
                for line in [other.hits, other.misses] {
                    assert!(
                        opening.allows(pattern, line.as_bytes()) || !regex.is_match(line.as_bytes()),
                        "{pattern}: {line}"
                    );
                }
            }
        }
        assert!(known > 100, "{known} openings");
    }
}
