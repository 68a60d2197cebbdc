//! Everything that is wrong with an input, gathered so that it is reported at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Mistakes {
    errors: Option<syn::Error>,
    count: usize,
}

impl Mistakes {
    /// Adds a mistake at the tokens that are guilty of it.
    pub(crate) fn at(&mut self, guilty: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(guilty, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    pub(crate) fn any(&self) -> bool {
        self.count > 0
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// A compile error for each mistake.
    pub(crate) fn report(&self) -> TokenStream {
        self.errors
            .as_ref()
            .map_or_else(TokenStream::new, syn::Error::to_compile_error)
    }
}

/// A compile error at the macro itself, as if it were in the item and did not come from the macro.
pub(crate) fn at_macro(message: &str, item: &TokenStream) -> TokenStream {
    let first = item.clone().into_iter().next();
    let place = first.map_or_else(Span::call_site, |token| {
        Span::call_site().resolved_at(token.span())
    });
    syn::Error::new(place, message).to_compile_error()
}
