"""The house: rounds in a journal, money in a ledger, both proved from their inputs."""
