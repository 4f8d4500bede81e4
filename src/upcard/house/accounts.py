"""Accounts: a name and a password that lead back to a player from any browser.

A player exists without one, as a guest, and a session belongs to a player, not to an account:
registering gives a guest a name and changes nothing of balance, rounds, limits and commits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from upcard.house import sessions
from upcard.house.passwords import Passwords, check_new
from upcard.house.store import Account, Needs, Session, Snapshot, Store, Writes
from upcard.refused import Refused

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{2,31}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """The accounts of one house. `clock` in seconds since 1970, `entropy(n)` n random bytes."""

    store: Store
    clock: Callable[[], float]
    entropy: Callable[[int], bytes]
    session_seconds: int
    passwords: Passwords

    async def name_of(self, player: str) -> str | None:
        account = await self.store.account_of(player)
        return account.name if account else None

    async def register(self, player: str, token: str, name: str, password: str) -> str:
        """Give a guest a name; a new token, which takes the place of the one he came with.

        Raises Refused: `field`, `account` if he has a name, `name_taken`, `unavailable`.
        """
        key = checked_name(name)
        check_new(password, name)
        hash_ = await self.passwords.hashed(password)
        now = int(self.clock())
        account = Account(
            key=key, name=name, player=player, password=hash_, created_at=now, changed_at=now
        )
        session, fresh = self._opened(player, now)

        def decide(seen: Snapshot) -> tuple[Writes, str]:
            if [*seen.accounts] == [account]:  # done, and asked again
                return Writes(), fresh
            if seen.accounts:
                raise Refused("account", f"You have a name here: {seen.accounts[0].name}.")
            if seen.named:
                raise Refused("name_taken", f"{name} is somebody's name already; choose another.")
            ended = [sessions.token_hash(token)]
            return Writes(account=account, session=session, ended_sessions=ended), fresh

        return await self.store.run(Needs(player=player, name=key), decide)

    async def login(self, token: str | None, name: str, password: str) -> tuple[str, str]:
        """Come back by name and password: (player, token). The session come with is ended.

        Raises Refused: `login`, the same whichever of the two is wrong, and `unavailable`.
        """
        account = await self.store.account(name.casefold())
        stored = account.password if account else None
        if not await self.passwords.fit(stored, password) or account is None:
            raise _wrong()
        kept = account
        if self.passwords.is_outdated(account.password):
            kept = account._replace(password=await self.passwords.hashed(password))
        session, fresh = self._opened(account.player, int(self.clock()))

        def decide(seen: Snapshot) -> tuple[Writes, str]:
            if not {each.password for each in seen.accounts} & {account.password, kept.password}:
                raise _wrong()  # changed while it was being checked
            ended = [sessions.token_hash(token)] if token else []
            return Writes(account=kept, session=session, ended_sessions=ended), fresh

        return account.player, await self.store.run(Needs(player=account.player), decide)

    async def logout(self, player: str, token: str) -> None:
        """End this session. Raises Refused (`account`) for a guest, who could not come back."""

        def decide(seen: Snapshot) -> tuple[Writes, None]:
            if not seen.accounts:
                raise Refused("account", "A guest cannot come back; choose a name first.")
            return Writes(ended_sessions=[sessions.token_hash(token)]), None

        await self.store.run(Needs(player=player), decide)

    async def change_password(self, player: str, password: str, new: str) -> str:
        """Set another password and end all sessions; the token of the one that goes on.

        Raises Refused: `account` without one, `login` if the password is wrong, `field`.
        """
        account = await self.store.account_of(player)
        if account is None:
            raise Refused("account", "You have no password here; choose a name and one first.")
        check_new(new, account.name)
        if not await self.passwords.fit(account.password, password):
            raise Refused("login", "That is not your password.")
        now = int(self.clock())
        changed = account._replace(password=await self.passwords.hashed(new), changed_at=now)
        session, fresh = self._opened(player, now)

        def decide(seen: Snapshot) -> tuple[Writes, str]:
            if [*seen.accounts] == [changed]:  # done, and asked again
                return Writes(), fresh
            if [*seen.accounts] != [account]:
                raise Refused("login", "Your password was changed elsewhere just now.")
            writes = Writes(account=changed, session=session, ended_sessions_of=player)
            return writes, fresh

        return await self.store.run(Needs(player=player), decide)

    def _opened(self, player: str, now: int) -> tuple[Session, str]:
        return sessions.opened(self.entropy, player, now + self.session_seconds)


def checked_name(name: str) -> str:
    """The key of a name, the same for both cases of its letters. Raises Refused (`field`)."""
    if not NAME.fullmatch(name):
        raise Refused(
            "field",
            "A name has 3 to 32 letters, digits, dots, - and _, and begins with a letter or digit.",
        )
    return name.casefold()


def _wrong() -> Refused:
    return Refused("login", "No account has this name and password.")
