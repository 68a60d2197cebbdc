//! `#[derive(Data)]`.

mod check;
mod expand;
mod read;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::mistakes::Mistakes;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let data = read::read(input, &mut mistakes);
    check::check(&data, &mut mistakes);
    let expanded = expand::expand(&data, mistakes.any());
    let report = mistakes.report();
    quote::quote!(#report #expanded)
}
