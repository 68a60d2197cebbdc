//! Spawning and despawning messagees, their names and addresses, and their components.

use std::any::TypeId;
use std::panic::Location;
use std::sync::Arc;

use crate::address::{HookId, MessageeId};
use crate::component::{Bundle, Component};
use crate::error::MessageeError;
use crate::group::Group;
use crate::input::Input;
use crate::mnemonic::Mnemonic;
use crate::world::changes::Changes;
use crate::world::{Children, despawn, later};

verbs_without_sender! {
    /// Returns each messagee that has a component of each of these types, with the first of each type. They come in the
    /// storage order of the first type, the disabled ones last. Those with a component that is mutably borrowed, as one
    /// that runs with `&mut self` is, are left out.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Position(i32);
    /// struct Radius(i32);
    ///
    /// let mut manager = MessageManager::new();
    /// let lamp = manager.spawn((Position(3), Radius(2)));
    /// manager.spawn((Position(4),));
    /// let far = manager.spawn((Radius(1), Position(9)));
    /// let reaching = |at: i32| {
    ///     let all = manager.iter_all::<(Position, Radius)>();
    ///     all.filter(move |(_, (position, radius))| (position.0 - at).abs() <= radius.0)
    /// };
    /// assert!(reaching(5).map(|(id, _)| id).eq([lamp]));
    /// assert!(reaching(8).map(|(id, _)| id).eq([far]));
    /// ```
    pub fn iter_all<B: Bundle>(&self) -> impl Iterator<Item = (MessageeId, B::Refs<'_>)> {
        self.world().structure.iter_all::<B>()
    }

    /// Spawns a messagee with these components, hooked in the order of the tuple, and returns its id. An
    /// empty tuple spawns an address without components.
    ///
    /// In a handler, the messagee comes alive when the outermost send returns. Its id can be written to at once,
    /// and so can a mnemonic, a group or a parent that it is given: it receives what was sent to it right after
    /// it comes alive, before any later change is made. What is [hooked](Self::hook) to it separately does not
    /// receive that yet.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Message)]
    /// struct Fly { speed: u32 }
    ///
    /// #[derive(Default)]
    /// struct Shell { speed: u32 }
    ///
    /// #[handlers]
    /// impl Shell {
    ///     #[on_receive]
    ///     fn fly(&mut self, fly: &Fly) { self.speed = fly.speed; }
    /// }
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let shell = cx.spawn((Shell::default(),));
    ///         cx.send(shell, Fly { speed: 9 })?; // It receives this as soon as it is alive.
    ///         Ok(())
    ///     }
    /// }
    ///
    /// struct Armor;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun, Armor));
    /// assert_eq!(manager.hooks(tank).count(), 2);
    /// manager.send(tank, Fire)?;
    /// assert!(manager.iter::<Shell>().map(|(_, shell)| shell.speed).eq([9]));
    ///
    /// let meadow = manager.spawn(());
    /// assert!(manager.is_alive(meadow));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if more than 2^32 messagees or components are alive at once, if there are more than 2^16 types
    /// of components. From outside, also panics if a handler of [`Hooked`](crate::lifecycle::Hooked) panics, or if a
    /// handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle). In a handler, the outermost send does.
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        self.spawn_with(None, bundle, Location::caller())
    }

    /// Spawns a messagee with a name, like [`spawn`](Self::spawn) followed by [`set_name`](Self::set_name).
    /// The messagee already has the name when it is notified of its components.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// struct Shell;
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         cx.spawn_named("shell", (Shell,));
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn_named("Tank 7", (Gun,));
    /// assert_eq!(tank.to_string(), "0v0 \"Tank 7\"");
    /// manager.send(tank, Fire)?;
    /// assert_eq!(manager.find("shell").count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`spawn`](Self::spawn).
    #[track_caller]
    pub fn spawn_named<B: Bundle>(&mut self, name: impl Into<Arc<str>>, bundle: B) -> MessageeId {
        self.spawn_with(Some(&name.into()), bundle, Location::caller())
    }

    #[inline]
    fn spawn_with<B: Bundle>(
        &mut self,
        name: Option<&Arc<str>>,
        bundle: B,
        place: &'static Location<'static>,
    ) -> MessageeId {
        self.act(
            (name, bundle),
            |(name, bundle)| Input::Spawn(name.map(|name| &**name), bundle, place),
            |world, (name, bundle)| {
                let id = world.structure.reserve(name);
                world.changes().spawn(id, bundle, place);
                id
            },
            |world, (name, bundle)| later::spawn(world, name, bundle, place),
        )
    }

    /// Despawns a messagee and its descendants, with all of their components. Its mnemonics become free
    /// again.
    ///
    /// In a handler, they are gone when the outermost send returns. From now on they receive nothing but their
    /// [`Despawning`](crate::lifecycle::Despawning) and [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         self.hp = self.hp.saturating_sub(damage.amount);
    ///         if self.hp == 0 { cx.despawn(cx.me()) } else { Ok(()) }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, ghost) = (manager.spawn((Health { hp: 10 },)), manager.spawn(()));
    /// manager.set_parent(ghost, Some(orc))?;
    /// manager.send(orc, Damage { amount: 10 })?;
    /// assert!(!manager.is_alive(orc) && !manager.is_alive(ghost));
    /// assert!(matches!(manager.despawn(orc), Err(MessageeError::Absent { why: Absence::Gone, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`Leaving`](crate::Absence::Leaving) for one
    /// that is going to be despawned already.
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler that is notified of the change panics, or if a handler panics while this
    /// call settles what an earlier panic left pending; see [`settle`](crate::MessageManager::settle). In a handler,
    /// the outermost send does.
    #[track_caller]
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Like [`despawn`](Self::despawn), but `children` says what happens to the children; see [`Children`].
    ///
    /// ```
    /// use message_core::Children;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Die;
    ///
    /// struct Leader;
    ///
    /// #[handlers]
    /// impl Leader {
    ///     #[on_receive]
    ///     fn die(&mut self, _: &Die, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.despawn_with(cx.me(), Children::Reparent)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (leader, soldier) = (manager.spawn((Leader,)), manager.spawn(()));
    /// manager.set_parent(soldier, Some(leader))?;
    /// manager.send(leader, Die)?;
    /// assert!(!manager.is_alive(leader));
    /// assert!(manager.is_alive(soldier));
    /// assert_eq!(manager.parent(soldier), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`despawn`](Self::despawn).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`despawn`](Self::despawn).
    #[track_caller]
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        let place = Location::caller();
        self.act(
            (),
            |()| Input::Despawn(id, children, place),
            |world, ()| {
                world.structure.check_stays(id)?;
                despawn(world, id, children, place);
                Ok(())
            },
            |world, ()| later::despawn(world, id, children, place),
        )
    }

    /// Names a messagee, for people and files. A new name replaces the old one, and an empty name removes it.
    /// Several messagees can have the same name. In a handler, this takes effect at once, also for a messagee
    /// that was spawned in this dispatch.
    ///
    /// Wherever the id is printed, the name follows it: in errors, reports, dead letters and traces.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Promote;
    ///
    /// struct Pilot;
    ///
    /// #[handlers]
    /// impl Pilot {
    ///     #[on_receive]
    ///     fn promote(&mut self, _: &Promote, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_name(cx.me(), "Red Baron")
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let pilot = manager.spawn((Pilot,));
    /// manager.set_name(pilot, "Manfred")?;
    /// manager.send(pilot, Promote)?;
    /// assert_eq!(pilot.to_string(), "0v0 \"Red Baron\"");
    ///
    /// manager.despawn(pilot)?;
    /// let error = manager.set_name(pilot, "Late Baron").unwrap_err();
    /// assert_eq!(error.to_string(), "messagee 0v0 \"Red Baron\" cannot be reached: it is gone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle).
    pub fn set_name(
        &mut self,
        id: MessageeId,
        name: impl Into<Arc<str>>,
    ) -> Result<(), MessageeError> {
        let name = name.into();
        self.at_once(|| Input::SetName(id, &name), |world| world.structure.set_name(id, &name))
    }

    /// Makes one messagee the last child of another, or with `None` a messagee without a parent. In a handler,
    /// this takes effect at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Board { ship: MessageeId }
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn board(&mut self, board: &Board, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_parent(cx.me(), Some(board.ship))
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (ship, sailor) = (manager.spawn(()), manager.spawn((Sailor,)));
    /// manager.send(sailor, Board { ship })?;
    /// assert!(manager.children(ship).eq([sailor]));
    ///
    /// let cycle = manager.set_parent(ship, Some(sailor));
    /// assert!(matches!(cycle, Err(MessageeError::Cycle { .. })));
    ///
    /// manager.set_parent(sailor, None)?;
    /// assert_eq!(manager.children(ship).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`] if it would become its own ancestor, [`Gone`](crate::Absence::Gone),
    /// [`OtherManager`](crate::Absence::OtherManager); in a handler, [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`set_name`](Self::set_name).
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        let input = || Input::SetParent(child, parent);
        self.at_once(input, |world| world.structure.set_parent(child, parent))
    }

    /// Binds a mnemonic to a messagee. Messages that are sent to the mnemonic go to that messagee. A messagee
    /// can have several mnemonics. In a handler, this takes effect at once, and a mnemonic of a messagee that is
    /// leaving is free.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// #[derive(Message)]
    /// struct Promote;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn promote(&mut self, _: &Promote, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.bind(CAPTAIN, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// assert_eq!(manager.send(first, Promote)?.failed, 0);
    /// assert_eq!(manager.bound(CAPTAIN), Some(first));
    /// assert_eq!(manager.send(CAPTAIN, Promote)?.received, 1);
    ///
    /// assert_eq!(manager.send(second, Promote)?.failed, 1);
    /// let there_is_one = manager.bind(CAPTAIN, second);
    /// assert!(matches!(there_is_one, Err(MessageeError::AlreadyBound { .. })));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`Gone`](crate::Absence::Gone),
    /// [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`set_name`](Self::set_name).
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.at_once(|| Input::Bind(mnemonic, id), |world| world.structure.bind(mnemonic, id))
    }

    /// Frees a mnemonic that is bound to that messagee. In a handler, this takes effect at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// #[derive(Message)]
    /// struct StepDown { successor: MessageeId }
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn step_down(&mut self, it: &StepDown, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.unbind(CAPTAIN, cx.me())?;
    ///         cx.bind(CAPTAIN, it.successor)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// manager.bind(CAPTAIN, first)?;
    /// manager.send(CAPTAIN, StepDown { successor: second })?;
    /// assert_eq!(manager.bound(CAPTAIN), Some(second));
    ///
    /// manager.unbind(CAPTAIN, second)?;
    /// assert_eq!(manager.bound(CAPTAIN), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`] if it is bound to another messagee or to none, [`Gone`](crate::Absence::Gone),
    /// [`OtherManager`](crate::Absence::OtherManager); in a handler, [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`set_name`](Self::set_name).
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.at_once(|| Input::Unbind(mnemonic, id), |world| world.structure.unbind(mnemonic, id))
    }

    /// Adds a messagee to a group, after its other members. Returns `true` if it was not a member before. In a
    /// handler, this takes effect at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(CREW);
    ///
    /// #[derive(Message)]
    /// struct Enlist;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn enlist(&mut self, _: &Enlist, cx: &mut Context<'_>) -> Result<bool, MessageeError> {
    ///         cx.join(CREW, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// assert!(manager.join(CREW, first)?);
    /// assert!(!manager.join(CREW, first)?); // It is a member already.
    /// manager.send(second, Enlist)?;
    /// assert!(manager.members(CREW).eq([first, second]));
    /// assert_eq!(manager.send(CREW, Enlist)?.received, 0); // Each answers that nothing has changed.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`set_name`](Self::set_name).
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        let input = || Input::SetMember(group, id, true);
        self.at_once(input, |world| world.structure.set_membership(group, id, true))
    }

    /// Removes a messagee from a group. Returns `true` if it was a member. In a handler, this takes effect at
    /// once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(CREW);
    ///
    /// #[derive(Message)]
    /// struct Desert;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn desert(&mut self, _: &Desert, cx: &mut Context<'_>) -> Result<bool, MessageeError> {
    ///         cx.leave(CREW, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let sailor = manager.spawn((Sailor,));
    /// manager.join(CREW, sailor)?;
    /// manager.send(sailor, Desert)?;
    /// assert_eq!(manager.members(CREW).count(), 0);
    /// assert!(!manager.leave(CREW, sailor)?); // It was not a member any more.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`set_name`](Self::set_name).
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        let input = || Input::SetMember(group, id, false);
        self.at_once(input, |world| world.structure.set_membership(group, id, false))
    }

    /// Hooks a component to a messagee, after its other components. Returns the hook, which identifies the
    /// component.
    ///
    /// In a handler, the component is attached when the outermost send returns. Its hook can be written to at
    /// once: it receives what was sent to the hook right after it is attached, before any later change is made.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct PickUp { damage: u32 }
    ///
    /// struct Sword { damage: u32 }
    ///
    /// struct Hands;
    ///
    /// #[handlers]
    /// impl Hands {
    ///     #[on_receive]
    ///     fn pick_up(&mut self, it: &PickUp, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.hook(cx.me(), Sword { damage: it.damage })?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let hands = manager.hook(orc, Hands)?;
    /// assert_eq!(manager.owner(hands)?, orc);
    /// manager.send(orc, PickUp { damage: 7 })?;
    /// assert_eq!(manager.get::<Sword>(orc)?.damage, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager);
    /// [`Elsewhere`](crate::Absence::Elsewhere) for a
    /// proxy, which has no components here; in a handler, [`Leaving`](crate::Absence::Leaving).
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler that is notified of the change panics, or if a handler panics while this
    /// call settles what an earlier panic left pending; see [`settle`](crate::MessageManager::settle). In a handler,
    /// the outermost send does.
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        let place = Location::caller();
        self.act(
            component,
            |component| Input::Hook(id, component, place),
            |world, component| {
                world.structure.check_hookable(id)?;
                let hook = world.structure.keys.reserve_hook();
                let mut changes = world.changes();
                changes.attach(hook, id, component);
                changes.announce_hooked(hook, place);
                Ok(hook)
            },
            |world, component| {
                let attach = move |to: &mut Changes<'_>, hook| to.attach(hook, id, component);
                later::hook(world, id, TypeId::of::<C>(), attach, place)
            },
        )
    }

    /// Enables or disables a component. A disabled component stays hooked, but receives nothing until it is
    /// enabled again. If the call changes anything, the messagee receives
    /// [`Enabled`](crate::lifecycle::Enabled) or [`Disabled`](crate::lifecycle::Disabled).
    ///
    /// Enabling and disabling change the storage order of the components of that type.
    ///
    /// In a handler, this takes effect at once, and the messagee is notified when the outermost send returns. A
    /// send that is under way reaches a component only if it was enabled when the send began and is enabled when
    /// its turn comes.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Message)]
    /// struct Emp; // An electromagnetic pulse.
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire) {}
    ///
    ///     #[on_receive]
    ///     fn emp(&mut self, _: &Emp, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_enabled(cx.my_hook(), false)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn(());
    /// let gun = manager.hook(tank, Gun)?;
    /// assert_eq!(manager.send(tank, Fire)?.received, 1);
    /// manager.send(Everyone, Emp)?;
    /// assert_eq!(manager.send(tank, Fire)?.received, 0);
    /// manager.set_enabled(gun, true)?;
    /// assert_eq!(manager.send(tank, Fire)?.received, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`OtherManager`](crate::Absence::OtherManager).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`hook`](Self::hook).
    #[track_caller]
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let place = Location::caller();
        let input = || Input::SetEnabled(hook, enabled, place);
        self.at_once(input, |world| {
            world.structure.check_hook(hook)?;
            later::switch(world, hook, enabled, place);
            Ok(())
        })
    }
}
