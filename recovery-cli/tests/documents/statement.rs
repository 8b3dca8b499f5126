//! What a statement of a document is, and the table that the documents' files are written as.
//!
//! A row has a stable name, what the document asks for in our words, how it was settled where the documents leave it open
//! or disagree (`reading`), files of the project (`files`), and the commands that show it: arguments, standard input, and
//! for each place of the output what must be there.

/// One statement of a document.
pub struct Statement {
    /// A stable name.
    pub id: &'static str,
    /// The document's section.
    pub section: &'static str,
    /// What it asks for, in our words.
    pub says: &'static str,
    /// How it was settled where the documents leave it open or disagree.
    pub reading: &'static str,
    /// Files of the project.
    pub files: &'static [(&'static str, &'static str)],
    pub steps: &'static [Step],
}

/// One command.
pub struct Step {
    pub args: &'static str,
    pub input: &'static str,
    /// A JSON pointer into the output's lines, and what must be there.
    pub expect: &'static [(&'static str, &'static str)],
}

macro_rules! statements {
    ($(section $section:literal: $($id:literal $says:literal $(reading $reading:literal)? $(files [$($file:literal = $text:literal),*])? {
        $($args:literal <- $input:literal => [$($place:literal $wanted:literal),* $(,)?];)*
    })*)*) => {
        /// Every statement, in the document's order.
        pub const STATEMENTS: &[Statement] = &[$($(Statement {
            id: $id, section: $section, says: $says,
            reading: concat!("", $($reading)?),
            files: &[$($(($file, $text)),*)?],
            steps: &[$(Step { args: $args, input: $input, expect: &[$(($place, $wanted)),*] }),*],
        }),*),*];
    };
}

pub(crate) use statements;
