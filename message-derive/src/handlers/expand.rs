//! Expands checked handlers into implementations of `Receives` and entries for the registry.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, ItemImpl, Path, ReturnType, Type, WhereClause};

use crate::arguments::{krate, moved, text};
use crate::handlers::check::Handler;
use crate::handlers::read::{Arguments, Parallel};

/// Returns one implementation of `Receives` for each handler.
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
    // A component that does not handle the message is reported at its name.
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
    // Exactly as in the trait, for the sake of its lifetime.
    let lent = quote!(<Self::Access as #krate::handler::Access>::Borrow<'a, Self>);
    // Every token of the call needs the span of the method: `line!` returns the line of the call as a whole.
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
    // Includes the braces: the span of an item is from its first token to its last.
    let body = quote_spanned!(message.span()=> { #body });
    quote! {
        #(#conditions)*
        #[automatically_derived]
        #[allow(deprecated, trivial_bounds, unused_lifetimes)]
        #header #condition #body
    }
}

/// Returns the additional items of a parallel handler: how it is run, and a call that shares the message.
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

/// Returns `impl Receives<M> for C`, with every token at the message of the handler: that is where the
/// compiler reports a second implementation.
fn header(block: &ItemImpl, krate: &Path, handler: &Handler) -> TokenStream {
    let message = &handler.message;
    let component = &block.self_ty;
    let generics = &block.generics;
    moved(
        quote!(impl #generics #krate::Receives<#message> for #component),
        message.span(),
    )
}

/// Returns a span at the place of this one, with the macro's name resolution, so that the macro's own
/// variables are found and an error is reported at its cause.
fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// Returns the registry entries for the block's handlers, one for each instantiation. For a block with
/// mistakes, returns only what reports further mistakes.
///
/// Handlers under a `#[cfg]` have entries of their own, because in a generic block the `where` clause of an
/// entry names the types of its handlers.
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
    // The names are chosen so that no component and no message has them.
    quote! {
        #[allow(dead_code, deprecated, trivial_bounds)]
        const _: () = {
            #[allow(unused_imports)]
            use #private::probe::{NoHandler as _, NotCloned as _};

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
                        <#instances as __MessageHandlers>::ROWS,
                        #private::probe::ComponentProbe::<#instances>::CLONING,
                    ));
                };
            )*
        };
    }
}

/// Returns code that reports the types of handlers that are not registered because others have mistakes.
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

/// Returns code for which the compiler reports, once and at the type itself, each type that is not a
/// component, a message or a valid return type. The report names nothing of the expansion: the bounds are
/// those of public items.
fn reports(component: &Type, krate: &Path, handlers: &[&Handler]) -> TokenStream {
    let handlers = handlers.iter().map(|handler| {
        let (message, place) = (&handler.message, handler.message.span());
        let is_message = moved(quote!(let _ = <#message as #krate::Message>::NAME;), place);
        // A type that is not a message has no `Itself`. It is reported there, at the same place, and
        // therefore only once.
        let itself = moved(
            quote!(<#message as #krate::__private::probe::Itself>::Type),
            place,
        );
        let is_parallel = handler.marked.turn.parallel.is_some();
        // Also at the place: otherwise a mistake is reported a second time, at the attribute.
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

/// Returns the block's own `where` clause, with bounds that its types are a component, messages and returns.
///
/// In a generic block, the bounds hold for each instantiation, but not for every value of the parameters. In
/// any other block they are taken for granted, so that [`reports`] alone reports those that do not hold: the
/// compiler does not check a `for<'a>` bound where it is declared.
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

/// Returns the types that the threads of a parallel handler share: the message, and for `&self` the component
/// too.
fn shared<'a>(component: &'a Type, handler: &'a Handler) -> Vec<(&'a Type, Span)> {
    if handler.marked.turn.parallel.is_none() {
        return Vec::new();
    }
    let message = (&handler.message, handler.message.span());
    let component = handler.shared.then(|| (component, component.span()));
    [message].into_iter().chain(component).collect()
}

/// Returns the return type of a handler and its span, if a `where` clause can name the type.
fn returned(handler: &Handler) -> Option<(TokenStream, Span)> {
    match &handler.output {
        ReturnType::Default => Some((quote!(()), handler.method.span())),
        ReturnType::Type(_, ty) if can_be_required(ty) => Some((quote!(#ty), ty.span())),
        ReturnType::Type(..) => None,
    }
}

/// Returns `true` if a return type can be named in a `where` clause, in which no lifetime can be elided and
/// no type can be `impl Trait`.
fn can_be_required(ty: &Type) -> bool {
    let text = text(ty);
    let mut words =
        text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    !text.contains(['&', '\'']) && words.all(|word| word != "impl" && word != "dyn")
}
