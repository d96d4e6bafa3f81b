"""Theorems: what is known of whole families of boards, and the finite checks of what is proved here."""
