//! `#[derive(Message)]`.

mod check;
mod expand;
mod read;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::mistakes::Mistakes;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let message = read::read(input, &mut mistakes);
    check::check(&message, &mut mistakes);
    if mistakes.any() {
        let report = mistakes.report();
        let harmless = expand::harmless(&message);
        return quote::quote!(#report #harmless);
    }
    expand::expand(&message)
}
