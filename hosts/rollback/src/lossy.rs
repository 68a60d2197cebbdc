//! A UDP socket that delays, loses and repeats packets.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use ggrs::{Message, NonBlockingSocket};

/// How bad a connection is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// How many packets in a hundred are lost.
    pub lost: u64,
    /// How many in a hundred come twice.
    pub repeated: u64,
    /// The maximum number of looks at the socket for which a packet waits.
    pub delay: u64,
}

/// A socket on the loopback interface.
#[derive(Debug)]
pub struct LossySocket {
    socket: UdpSocket,
    faults: Faults,
    /// The packets that have arrived, each with the look at which it is handed on.
    waiting: VecDeque<(u64, SocketAddr, Message)>,
    looks: u64,
    dice: u64,
}

impl LossySocket {
    /// Binds a socket to a free port.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn bind(faults: Faults, seed: u64) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            faults,
            waiting: VecDeque::new(),
            looks: 0,
            dice: seed,
        })
    }

    /// Returns its address.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self
            .dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.dice >> 33) % sides
    }

    fn take_in(&mut self, from: SocketAddr, message: Message) {
        let at = self.looks + self.roll(self.faults.delay + 1);
        self.waiting.push_back((at, from, message));
    }
}

impl NonBlockingSocket<SocketAddr> for LossySocket {
    fn send_to(&mut self, message: &Message, to: &SocketAddr) {
        // A packet that cannot be sent is lost.
        if self.roll(100) >= self.faults.lost
            && let Ok(bytes) = bincode::serialize(message)
        {
            let _ = self.socket.send_to(&bytes, to);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.looks += 1;
        let mut buffer = [0; 4096];
        loop {
            let (length, from) = match self.socket.recv_from(&mut buffer) {
                Ok(received) => received,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => continue,
                Err(_) => break,
            };
            if let Ok(message) = bincode::deserialize::<Message>(&buffer[..length]) {
                if self.roll(100) < self.faults.repeated {
                    self.take_in(from, message.clone());
                }
                self.take_in(from, message);
            }
        }
        let looks = self.looks;
        let waiting = std::mem::take(&mut self.waiting);
        let (due, later): (VecDeque<_>, _) = waiting.into_iter().partition(|(at, ..)| *at <= looks);
        self.waiting = later;
        due.into_iter()
            .map(|(_, from, message)| (from, message))
            .collect()
    }
}
