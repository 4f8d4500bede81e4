"""Proving the books: sums, balances, escrows, meters, and every round from its inputs."""

from __future__ import annotations

from collections import Counter, defaultdict

from upcard.house.checks import Check
from upcard.house.ledger import NEVER_NEGATIVE, Transfer, balances, escrow_account
from upcard.house.recover import Recorded, replayed, same_money
from upcard.house.store import Books
from upcard.money import print_cents


def audit(books: Books) -> list[Check]:
    """Check the books of a whole house as of one instant."""
    return [_balances(books), _overdrafts(books), _escrows(books), _meters(books), *_rounds(books)]


def _by_source(transfers: tuple[Transfer, ...]) -> dict[str, list[Transfer]]:
    found: dict[str, list[Transfer]] = defaultdict(list)
    for transfer in transfers:
        found[transfer.source].append(transfer)
    return found


def _balances(books: Books) -> Check:
    moved = balances(books.transfers)
    wrong = [
        account
        for account in moved.keys() | books.balances.keys()
        if moved[account] != books.balances.get(account, 0)
    ]
    total = sum(books.balances.values())
    if wrong or total:
        sentence = (
            f"{len(wrong)} balances are not what their transfers make "
            f"({', '.join(sorted(wrong)[:3])}); "
            f"all balances add up to {print_cents(total)}, not to 0.00."
        )
        return Check("balances", False, sentence)
    count = len(books.transfers)
    return Check("balances", True, f"{count} transfers make every balance, and all add up to 0.00.")


def _overdrafts(books: Books) -> Check:
    overdrawn = [
        account
        for account, cents in books.balances.items()
        if cents < 0 and account.startswith(NEVER_NEGATIVE)
    ]
    if overdrawn:
        return Check(
            "overdrafts", False, f"These are overdrawn: {', '.join(sorted(overdrawn)[:3])}."
        )
    return Check("overdrafts", True, "No player, escrow or meter is overdrawn.")


def _escrows(books: Books) -> Check:
    open_ = {escrow_account(stored.id) for stored in books.rounds if stored.status == "open"}
    astray = [
        account
        for account, cents in books.balances.items()
        if account.startswith("escrow/") and cents and account not in open_
    ]
    if astray:
        sentence = f"Money waits for rounds that are not open: {', '.join(sorted(astray)[:3])}."
        return Check("escrows", False, sentence)
    return Check("escrows", True, f"Money waits for the {len(open_)} open rounds alone.")


def _meters(books: Books) -> Check:
    moved: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for transfer in books.transfers:
        if transfer.credit.startswith("pool/"):
            assert transfer.code in ("seed", "contribution"), f"{transfer} feeds a meter"
            moved[transfer.credit.split("/")[1]] += transfer.cents
        if transfer.debit.startswith("pool/"):
            moved[transfer.debit.split("/")[1]] -= transfer.cents
    for awards in books.awards.values():
        wins.update(award.key for award in awards)
    for pool in books.pools:
        if pool.meter.cents != moved[pool.key] or pool.epoch != wins[pool.key]:
            sentence = (
                f"The meter {pool.key} shows {print_cents(pool.meter.cents)} after {pool.epoch} "
                f"wins; seeds, contributions and awards make {print_cents(moved[pool.key])} after "
                f"{wins[pool.key]}."
            )
            return Check("meters", False, sentence)
    return Check("meters", True, "Each meter is its seeds and contributions less its awards.")


def _recorded(books: Books) -> list[Recorded]:
    return [
        Recorded(
            round=stored,
            steps=books.steps.get(stored.id, ()),
            awards=books.awards.get(stored.id, ()),
        )
        for stored in books.rounds
        if stored.status != "void"
    ]


def _rounds(books: Books) -> tuple[Check, Check]:
    """Whether every round replays to what was told, and moved the money that it makes."""
    by_source, recorded = _by_source(books.transfers), _recorded(books)
    astray = dear = None
    for each in recorded:
        played, why = replayed(each)
        if why is not None:
            astray = astray or f"Round {each.round.id} does not replay: {why}"
        elif not same_money(by_source[each.round.id], played.transfers):
            dear = dear or f"Round {each.round.id} moved other money than its inputs make."
    count = len(recorded)
    return (
        Check(
            "rounds",
            astray is None,
            astray or f"{count} rounds replay from their inputs to what was told.",
        ),
        Check(
            "payments",
            dear is None,
            dear or "Every round moved exactly the money that its inputs make.",
        ),
    )
