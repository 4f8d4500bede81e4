"""What tests of several parts share: one PostgreSQL for all tests of a process, and a voice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.postgres import ask, database_for_tests


@pytest.fixture
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Tell what a test has counted: `./check --soak` prints it though the test has passed."""

    def said(text: str) -> None:
        print(text)
        request.node.user_properties.append(("said", text))

    return said


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
