"""Composes the synthetic hosts of profiles/examples and tests/hosts."""
