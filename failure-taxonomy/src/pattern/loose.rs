//! Which digits of a line a pattern asks for: with others in their places it may stand where it did not, or not where it did.

use super::{Pattern, Step};

impl Pattern {
    /// Whether a [loose](Self::loose) one stands for more than the pattern that it was made of.
    pub(crate) fn asks_for_digits(&self) -> bool {
        self.loosened.contains(&true)
    }

    /// Where the digits stand in `line` that the pattern asks for, if a [loose](Self::loose) one stands there: with others
    /// in their places it may not.
    pub(crate) fn digits_asked_for(&self, line: &[u8]) -> Vec<usize> {
        let steps = self.program.len();
        let state = |at: usize, step: usize| at * steps + step;
        let mut is_reached = vec![false; steps * (line.len() + 1)];
        let (mut open, mut reached): (Vec<_>, Vec<_>) = ((0..=line.len()).map(|at| (at, 0)).collect(), Vec::new());
        while let Some((at, step)) = open.pop() {
            if !std::mem::replace(&mut is_reached[state(at, step)], true) {
                reached.push((at, step));
                self.each_next(line, at, step, |to, next| open.push((to, next)));
            }
        }
        // Which of them lead on to the end, from behind; steps that stay in their place may lead back to one before.
        let mut leads_on = vec![false; is_reached.len()];
        reached.sort_unstable_by(|one, other| other.cmp(one));
        for place in reached.chunk_by(|one, other| one.0 == other.0) {
            let mut has_changed = true;
            while std::mem::take(&mut has_changed) {
                for &(at, step) in place {
                    let mut leads = matches!(self.program[step], Step::Found);
                    self.each_next(line, at, step, |to, next| leads |= leads_on[state(to, next)]);
                    has_changed |= leads && !std::mem::replace(&mut leads_on[state(at, step)], leads);
                }
            }
        }
        let mut asked = vec![false; line.len()];
        for (at, step) in reached {
            let (Step::Class(class) | Step::Repeat { class, .. }) = self.program[step] else { continue };
            if self.loosened[usize::from(class)] {
                self.each_next(line, at, step, |to, next| {
                    if leads_on[state(to, next)] {
                        asked[at..to].fill(true);
                    }
                });
            }
        }
        (0..line.len()).filter(|at| asked[*at] && line[*at].is_ascii_digit()).collect()
    }

    /// Calls `each(at, step)` for what a search may go on with.
    fn each_next(&self, line: &[u8], at: usize, step: usize, mut each: impl FnMut(usize, usize)) {
        let word = |at: usize| line.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let has = |class: u16, byte: &u8| self.classes[usize::from(class)].has(*byte);
        let fits = match self.program[step] {
            Step::Byte(byte) => (line.get(at) == Some(&byte)).then_some(at + 1),
            Step::Class(class) => line.get(at).is_some_and(|byte| has(class, byte)).then_some(at + 1),
            Step::Start => (at == 0).then_some(at),
            Step::End => (at == line.len()).then_some(at),
            Step::Border(wanted) => ((at.checked_sub(1).is_some_and(word) != word(at)) == wanted).then_some(at),
            Step::Jump(target) => return each(at, step.wrapping_add_signed(target as isize)),
            Step::Either { target, .. } => {
                each(at, step.wrapping_add_signed(target as isize));
                Some(at)
            }
            Step::Repeat { class, min, max, .. } => {
                let most = line[at..].iter().take(usize::from(max)).take_while(|byte| has(class, byte)).count();
                return (usize::from(min)..=most).for_each(|count| each(at + count, step + 1));
            }
            Step::Found => None,
        };
        if let Some(to) = fits {
            each(to, step + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::patterns;
    use super::super::{Pattern, Room};
    use proptest::prelude::*;

    #[test]
    fn digits_are_asked_for_where_others_would_not_do() {
        for (pattern, line, asked) in [
            (r"\b404\b", "20240412 404 1404 503", "         ^^^      ^^^"),
            ("404", "20240412", "^^^^^^^^"),
            (r"\b[1-9]\d* failed", "12 of 345 failed", "      ^         "),
            (r"[1-9]\d* failed", "12 of 345 failed", "      ^^^       "),
            (r"exit (?:137|139)\b", "137: exit 12, exit 111", "                   ^^^"),
            (r"5\d{2}", "at 12:31 571", "         ^  "),
            (r"\d+ done", "12 done", "       "),
            ("[0-4]{2}:", "123:", " ^^ "),
        ] {
            let digits = Pattern::loose(pattern).unwrap().digits_asked_for(line.as_bytes());
            let shown: String = (0..line.len()).map(|at| if digits.contains(&at) { '^' } else { ' ' }).collect();
            assert_eq!(shown, asked, "{pattern} on {line}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        #[test]
        fn only_digits_that_are_asked_for_matter(pattern in patterns(), line in "[ab0129 -]{0,12}", others in "[0-9]{12}") {
            let (plain, loose) = (Pattern::new(&pattern).unwrap(), Pattern::loose(&pattern).unwrap());
            let mut room = Room::default();
            let stands = loose.is_match(line.as_bytes(), &mut room);
            let asked = loose.digits_asked_for(line.as_bytes());
            prop_assert!(stands || asked.is_empty());
            let other = |(at, byte): (usize, u8)| {
                if byte.is_ascii_digit() && !asked.contains(&at) { others.as_bytes()[at] } else { byte }
            };
            let other: Vec<u8> = line.bytes().enumerate().map(other).collect();
            prop_assert_eq!(plain.is_match(line.as_bytes(), &mut room), plain.is_match(&other, &mut room));
            prop_assert_eq!(stands, loose.is_match(&other, &mut room));
            prop_assert!(stands || !plain.is_match(&other, &mut room));
        }
    }
}
