"""The exchange of RFC 7677, section 3, and its failures."""

import pytest

from zcbus.connectors.postgresql.connection.scram import ScramClient, ScramFailed

SERVER_FIRST = b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"


def client() -> ScramClient:
    return ScramClient("pencil", "rOprNGfwEbeRWgbNEkqO")


def test_the_first_message_leaves_the_name_to_the_startup_packet() -> None:
    assert client().first() == b"n,,n=,r=rOprNGfwEbeRWgbNEkqO"


def test_the_proof_differs_only_by_the_name_from_the_example() -> None:
    """PostgreSQL takes the user's name from the startup packet, so that the authenticated text differs from the
    RFC's; nonce and channel-binding flag are the example's."""
    final = client().final(SERVER_FIRST)
    assert final.startswith(b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=")


def test_a_server_that_does_not_know_the_password_is_noticed() -> None:
    made = client()
    made.final(SERVER_FIRST)
    with pytest.raises(ScramFailed):
        made.verify(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")


def test_a_server_that_makes_up_the_nonce_is_noticed() -> None:
    with pytest.raises(ScramFailed):
        client().final(b"r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096")
