//! Expands the description of a message into its implementation and its registration.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Path, Type};

use crate::arguments::{krate, last_segment, moved, text};
use crate::message::read::Message;

pub(super) fn expand(message: &Message<'_>) -> TokenStream {
    let ident = &message.input.ident;
    match &message.attributes.types {
        None => {
            let ty: Type = syn::parse_quote!(#ident);
            let reply = message.attributes.reply.as_ref();
            let reply = reply.map(ToTokens::to_token_stream);
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
            // Public, as the message may be, and out of reach all the same.
            pub trait __MessageReply {
                type Reply;
            }
            #[allow(deprecated)]
            impl #generics __MessageReply for #ident #arguments #condition {
                type Reply = #reply;
            }
        }
    });
    let instances = types.iter().map(|ty| {
        let reply = helper
            .as_ref()
            .map(|_| quote!(<#ty as __MessageReply>::Reply));
        // The path before the name is not part of it: `module_path!` says where the type is.
        let arguments = last_segment(ty).map(|last| text(&last.arguments));
        let arguments = arguments.unwrap_or_default();
        expand_one(
            message,
            ty,
            arguments.trim_start_matches("::"),
            reply.as_ref(),
        )
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
    let own_reply = message.attributes.reply.as_ref();
    let place = own_reply.map_or_else(Span::call_site, Spanned::span);
    let request = reply.map(|reply| request(ty, reply, &krate, place));
    let tags = &message.attributes.tags;
    // At the type, because the compiler points there when another type is not a message.
    let at_type = ty.span();
    let header = moved(quote!(impl #krate::Message for), at_type);
    let body = quote! {
        type Reply = #reply_type;
        const NAME: &'static #private::str = #name;
        const OFFERS: #private::Offers<Self> = {
            #[allow(unused_imports)]
            use #private::probe::Otherwise as _;
            #private::Offers {
                debug: #private::probe::Probe::<#ty>::DEBUG,
                clone: #private::probe::Probe::<#ty>::CLONE,
            }
        };

        #[inline]
        fn cell() -> &'static #private::RouteCell<Self> {
            static CELL: #private::RouteCell<#ty> = #private::RouteCell::unfilled();
            &CELL
        }
    };
    let body = quote_spanned!(at_type=> { #body });
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        #header #ty #body

        #request

        #[allow(deprecated)]
        const _: () = {
            #krate::__submit!(#private::Entry::Message(#private::MessageRow {
                facts: #private::probe::Probe::<#ty>::FACTS,
                place: #krate::registry::Place {
                    file: #private::file!(),
                    line: #private::line!(),
                },
                tags: &[#(#tags),*],
            }));
        };
    }
}

/// Returns the implementations that make a message a request. Its handlers may return the reply, or an
/// `Option` of it. The return implementations have the span of the reply type, where the compiler points when
/// a handler returns another type.
fn request(ty: &Type, reply: &TokenStream, krate: &Path, place: Span) -> TokenStream {
    let private = quote!(#krate::__private);
    let option = quote!(#private::Option<#reply>);
    let returns = |returned: &TokenStream, outcome: TokenStream| {
        let header = moved(
            quote!(impl #krate::handler::HandlerReturn<#ty> for #returned),
            place,
        );
        let body = quote! {
            #[inline]
            fn into_outcome(self) -> #krate::handler::Outcome<#reply> {
                #outcome
            }
        };
        let body = quote_spanned!(place=> { #body });
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            #header #body
        }
    };
    let reply_itself = returns(reply, quote!(#krate::handler::Outcome::Answered(self)));
    let reply_or_not = returns(
        &option,
        quote! {
            match self {
                #private::Option::Some(reply) => #krate::handler::Outcome::Answered(reply),
                #private::Option::None => #krate::handler::Outcome::NotReceived,
            }
        },
    );
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #krate::Request for #ty {}

        #reply_itself
        #reply_or_not
    }
}

fn name(message: &Message<'_>, arguments: &str, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    if let Some(name) = &message.attributes.name {
        return quote!(#private::concat!(#name, #arguments));
    }
    let ident = message.input.ident.unraw().to_string();
    quote!(#private::concat!(#private::module_path!(), "::", #ident, #arguments))
}

/// Returns an implementation that keeps the rest of the program compiling when the message has a mistake. It
/// is not registered.
pub(super) fn harmless(message: &Message<'_>) -> TokenStream {
    let krate = krate(message.attributes.krate.as_ref());
    let ident = &message.input.ident;
    let (generics, arguments, condition) = message.input.generics.split_for_impl();
    let condition = condition.map(|condition| &condition.predicates);
    let no_reply: Type = syn::parse_quote!(#krate::NoReply);
    let own_reply = message.attributes.reply.as_ref();
    let reply = own_reply.unwrap_or(&no_reply);
    let request = own_reply
        .filter(|_| message.input.generics.params.is_empty())
        .map(|reply| {
            request(
                &syn::parse_quote!(#ident),
                &reply.to_token_stream(),
                &krate,
                reply.span(),
            )
        });
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #generics #krate::Message for #ident #arguments
        where
            #ident #arguments: 'static + #krate::__private::Send,
            #condition
        {
            type Reply = #reply;
            const NAME: &'static #krate::__private::str = "";
        }

        #request
    }
}
