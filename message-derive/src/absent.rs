//! The macros without the feature: each says which feature to enable, and leaves the user's item.
//!
//! They are here because the compiler does not say it: of a derive or an attribute that a glob import
//! does not bring, it says only that it cannot be found. This needs no parser, so that a library
//! without the macros does not compile one.

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

pub(crate) fn message(input: TokenStream) -> TokenStream {
    let mut output = report("#[derive(Message)]", &input);
    output.extend(harmless(input));
    output
}

pub(crate) fn data(input: TokenStream) -> TokenStream {
    let output = report("#[derive(Data)]", &input);
    drop(input);
    output
}

pub(crate) fn handlers(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut output = report("#[handlers]", &item);
    output.extend(item.into_iter().map(|token| match token {
        TokenTree::Group(block) if block.delimiter() == Delimiter::Brace => {
            Group::new(Delimiter::Brace, without_marks(block.stream())).into()
        }
        token => token,
    }));
    output
}

pub(crate) fn on_receive(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut output = report("#[on_receive]", &item);
    output.extend(item);
    output
}

/// A compile error at the macro, as if it were in the item and did not come from the macro.
fn report(what: &str, item: &TokenStream) -> TokenStream {
    let first = item.clone().into_iter().next();
    let place = first.map_or_else(Span::call_site, |token| {
        Span::call_site().resolved_at(token.span())
    });
    let text = format!(
        "::core::compile_error! {{ \"`{what}` needs the feature `derive` of message-core\" }}"
    );
    let error: TokenStream = text.parse().expect("a macro call is a list of tokens");
    moved(error, place)
}

/// An implementation for a type without parameters, so that nothing else is reported of it.
fn harmless(input: TokenStream) -> Option<TokenStream> {
    let (mut ident, mut reply) = (None, None);
    let mut tokens = input.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => reply = reply.or_else(|| reply_of(group.stream())),
            TokenTree::Ident(word) if matches!(&*word.to_string(), "struct" | "enum") => {
                ident = tokens.next();
                break;
            }
            _ => {}
        }
    }
    let generic = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '<');
    let ident = ident.filter(|_| !generic)?;
    let (reply, request) = match reply {
        Some(reply) => (
            reply,
            format!("impl ::message_core::Request for {ident} {{}}"),
        ),
        None => ("::message_core::NoReply".to_owned(), String::new()),
    };
    let text = format!(
        "impl ::message_core::Message for {ident} {{ \
             type Reply = {reply}; \
             const NAME: &'static ::core::primitive::str = \"\"; \
         }} {request}"
    );
    Some(moved(text.parse().ok()?, ident.span()))
}

/// The `R` in `message(reply = R)`.
fn reply_of(attribute: TokenStream) -> Option<String> {
    let mut attribute = attribute.into_iter();
    attribute
        .next()
        .filter(|path| path.to_string() == "message")?;
    let TokenTree::Group(keys) = attribute.next()? else {
        return None;
    };
    let mut keys = keys.stream().into_iter();
    keys.find(|key| key.to_string() == "reply")?;
    let mut depth = 0;
    let of_the_type = keys.skip(1).take_while(|token| {
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' => depth -= 1,
                ',' => return depth > 0,
                _ => {}
            }
        }
        true
    });
    Some(of_the_type.collect::<TokenStream>().to_string())
}

fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
        }
        token.set_span(place);
        token
    });
    moved.collect()
}

/// The methods of a block without their `#[on_receive]`, which would report the same once more.
fn without_marks(methods: TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for token in methods {
        let marks = matches!(output.last(), Some(TokenTree::Punct(hash)) if hash.as_char() == '#')
            && matches!(&token, TokenTree::Group(group) if is_mark(group));
        if marks {
            output.pop();
        } else {
            output.push(token);
        }
    }
    output.into_iter().collect()
}

fn is_mark(group: &Group) -> bool {
    let mut path = group.stream().into_iter().take_while(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(colon) => colon.as_char() == ':',
        _ => false,
    });
    group.delimiter() == Delimiter::Bracket && path.any(|token| token.to_string() == "on_receive")
}
