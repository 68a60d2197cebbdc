//! Options for reading texts: syntax extensions that are enabled for every text.

use serde::de::DeserializeOwned;

use crate::error::DataError;
use crate::reader::{Reader, Unknown};
use crate::tape::Extensions;
use crate::text;

/// An extension of RON's syntax. A text enables it with `#![enable(…)]`, and [`TextOptions`] enables it for
/// every text.
///
/// ```
/// use message_format::TextExtension;
///
/// assert_eq!(TextExtension::ImplicitSome.name(), "implicit_some");
/// let maybe: Option<u8> = message_format::from_text("#![enable(implicit_some)] 3")?;
/// assert_eq!(maybe, Some(3));
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextExtension {
    /// `implicit_some`: `Some` is left out, so `Some(3)` is written `3`.
    ImplicitSome,
    /// `unwrap_newtypes`: a newtype struct is written as its content, without parentheses.
    UnwrapNewtypes,
    /// `unwrap_variant_newtypes`: the one value of a variant or of `Some` has no parentheses of its own.
    /// `Move((x: 1, y: 2))` is written `Move(x: 1, y: 2)`, and `Move((1, 2))` is written `Move(1, 2)`.
    UnwrapVariantNewtypes,
    /// `explicit_struct_names`: every struct is preceded by its name.
    ExplicitStructNames,
}

impl TextExtension {
    pub(super) const ALL: [Self; 4] = [
        Self::ImplicitSome,
        Self::UnwrapNewtypes,
        Self::UnwrapVariantNewtypes,
        Self::ExplicitStructNames,
    ];

    /// Returns the name that a text enables it by.
    ///
    /// ```
    /// use message_format::TextExtension;
    ///
    /// assert_eq!(TextExtension::UnwrapNewtypes.name(), "unwrap_newtypes");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ImplicitSome => "implicit_some",
            Self::UnwrapNewtypes => "unwrap_newtypes",
            Self::UnwrapVariantNewtypes => "unwrap_variant_newtypes",
            Self::ExplicitStructNames => "explicit_struct_names",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(super) fn enable(self, extensions: &mut Extensions) {
        *match self {
            Self::ImplicitSome => &mut extensions.implicit_some,
            Self::UnwrapNewtypes => &mut extensions.unwrap_newtypes,
            Self::UnwrapVariantNewtypes => &mut extensions.unwrap_variant_newtypes,
            Self::ExplicitStructNames => &mut extensions.explicit_struct_names,
        } = true;
    }
}

/// Options for reading texts.
///
/// [`from_text`](crate::from_text) uses the default options, with which a text has to enable each extension
/// that it uses.
///
/// ```
/// use message_format::{TextExtension, TextOptions};
///
/// let options = TextOptions::new().with_default_extension(TextExtension::ImplicitSome);
/// assert_eq!(options.from_text::<Option<u8>>("3")?, Some(3));
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    extensions: Extensions,
}

impl TextOptions {
    /// Creates options without extensions.
    ///
    /// ```
    /// use message_format::TextOptions;
    ///
    /// assert!(TextOptions::new().from_text::<Option<u8>>("3").is_err());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Enables an extension for every text.
    ///
    /// ```
    /// use message_format::{TextExtension, TextOptions};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Meters(f32);
    ///
    /// let options = TextOptions::new().with_default_extension(TextExtension::UnwrapNewtypes);
    /// assert_eq!(options.from_text::<Meters>("2.5")?.0, 2.5);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn with_default_extension(mut self, extension: TextExtension) -> Self {
        extension.enable(&mut self.extensions);
        self
    }

    /// Reads a value from a text, like [`from_text`](crate::from_text).
    ///
    /// # Errors
    ///
    /// Returns an error if the text cannot be read as a `T`. It says where, what was found and what was expected.
    ///
    /// ```
    /// use message_format::TextOptions;
    ///
    /// assert_eq!(TextOptions::new().from_text::<Vec<u8>>("[1, 2]")?, [1, 2]);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[allow(
        clippy::wrong_self_convention,
        reason = "it is called like the function"
    )]
    pub fn from_text<T: DeserializeOwned>(&self, text: &str) -> Result<T, DataError> {
        let tape = text::read(text, self.extensions)?;
        let value = Reader::new(&tape, 0, Unknown::Refused).read();
        value.map_err(|error| error.in_text(text))
    }
}
