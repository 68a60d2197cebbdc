//! Creating managers.

use crate::config::ManagerConfig;
use crate::identity::Identity;
use crate::manager::MessageManager;
use crate::manager::entrance::Inside as _;
use crate::registry::{RegistryError, try_registry};
use crate::world::World;

impl MessageManager {
    /// Creates an empty manager with the default limits.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let manager = MessageManager::new();
    /// assert!(manager.is_empty());
    /// assert_eq!(manager.clock().frame(), 0); // No frame has begun.
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the [registry](crate::registry()) is not valid, or if 65 535 managers are already alive.
    /// [`try_new`](Self::try_new) returns both as errors.
    #[must_use]
    pub fn new() -> Self {
        Self::with_config(ManagerConfig::new())
    }

    /// Creates an empty manager with these limits.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let config = ManagerConfig::new().fixed_step(Duration::from_millis(10));
    /// let mut manager = MessageManager::with_config(config);
    /// assert_eq!(manager.tick(Duration::from_millis(35)).fixed_steps, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the [registry](crate::registry()) is not valid, or if 65 535 managers are already alive.
    /// [`try_new`](Self::try_new) returns both as errors.
    #[must_use]
    pub fn with_config(config: ManagerConfig) -> Self {
        Self::try_new(config).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates an empty manager with these limits, or returns the reason why it cannot be created.
    ///
    /// ```
    /// use message_core::RegistryError;
    /// use message_core::prelude::*;
    ///
    /// let manager = MessageManager::try_new(ManagerConfig::new().max_depth(16))?;
    /// assert!(manager.is_empty());
    /// # Ok::<(), &'static RegistryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`try_registry`], and [`RegistryError::TooManyManagers`] if 65 535 managers
    /// are already alive.
    pub fn try_new(config: ManagerConfig) -> Result<Self, &'static RegistryError> {
        let registry = try_registry()?;
        let identity = Identity::new().ok_or(&RegistryError::TooManyManagers)?;
        Ok(Self::of_world(World::new(identity, registry, config)))
    }
}

impl Default for MessageManager {
    fn default() -> Self {
        Self::new()
    }
}
