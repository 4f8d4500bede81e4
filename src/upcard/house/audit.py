"""Proving the books: sums, balances, escrows, meters, voids, blocks, and every round again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from upcard.house.blocks import NOTHING_BEFORE, Block, line, lines_hash
from upcard.house.checks import Check
from upcard.house.jackpot import OVERFLOW, terms_source
from upcard.house.keys import PublicKey
from upcard.house.ledger import (
    ISSUANCE,
    NEVER_NEGATIVE,
    VOID,
    VOID_BORNE,
    Transfer,
    balances,
    escrow_account,
    house_account,
    reserve_account,
)
from upcard.house.recover import (
    Recorded,
    is_of_another_engine,
    replayed,
    same_money,
    unlike_its_events,
)
from upcard.house.store import Books
from upcard.house.terms import journalled
from upcard.money import print_cents

Wrong = Iterator[str]
"""A sentence for each thing that is wrong; the first one is told."""


def audit(
    books: Books, *, keys: Sequence[PublicKey] | None = None, kept: str | None = None
) -> list[Check]:
    """Check the books of a whole house as of one instant.

    `keys` are those to trust, where the database's own list of them is not enough; `kept` is the
    hash of a block that somebody wrote down earlier.
    """
    found = [
        _balances(books),
        _overdrafts(books),
        _origins(books),
        _escrows(books),
        _meters(books),
        _terms(books),
        *_rounds(books),
        _voids(books),
        _blocks(books),
        _signatures(books, books.keys if keys is None else keys),
    ]
    return found if kept is None else [*found, _kept(books, kept)]


def _check(name: str, wrong: Wrong, good: str) -> Check:
    first = next(wrong, None)
    return Check(name, first is None, first or good)


def _by_source(transfers: tuple[Transfer, ...]) -> dict[str, list[Transfer]]:
    found: dict[str, list[Transfer]] = defaultdict(list)
    for transfer in transfers:
        found[transfer.source].append(transfer)
    return found


# The ledger


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


def _origins(books: Books) -> Check:
    """Whether every transfer is of a round, play money, or the seed of a meter."""
    rounds = {stored.id for stored in books.rounds}

    def wrong() -> Wrong:
        for number, transfer in zip(books.numbers, books.transfers, strict=True):
            if transfer.source not in rounds and not _is_of_the_house(transfer):
                yield (
                    f"Transfer {number} moves {print_cents(transfer.cents)} from {transfer.debit} "
                    f"to {transfer.credit} and is of no round, no play money and no meter's seed."
                )

    good = "Every transfer is of a round, or is play money, or the first seed of a meter."
    return _check("origins", wrong(), good)


def _is_of_the_house(transfer: Transfer) -> bool:
    match transfer.code:
        case "play_money":
            to_player = transfer.credit.startswith("player/")
            return transfer.debit == ISSUANCE and to_player
        case "seed":
            to_meter = transfer.credit.startswith("pool/")
            return transfer.debit.startswith("house/") and to_meter and transfer.seq == 0
        case _:
            return False


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


_FEEDS_A_METER = ("seed", "contribution", VOID, VOID_BORNE)


def _meters(books: Books) -> Check:
    moved: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for awards in books.awards.values():
        wins.update(award.key for award in awards)

    def wrong() -> Wrong:
        for number, transfer in zip(books.numbers, books.transfers, strict=True):
            if transfer.credit.startswith("pool/"):
                if transfer.code not in _FEEDS_A_METER:
                    yield f"Transfer {number} feeds a meter as {transfer.code!r}."
                moved[transfer.credit.split("/")[1]] += transfer.cents
            if transfer.debit.startswith("pool/"):
                reserve = reserve_account(transfer.debit.split("/")[1])
                if (transfer.code == OVERFLOW) != (transfer.credit == reserve):
                    yield f"Transfer {number} leaves a meter as {transfer.code!r}."
                moved[transfer.debit.split("/")[1]] -= transfer.cents
        for pool in books.pools:
            if pool.meter.cents != moved[pool.key] or pool.epoch != wins[pool.key]:
                yield (
                    f"The meter {pool.key} shows {print_cents(pool.meter.cents)} after "
                    f"{pool.epoch} wins; seeds, contributions and awards make "
                    f"{print_cents(moved[pool.key])} after {wins[pool.key]}."
                )

    return _check("meters", wrong(), "Each meter is its seeds and contributions less its awards.")


# The rounds


def _terms(books: Books) -> Check:
    """Whether every bet was taken under its game's own terms of a meter, or journalled ones."""
    known = {
        pool
        for each in books.pools
        for pool in journalled(books.steps.get(terms_source(each.key), ()))
    }
    for stored in books.rounds:
        if not known.issuperset(stored.inputs.table.pools):
            sentence = f"Round {stored.id} was dealt under terms of a meter that nobody journalled."
            return Check("terms", False, sentence)
    return Check("terms", True, f"Meters had their games' terms, or the {len(known)} journalled.")


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
    """Whether every round replays to what was told, and moved the money that it makes.

    A closed round of another engine is held against its own stored events.
    """
    by_source, recorded = _by_source(books.transfers), _recorded(books)
    astray = dear = None
    older = 0
    for each in recorded:
        moved, id_ = by_source[each.round.id], each.round.id
        if is_of_another_engine(each.round):
            older += 1
            why = unlike_its_events(each, moved)
            astray = astray or (f"Round {id_} is not what was told of it: {why}" if why else None)
            continue
        played, why = replayed(each)
        if why is not None:
            astray = astray or f"Round {id_} does not replay: {why}"
        elif not same_money(moved, played.transfers):
            dear = dear or f"Round {id_} moved other money than its inputs make."
    by_events = f"; {older} of another engine agree with their own events" if older else ""
    good = f"{len(recorded) - older} rounds replay from their inputs to what was told{by_events}."
    paid = "Every round moved exactly the money that its inputs make."
    return (
        Check("rounds", astray is None, astray or good),
        Check("payments", dear is None, dear or paid),
    )


def _voids(books: Books) -> Check:
    by_source = _by_source(books.transfers)
    games = {stored.id: stored.inputs.game for stored in books.rounds}
    void = {stored.id for stored in books.rounds if stored.status == "void"}

    def wrong() -> Wrong:
        for id_ in sorted(void ^ books.voids.keys()):
            yield (
                f"Round {id_} is void, and nobody says who voided it and why."
                if id_ in void
                else f"Round {id_} was voided by {books.voids[id_].operator}, and is not void."
            )
        for id_ in sorted(void):
            if not _is_reversed(by_source[id_], house_account(games[id_])):
                yield f"Round {id_} is void, and its transfers are not reversed one by one."

    good = f"Rounds that are void: {len(void)}, each by a named operator and wholly reversed."
    return _check("voids", wrong(), good)


def _is_reversed(transfers: Sequence[Transfer], house: str) -> bool:
    """Whether each transfer of a round has one that undoes it, and the house alone bears the rest.

    What it bears fills accounts that would be below zero, and nothing else.
    """
    moved = [one for one in transfers if one.code not in (VOID, VOID_BORNE)]
    undone = [one for one in transfers if one.code == VOID]
    borne = [one for one in transfers if one.code == VOID_BORNE]
    return Counter((one.debit, one.credit, one.cents) for one in moved) == Counter(
        (one.credit, one.debit, one.cents) for one in undone
    ) and all(house in (one.debit, one.credit) for one in borne)


# The blocks


def _blocks(books: Books) -> Check:
    """Whether each transfer is in exactly one block, as it was sealed, or newer than the last."""
    last = books.blocks[-1] if books.blocks else None
    newer = len(books.numbers) - last.last if last else len(books.numbers)
    good = (
        f"Transfers 1 to {last.last} are each in one block, as they were sealed; newer ones: "
        f"{newer}. The last block is {last.number}, {last.hash}"
        if last
        else f"Nothing is sealed yet; transfers that wait for it: {newer}."
    )
    return _check("blocks", _wrong_blocks(books), good)


def _wrong_blocks(books: Books) -> Wrong:
    for expected, number in enumerate(books.numbers, 1):
        if number != expected:
            yield f"Transfer {expected} is missing."
            break
    before: Block | None = None
    for block in books.blocks:
        yield from _wrong_link(block, before)
        yield from _wrong_content(block, books)
        before = block


def _wrong_link(block: Block, before: Block | None) -> Wrong:
    number, previous, last = (
        (before.number, before.hash, before.last) if before else (0, NOTHING_BEFORE, 0)
    )
    if block.number != number + 1:
        yield f"Block {number + 1} is missing."
    if block.previous != previous:
        after = f"block {number} as it is" if before else "nothing, as the first one does"
        yield f"Block {block.number} does not follow {after}."
    if block.first != last + 1:
        yield f"Block {block.number} begins with transfer {block.first}, not with {last + 1}."


def _wrong_content(block: Block, books: Books) -> Wrong:
    # Numbers have no gap, or that was said before.
    held = slice(block.first - 1, block.last)
    lines = "".join(map(line, books.numbers[held], books.transfers[held]))
    if books.numbers[-1:] < (block.last,):
        yield f"Block {block.number} holds transfers up to {block.last}, and not all are there."
    elif lines_hash(lines) != block.transfers:
        yield (
            f"Block {block.number}: transfers {block.first} to {block.last} are not as they were "
            "sealed."
        )


def _signatures(books: Books, keys: Sequence[PublicKey]) -> Check:
    known = {key.id: key for key in keys}

    def wrong() -> Wrong:
        for key in keys:
            if not key.is_named_right:
                yield f"The key {key.id} has another public key than its name says."
        for block in books.blocks:
            if block.key not in known:
                yield f"Block {block.number} is signed with {block.key}, no key of this house."
            elif not known[block.key].signed(block.text(), block.signature):
                yield f"Block {block.number} was not signed as it is by the key {block.key}."

    used = sorted({block.key for block in books.blocks})
    by = f" ({', '.join(used)})" if used else ""
    good = f"Every block is signed with a key of the house{by}."
    return _check("signatures", wrong(), good)


def _kept(books: Books, kept: str) -> Check:
    number = next((block.number for block in books.blocks if block.hash == kept), None)
    if number is None:
        return Check("kept block", False, f"No block has the hash {kept}, which was kept.")
    return Check("kept block", True, f"The block that was kept is block {number}.")
