"""Theorems on families of boards, and the finite checks behind the theorems that are proved here."""
