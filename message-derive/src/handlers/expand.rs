//! From checked handlers to implementations of `Receives` and entries for the registry.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, ItemImpl, Path, ReturnType, Type, WhereClause};

use crate::arguments::{krate, moved, text};
use crate::handlers::check::Handler;
use crate::handlers::read::{Arguments, Parallel};

/// One implementation of `Receives` for each handler.
pub(super) fn implementations(
    block: &ItemImpl,
    arguments: &Arguments,
    handlers: &[Handler],
) -> TokenStream {
    let implementations = handlers
        .iter()
        .map(|handler| implementation(block, arguments, handler));
    quote!(#(#implementations)*)
}

fn implementation(block: &ItemImpl, arguments: &Arguments, handler: &Handler) -> TokenStream {
    let krate = krate(arguments.krate.as_ref());
    let private = quote!(#krate::__private);
    let header = header(block, &krate, handler);
    let condition = condition(block, &krate, &[handler]);
    let conditions = &handler.marked.conditions;
    let (message, method) = (&handler.message, &handler.method);
    let name = method.unraw().to_string();
    let turn = &handler.marked.turn;
    let (priority, takes_context) = (turn.priority, handler.context.is_some());
    // One that does not handle the message is reported at its name.
    let others = |types: &[Type]| {
        let others = types
            .iter()
            .map(|ty| quote_spanned!(at(ty.span())=> <#ty as #krate::Receives<#message>>::component_type));
        quote!(&[#(#others),*])
    };
    let (before, after) = (others(&turn.before), others(&turn.after));
    let ordered = (!turn.before.is_empty() || !turn.after.is_empty())
        .then(|| quote!(.ordered(#before, #after)));
    let access = if handler.shared {
        "Shared"
    } else {
        "Exclusive"
    };
    let access = format_ident!("{access}");
    let this = if handler.shared {
        quote!(&Self)
    } else {
        quote!(&mut Self)
    };
    // As in the trait to the letter, for the sake of its lifetime.
    let lent = quote!(<Self::Access as #krate::handler::Access>::Borrow<'a, Self>);
    // All of the call has to stand at the method: it tells where the whole of it stands.
    let line = moved(quote!(#private::line!()), method.span());
    // A third parameter that is no context is reported at its type, as if the user had named it.
    let at_context = handler.context.as_ref().map(Spanned::span);
    let context = Ident::new("context", at_context.unwrap_or_else(Span::call_site));
    let (given, unused) = if takes_context {
        (Some(quote!(, #context)), None)
    } else {
        (None, Some(quote!(let _ = #context;)))
    };
    let call = quote_spanned!(at(method.span())=> Self::#method(this, message #given));
    let alone = (!takes_context).then(|| {
        quote! {
            const ALONE: ::core::primitive::bool = true;

            #[inline]
            fn receive_alone<'a>(
                this: #lent,
                message: &mut #message,
            ) -> #krate::handler::Outcome<<#message as #krate::Message>::Reply> {
                let returned = #call;
                #krate::handler::HandlerReturn::<#message>::into_outcome(returned)
            }
        }
    });
    let parallel = turn.parallel.as_ref();
    let parallel = parallel.map(|it| parallel_parts(&krate, handler, it, &lent, &call));
    let body = quote! {
        type Access = #krate::handler::#access;
        const HANDLER: #krate::handler::HandlerSpec = #krate::handler::HandlerSpec::new(
            #name,
            #priority,
            #takes_context,
            #krate::registry::Place { file: #private::file!(), line: #line },
        )#ordered;

        #[inline]
        fn receive(
            this: #this,
            message: &mut #message,
            #context: &mut #krate::Context<'_>,
        ) -> #krate::handler::Outcome<<#message as #krate::Message>::Reply> {
            #unused
            let returned = #call;
            #krate::handler::HandlerReturn::<#message>::into_outcome(returned)
        }

        #alone

        #parallel
    };
    // The braces too: an item's place is from its first token to its last.
    let body = quote_spanned!(message.span()=> { #body });
    quote! {
        #(#conditions)*
        #[automatically_derived]
        #[allow(deprecated, trivial_bounds, unused_lifetimes)]
        #header #condition #body
    }
}

/// What a parallel handler has besides: how it is run, and a call that shares the message.
fn parallel_parts(
    krate: &Path,
    handler: &Handler,
    parallel: &Parallel,
    lent: &TokenStream,
    call: &TokenStream,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let message = &handler.message;
    let constructor = if handler.shared {
        quote!(shared)
    } else {
        quote!(exclusive)
    };
    let least = parallel.least.as_ref().map_or_else(
        || quote!(#private::Option::None),
        |least| quote!(#private::Option::Some(#least)),
    );
    quote! {
        const PARALLEL: #private::Option<#private::Parallel<Self, #message>> =
            #private::Option::Some(#private::Parallel::#constructor(#least));

        #[inline]
        fn receive_parallel<'a>(
            this: #lent,
            message: &#message,
        ) -> #private::Result<::core::primitive::bool, #krate::HandlerError> {
            let returned = #call;
            #krate::handler::ParallelReturn::<#message>::into_received(returned)
        }
    }
}

/// `impl Receives<M> for C`, all of it at the message of the handler: that is where the compiler
/// reports a second implementation.
fn header(block: &ItemImpl, krate: &Path, handler: &Handler) -> TokenStream {
    let message = &handler.message;
    let component = &block.self_ty;
    let generics = &block.generics;
    moved(
        quote!(impl #generics #krate::Receives<#message> for #component),
        message.span(),
    )
}

/// The place of one span with the names of the macro, so that both the macro's own variables are
/// found and an error stands where its reason is.
fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// Entries that tell the registry of the block's handlers, one for each instantiation; of a block
/// with mistakes only what reports further ones.
///
/// What is compiled under a condition has entries of its own, because the conditions of a generic
/// block's handlers name their types.
pub(super) fn registration(
    block: &ItemImpl,
    arguments: &Arguments,
    handlers: &[Handler],
    registered: bool,
) -> TokenStream {
    let krate = krate(arguments.krate.as_ref());
    let (always, sometimes): (Vec<&Handler>, Vec<&Handler>) = handlers
        .iter()
        .partition(|handler| handler.marked.conditions.is_empty());
    let own = [(*block.self_ty).clone()];
    let instances = arguments.types.as_deref().unwrap_or(&own);
    let entries = |handlers: &[&Handler]| {
        if registered {
            entries(block, &krate, instances, handlers)
        } else {
            unregistered(block, &krate, handlers)
        }
    };
    let always = (!always.is_empty()).then(|| entries(&always));
    let sometimes = sometimes.into_iter().map(|handler| {
        let conditions = &handler.marked.conditions;
        let entries = entries(&[handler]);
        quote!(#(#conditions)* #entries)
    });
    quote!(#always #(#sometimes)*)
}

fn entries(
    block: &ItemImpl,
    krate: &Path,
    instances: &[Type],
    handlers: &[&Handler],
) -> TokenStream {
    let private = quote!(#krate::__private);
    let generics = &block.generics;
    let component = &block.self_ty;
    let messages = handlers.iter().map(|handler| &handler.message);
    let generic = !generics.params.is_empty();
    let (condition, rows, report) = if generic {
        let rows =
            quote!(#(#private::Option::Some(#private::HandlerRow::of::<Self, #messages>())),*);
        (Some(condition(block, krate, handlers)), rows, None)
    } else {
        let rows = quote!(#(#private::probe::Handler::<Self, #messages>::ROW),*);
        let reports = reports(component, krate, handlers);
        let report = quote! {
            fn report() {
                #reports
            }
        };
        (generics.where_clause.clone(), rows, Some(report))
    };
    let report_is_there = report.as_ref().map(|_| {
        quote!(
            fn report();
        )
    });
    // The names are such that no component and no message has them.
    quote! {
        #[allow(dead_code, deprecated, trivial_bounds)]
        const _: () = {
            #[allow(unused_imports)]
            use #private::probe::NoHandler as _;

            trait __MessageHandlers {
                const ROWS: &'static [#private::Option<&'static #private::HandlerRow>];
                #report_is_there
            }

            #[automatically_derived]
            impl #generics __MessageHandlers for #component #condition {
                const ROWS: &'static [#private::Option<&'static #private::HandlerRow>] = &[#rows];
                #report
            }

            #(
                const _: () = {
                    #krate::__submit!(#private::Entry::Handlers(
                        <#instances as __MessageHandlers>::ROWS
                    ));
                };
            )*
        };
    }
}

/// What reports the types of handlers that are not registered, because others have mistakes.
fn unregistered(block: &ItemImpl, krate: &Path, handlers: &[&Handler]) -> TokenStream {
    if !block.generics.params.is_empty() {
        return TokenStream::new();
    }
    let component = &block.self_ty;
    let condition = &block.generics.where_clause;
    let reports = reports(component, krate, handlers);
    quote! {
        #[allow(dead_code, deprecated, trivial_bounds)]
        const _: () = {
            trait __MessageReports {
                fn report();
            }

            #[automatically_derived]
            impl __MessageReports for #component #condition {
                fn report() {
                    #reports
                }
            }
        };
    }
}

/// Where the compiler reports, once and at the type itself, what is no component, no message or no
/// return. The report names nothing of the expansion: the bounds are those of public items.
fn reports(component: &Type, krate: &Path, handlers: &[&Handler]) -> TokenStream {
    let handlers = handlers.iter().map(|handler| {
        let (message, place) = (&handler.message, handler.message.span());
        let is_message = moved(quote!(let _ = <#message as #krate::Message>::NAME;), place);
        // What is no message has no `Itself`, and is reported there: at the same place, so once.
        let itself = moved(
            quote!(<#message as #krate::__private::probe::Itself>::Type),
            place,
        );
        let is_parallel = handler.marked.turn.parallel.is_some();
        // At the place, too: otherwise a mistake is reported once more, at the attribute.
        let (bound, method) = if is_parallel {
            (
                quote_spanned!(place=> ParallelReturn),
                quote_spanned!(place=> into_received),
            )
        } else {
            (
                quote_spanned!(place=> HandlerReturn),
                quote_spanned!(place=> into_outcome),
            )
        };
        let is_returned = returned(handler).map(|(ty, of_the_type)| {
            let ty = moved(ty, of_the_type);
            quote_spanned! {place=>
                let _ = <#ty as #krate::handler::#bound<#itself>>::#method;
            }
        });
        let shared = shared(component, handler).into_iter().map(|(ty, place)| {
            let ty = moved(quote!(#ty), place);
            quote_spanned!(place=> let _ = #krate::handler::shared_by_threads::<#ty>;)
        });
        quote!(#is_message #is_returned #(#shared)*)
    });
    let component = moved(quote!(#component), component.span());
    quote! {
        let _ = #krate::MessageManager::hook::<#component>;
        #(#handlers)*
    }
}

/// The block's own conditions, and that its types are a component, messages and returns.
///
/// In a generic block this is true of each instantiation, but not of every value of the
/// parameters. In any other it is taken for granted, so that [`reports`] alone reports what is not
/// true: the compiler does not check a condition `for<'a>` where it stands.
fn condition(block: &ItemImpl, krate: &Path, handlers: &[&Handler]) -> WhereClause {
    let generic = !block.generics.params.is_empty();
    let mut condition = block.generics.where_clause.clone();
    let clause = condition.get_or_insert_with(|| syn::parse_quote!(where));
    let unchecked = (!generic).then(|| quote!(for<'__message>));
    let mut require = |ty: TokenStream, bound: TokenStream, place: Span| {
        let predicate = moved(quote!(#unchecked #ty: #krate::#bound), place);
        clause.predicates.push(syn::parse_quote!(#predicate));
    };
    let component = &block.self_ty;
    require(quote!(#component), quote!(Component), component.span());
    for handler in handlers {
        let message = &handler.message;
        require(quote!(#message), quote!(Message), message.span());
        if let Some((ty, place)) = returned(handler) {
            let bound = if handler.marked.turn.parallel.is_some() {
                quote!(ParallelReturn)
            } else {
                quote!(HandlerReturn)
            };
            require(ty, quote!(handler::#bound<#message>), place);
        }
        for (ty, place) in shared(component, handler) {
            require(quote!(#ty), quote!(__private::Sync), place);
        }
    }
    clause.clone()
}

/// What the threads share that run a parallel handler: the message, and for `&self` the components too.
fn shared<'a>(component: &'a Type, handler: &'a Handler) -> Vec<(&'a Type, Span)> {
    if handler.marked.turn.parallel.is_none() {
        return Vec::new();
    }
    let message = (&handler.message, handler.message.span());
    let component = handler.shared.then(|| (component, component.span()));
    [message].into_iter().chain(component).collect()
}

/// Returns what a handler returns, and where that stands, if a condition can name it.
fn returned(handler: &Handler) -> Option<(TokenStream, Span)> {
    match &handler.output {
        ReturnType::Default => Some((quote!(()), handler.method.span())),
        ReturnType::Type(_, ty) if can_be_required(ty) => Some((quote!(#ty), ty.span())),
        ReturnType::Type(..) => None,
    }
}

/// Returns `true` if a return type can stand in a `where` clause, where no lifetime is left out and
/// no type is `impl Trait`.
fn can_be_required(ty: &Type) -> bool {
    let text = text(ty);
    let mut words =
        text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    !text.contains(['&', '\'']) && words.all(|word| word != "impl" && word != "dyn")
}
