//! `#[handlers]`.

mod check;
mod expand;
mod read;

use proc_macro2::TokenStream;
use quote::quote;

use crate::mistakes::Mistakes;

pub(crate) fn expand(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let arguments = read::arguments(arguments, &mut mistakes);
    let Some(mut block) = read::block(item, &mut mistakes) else {
        let report = mistakes.report();
        return quote!(#report #item);
    };
    let handlers = read::handlers(&mut block, &mut mistakes);
    let handlers = check::check(&block, &arguments, handlers, &mut mistakes);
    let report = mistakes.report();
    let implementations = expand::implementations(&block, &arguments, &handlers);
    let registration = expand::registration(&block, &arguments, &handlers, !mistakes.any());
    quote!(#report #block #implementations #registration)
}
