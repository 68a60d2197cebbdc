//! Expands the description of a type into its implementation and its row.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;

use crate::arguments::moved;
use crate::data::read::Data;

/// If there is a mistake, the type is not registered.
pub(super) fn expand(data: &Data<'_>, is_wrong: bool) -> TokenStream {
    let krate = data.attributes.krate.clone();
    let krate = krate.unwrap_or_else(|| syn::parse_quote!(::message_data));
    let private = quote!(#krate::__private);
    let ident = &data.input.ident;
    if !data.input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let name = data.attributes.name.as_ref().map_or_else(
        || {
            let ident = ident.unraw().to_string();
            quote!(#private::concat!(#private::module_path!(), "::", #ident))
        },
        ToTokens::to_token_stream,
    );
    let aliases = &data.attributes.aliases;
    let version = match &data.attributes.version {
        Some(version) if !is_wrong => quote!(#version),
        _ => quote!(1),
    };
    let upgrade = data.attributes.upgrade.as_ref().filter(|_| !is_wrong);
    let upgrade = upgrade.map_or_else(
        || quote!(#private::Option::None),
        // With its type, so that the error for a function of another signature names this one.
        |upgrade| {
            quote!({
                let upgrade: #krate::UpgradeFn = #upgrade;
                #private::Option::Some(upgrade)
            })
        },
    );
    let at_type = ident.span();
    let header = moved(quote!(impl #krate::Data for), at_type);
    let body = quote! {
        const TYPE: &'static #krate::DataType = {
            #[allow(unused_imports)]
            use #krate::OfComponent as _;
            &#krate::DataType::of::<#ident>(
                #krate::DataFacts {
                    name: #name,
                    aliases: &[#(#aliases),*],
                    version: #version,
                    upgrade: #upgrade,
                    place: #private::Place {
                        file: #private::file!(),
                        line: #private::line!(),
                    },
                },
                #krate::KindOf::<#ident>::KIND,
            )
        };
    };
    let body = quote_spanned!(at_type=> { #body });
    let condition = quote_spanned!(at_type=> where for<'a> #ident: #krate::Serde<'a>);
    let row = (!is_wrong).then(|| {
        quote! {
            #[allow(deprecated)]
            const _: () = {
                #private::registry_row!(#krate::DataType::described::<#ident>());
            };
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        #header #ident #condition #body

        #row
    }
}
