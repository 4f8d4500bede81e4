"""What tests of several parts share: one PostgreSQL for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import ask, database_for_tests


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """The URL of one database for all tests of this process."""
    with database_for_tests() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_database: str) -> str:
    """The URL of a database in which there is nothing of ours yet."""
    ask(postgres_database, "DROP SCHEMA IF EXISTS upcard CASCADE")
    return postgres_database
