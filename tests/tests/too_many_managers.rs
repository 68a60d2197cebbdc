//! As many managers at once as a process can have, and one more. The only test of its program, since
//! no other could make a manager meanwhile.

use std::error::Error;
use std::panic::catch_unwind;

use message_core::RegistryError;
use message_core::prelude::*;

#[test]
fn one_manager_more_than_can_be_alive_at_once_is_refused_until_one_is_dropped()
-> Result<(), Box<dyn Error>> {
    let limit = 65_535;
    let make = || MessageManager::try_new(ManagerConfig::new());
    let mut managers = (0..limit).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    let refused = make().err();
    assert_eq!(refused, Some(&RegistryError::TooManyManagers { limit }));
    assert!(catch_unwind(MessageManager::new).is_err());

    let mut last = managers.pop().ok_or("there are some")?;
    let id = last.spawn(());
    drop(last);
    let mut newcomer = make()?;
    assert_ne!(newcomer.spawn(()), id);
    assert!(make().is_err());
    Ok(())
}
