//! Suggestions: words for the user, and the edits of the source that make them true.

use std::ops::Range;

/// Whether an edit is what the user meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Nothing else can have been meant: a tool may apply it unasked, as `upcc --fix` does.
    Certain,
    /// The user decides.
    Maybe,
}

impl Certainty {
    /// The name in JSON, as in `rustc`.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Certain => "machine-applicable",
            Certainty::Maybe => "maybe-incorrect",
        }
    }
}

/// One change of the source. Spans are bytes of the preprocessed text, within one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Writes `text` in place of `bytes`.
    Replace { bytes: Range<u32>, text: String },
    /// Inserts `text` directly in front of `bytes`.
    Before { bytes: Range<u32>, text: String },
    /// Inserts `text` directly behind `bytes`.
    After { bytes: Range<u32>, text: String },
    /// Includes `header` (`<math.h>`) in the file of `bytes`, in front of them.
    Include { bytes: Range<u32>, header: String },
}

impl Edit {
    /// The text that the edit is about.
    pub fn bytes(&self) -> &Range<u32> {
        match self {
            Edit::Replace { bytes, .. }
            | Edit::Before { bytes, .. }
            | Edit::After { bytes, .. }
            | Edit::Include { bytes, .. } => bytes,
        }
    }
}

/// A suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// What to write instead, or which flag to use: one line.
    pub text: String,
    /// The edits that do it, all together; empty if only the user can.
    pub edits: Vec<Edit>,
    /// Whether the edits are what the user meant.
    pub certainty: Certainty,
    /// A place that the suggestion speaks of, such as a declaration, and its label.
    pub other: Option<(Range<u32>, String)>,
}

impl Help {
    /// A suggestion with an edit.
    pub fn edit(text: impl Into<String>, edit: Edit, certainty: Certainty) -> Help {
        Help {
            text: text.into(),
            edits: vec![edit],
            certainty,
            other: None,
        }
    }

    /// A suggestion to write `text` in place of `bytes`.
    pub fn replace(
        words: impl Into<String>,
        bytes: Range<u32>,
        text: impl Into<String>,
        certainty: Certainty,
    ) -> Help {
        let text = text.into();
        Help::edit(words, Edit::Replace { bytes, text }, certainty)
    }

    /// Adds a place that the suggestion speaks of.
    #[must_use]
    pub fn with_other(mut self, bytes: Range<u32>, text: impl Into<String>) -> Help {
        self.other = Some((bytes, text.into()));
        self
    }
}

impl<T: Into<String>> From<T> for Help {
    /// A suggestion in words alone.
    fn from(text: T) -> Help {
        Help {
            text: text.into(),
            edits: Vec::new(),
            certainty: Certainty::Maybe,
            other: None,
        }
    }
}
