//! The pages that customers see.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use crate::{client, serve, visit};

type Told = Result<(), Box<dyn Error>>;

fn listener() -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
}

#[test]
fn each_request_is_answered_by_the_shop() -> Told {
    let said = serve(listener()?, visit)?;
    let (gone, sold) = said.split_last().ok_or("there were requests")?;
    assert_eq!(
        sold,
        [
            "GET /stock/apple: 200 2 left",
            "POST /buy/apple: 200 sold, 1 left",
            "POST /buy/apple: 200 sold, 0 left",
            "POST /buy/apple: 409 sold out",
            "GET /stock/apple: 200 0 left",
            "GET /stock/unicorn: 404 nobody at `web::shop::SHOP` answered `web::shop::GetStock`",
            "POST /close: 200 good night",
        ]
    );
    assert!(gone.starts_with("GET /stock/apple: 410 "), "{gone}");
    Ok(())
}

#[test]
fn customers_who_come_together_get_one_apple_each() -> Told {
    let crowd = |shop: SocketAddr| {
        let buy = move || client::request(shop, "POST", "/buy/apple");
        let customers: Vec<_> = (0..8).map(|_| std::thread::spawn(buy)).collect();
        customers.into_iter().map(crate::join).collect()
    };
    let replies: Vec<String> = serve(listener()?, crowd)?;
    let sold = replies.iter().filter(|reply| reply.starts_with("200"));
    assert_eq!(sold.count(), 2);
    assert_eq!(
        replies
            .iter()
            .filter(|reply| *reply == "409 sold out")
            .count(),
        6
    );
    Ok(())
}
