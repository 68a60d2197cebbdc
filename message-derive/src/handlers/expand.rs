//! From checked handlers to implementations of `Receives` and one entry for the registry.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, ItemImpl, ReturnType, Type, WhereClause};

use crate::arguments::{krate, type_text};
use crate::handlers::check::Handler;
use crate::handlers::read::Arguments;

/// One implementation of `Receives` for each handler.
pub(super) fn implementations(
    block: &ItemImpl,
    arguments: &Arguments,
    handlers: &[Handler],
) -> TokenStream {
    let implementations = handlers
        .iter()
        .map(|handler| implementation(block, arguments, handlers, handler));
    quote!(#(#implementations)*)
}

fn implementation(
    block: &ItemImpl,
    arguments: &Arguments,
    handlers: &[Handler],
    handler: &Handler,
) -> TokenStream {
    let krate = krate(arguments.krate.as_ref());
    let private = quote!(#krate::__private);
    let generics = &block.generics;
    let condition = condition(block, &krate, handlers);
    let component = &block.self_ty;
    let conditions = &handler.marked.conditions;
    let (message, method) = (&handler.message, &handler.method);
    let name = method.to_string();
    let name = name.trim_start_matches("r#");
    let (priority, takes_context) = (handler.marked.priority, handler.takes_context);
    let access = if handler.shared { "Shared" } else { "Exclusive" };
    let access = format_ident!("{access}");
    let this = if handler.shared {
        quote!(&Self)
    } else {
        quote!(&mut Self)
    };
    let line = quote_spanned!(method.span()=> #private::line!());
    let context = takes_context.then(|| quote!(, context));
    let unused = (!takes_context).then(|| quote!(let _ = context;));
    let call = quote_spanned!(method.span()=> Self::#method(this, message #context));
    // A return type that will not do is reported at the return type.
    let returned = match &handler.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => method.span(),
    };
    let outcome = quote_spanned!(returned=> #krate::HandlerReturn::<#message>::into_outcome(returned));
    // A second implementation is reported at the message of the second handler.
    let receives = quote_spanned!(message.span()=> #krate::Receives<#message>);
    quote! {
        #(#conditions)*
        #[automatically_derived]
        impl #generics #receives for #component #condition {
            type Access = #krate::#access;
            const HANDLER: #krate::HandlerSpec = #krate::HandlerSpec::new(
                #name,
                #priority,
                #takes_context,
                #krate::Place { file: #private::file!(), line: #line },
            );

            #[inline]
            #[allow(deprecated)]
            fn receive(
                this: #this,
                message: &mut #message,
                context: &mut #krate::Context<'_>,
            ) -> #krate::Outcome<<#message as #krate::Message>::Reply> {
                #unused
                let returned = #call;
                #outcome
            }
        }
    }
}

/// One entry for each instantiation, that tells the registry of the block's handlers.
pub(super) fn registration(
    block: &ItemImpl,
    arguments: &Arguments,
    handlers: &[Handler],
) -> TokenStream {
    let krate = krate(arguments.krate.as_ref());
    let private = quote!(#krate::__private);
    let generics = &block.generics;
    let condition = condition(block, &krate, handlers);
    let component = &block.self_ty;
    let own = vec![(**component).clone()];
    let instances = arguments.types.as_ref().unwrap_or(&own);
    if instances.is_empty() {
        return TokenStream::new();
    }
    let tell = handlers.iter().map(|handler| {
        let conditions = &handler.marked.conditions;
        let message = &handler.message;
        quote!(#(#conditions)* collector.handler::<Self, #message>();)
    });
    quote! {
        const _: () = {
            trait Block {
                fn register(collector: &mut #private::Collector);
            }

            #[automatically_derived]
            impl #generics Block for #component #condition {
                fn register(collector: &mut #private::Collector) {
                    let _ = &collector;
                    #(#tell)*
                }
            }

            #(#krate::__submit!(#private::Entry::new(<#instances as Block>::register));)*
        };
    }
}

/// The block's own conditions, and that what depends on its parameters is a message and a return
/// for it: true of each instantiation, but not of every value of the parameters.
fn condition(block: &ItemImpl, krate: &syn::Path, handlers: &[Handler]) -> Option<WhereClause> {
    let mut condition = block.generics.where_clause.clone();
    if block.generics.params.is_empty() {
        return condition;
    }
    let component = &block.self_ty;
    let clause = condition.get_or_insert_with(|| syn::parse_quote!(where));
    clause
        .predicates
        .push(syn::parse_quote!(#component: #krate::Component));
    for handler in handlers {
        let message = &handler.message;
        let unit: Type = syn::parse_quote!(());
        let returned = match &handler.output {
            ReturnType::Type(_, returned) => &**returned,
            ReturnType::Default => &unit,
        };
        if depends(message, block) {
            clause
                .predicates
                .push(syn::parse_quote!(#message: #krate::Message));
        }
        if depends(message, block) || depends(returned, block) {
            clause
                .predicates
                .push(syn::parse_quote!(#returned: #krate::HandlerReturn<#message>));
        }
    }
    condition
}

/// Whether a type is another for other values of the block's parameters.
fn depends(ty: &Type, block: &ItemImpl) -> bool {
    let parameters = block.generics.params.iter();
    let mut names: Vec<String> = parameters
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    names.push("Self".to_owned());
    let text = type_text(ty);
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .any(|word| names.iter().any(|name| name == word))
}
