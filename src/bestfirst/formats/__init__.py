"""Readers and writers that several problems share."""
