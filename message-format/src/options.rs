//! Options for reading texts: syntax extensions that are enabled for every text.

/// An extension of RON's syntax. A text enables it with `#![enable(…)]`, and [`TextOptions`] enables it for
/// every text.
///
/// ```
/// use message_format::{TextExtension, TextOptions};
///
/// let options = TextOptions::new().with_default_extension(TextExtension::ImplicitSome);
/// assert_eq!(options.from_text::<Option<u8>>("3")?, Some(3));
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
    /// All of them, with the names that a text enables them by.
    pub(crate) const ALL: [(Self, &'static str); 4] = [
        (Self::ImplicitSome, "implicit_some"),
        (Self::UnwrapNewtypes, "unwrap_newtypes"),
        (Self::UnwrapVariantNewtypes, "unwrap_variant_newtypes"),
        (Self::ExplicitStructNames, "explicit_struct_names"),
    ];
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
    /// A bit for each extension that is enabled.
    extensions: u8,
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
    pub const fn new() -> Self {
        Self { extensions: 0 }
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
        self.extensions |= 1 << extension as u8;
        self
    }

    pub(crate) fn has(self, extension: TextExtension) -> bool {
        self.extensions & 1 << extension as u8 != 0
    }
}
