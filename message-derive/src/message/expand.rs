//! From the description of a message to its implementation and its registration.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Path, Type};

use crate::arguments::{krate, type_text};
use crate::message::read::Message;

pub(super) fn expand(message: &Message<'_>) -> TokenStream {
    let ident = &message.input.ident;
    match &message.attributes.types {
        None => {
            let ty: Type = syn::parse_quote!(#ident);
            let reply = message.attributes.reply.as_ref().map(ToTokens::to_token_stream);
            expand_one(message, &ty, "", reply.as_ref())
        }
        Some(types) => expand_generic(message, types),
    }
}

/// A generic message: one implementation for each instantiation. The reply may depend on the
/// parameters, so it is read off a generic helper.
fn expand_generic(message: &Message<'_>, types: &[Type]) -> TokenStream {
    let ident = &message.input.ident;
    let (generics, arguments, condition) = message.input.generics.split_for_impl();
    let helper = message.attributes.reply.as_ref().map(|reply| {
        quote! {
            trait HasReply {
                type Reply;
            }
            impl #generics HasReply for #ident #arguments #condition {
                type Reply = #reply;
            }
        }
    });
    let instances = types.iter().map(|ty| {
        let reply = helper
            .as_ref()
            .map(|_| quote!(<#ty as HasReply>::Reply));
        let text = type_text(ty);
        // The path before the name is not part of it: `module_path!` says where the type is.
        let from = text.find('<').unwrap_or(text.len());
        expand_one(message, ty, &text[from..], reply.as_ref())
    });
    quote! {
        const _: () = {
            #helper
            #(#instances)*
        };
    }
}

fn expand_one(
    message: &Message<'_>,
    ty: &Type,
    arguments: &str,
    reply: Option<&TokenStream>,
) -> TokenStream {
    let krate = krate(message.attributes.krate.as_ref());
    let private = quote!(#krate::__private);
    let name = name(message, arguments, &krate);
    let no_reply = quote!(#krate::NoReply);
    let reply_type = reply.unwrap_or(&no_reply);
    let request = reply.map(|reply| request(ty, reply, &krate));
    let tags = message.attributes.tags.iter();
    let tags = tags.map(|tag| type_text(&syn::parse_quote!(#tag)));
    quote! {
        #[automatically_derived]
        impl #krate::Message for #ty {
            type Reply = #reply_type;
            const NAME: &'static #private::str = #name;

            #[inline]
            fn cell() -> &'static #private::RouteCell<Self> {
                static CELL: #private::RouteCell<#ty> = #private::RouteCell::new();
                &CELL
            }
        }

        #request

        const _: () = {
            fn register(collector: &mut #private::Collector) {
                #[allow(unused_imports)]
                use #private::probe::{HasClone as _, HasDebug as _, NoClone as _, NoDebug as _};
                let probe = &&#private::probe::Probe::<#ty>::new();
                collector.message::<#ty>(
                    #krate::Place { file: #private::file!(), line: #private::line!() },
                    &[#(#tags),*],
                    #private::Offers { debug: probe.debug(), clone: probe.copy() },
                );
            }
            #krate::__submit!(#private::Entry::new(register));
        };
    }
}

/// What makes a message one that is answered: its handlers may return the reply, or an option of
/// it.
fn request(ty: &Type, reply: &TokenStream, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    quote! {
        #[automatically_derived]
        impl #krate::Request for #ty {}

        #[automatically_derived]
        impl #krate::HandlerReturn<#ty> for #reply {
            #[inline]
            fn into_outcome(self) -> #krate::Outcome<#reply> {
                #krate::Outcome::Answered(self)
            }
        }

        #[automatically_derived]
        impl #krate::HandlerReturn<#ty> for #private::Option<#reply> {
            #[inline]
            fn into_outcome(self) -> #krate::Outcome<#reply> {
                match self {
                    #private::Option::Some(reply) => #krate::Outcome::Answered(reply),
                    #private::Option::None => #krate::Outcome::NotReceived,
                }
            }
        }
    }
}

fn name(message: &Message<'_>, arguments: &str, krate: &Path) -> TokenStream {
    match &message.attributes.name {
        Some(name) => quote!(#krate::__private::concat!(#name, #arguments)),
        None => {
            let ident = message.input.ident.to_string();
            let ident = ident.trim_start_matches("r#");
            quote! {
                #krate::__private::concat!(
                    #krate::__private::module_path!(), "::", #ident, #arguments
                )
            }
        }
    }
}

/// An implementation that keeps the rest of the program compiling when the message has a
/// mistake. It is not registered.
pub(super) fn harmless(message: &Message<'_>) -> TokenStream {
    let krate = krate(message.attributes.krate.as_ref());
    let ident = &message.input.ident;
    let (generics, arguments, condition) = message.input.generics.split_for_impl();
    let condition = condition.map(|condition| &condition.predicates);
    let no_reply: Type = syn::parse_quote!(#krate::NoReply);
    let reply = message.attributes.reply.as_ref().unwrap_or(&no_reply);
    quote! {
        #[automatically_derived]
        impl #generics #krate::Message for #ident #arguments
        where
            #ident #arguments: 'static + #krate::__private::Send,
            #condition
        {
            type Reply = #reply;
            const NAME: &'static #krate::__private::str = "";
        }
    }
}
