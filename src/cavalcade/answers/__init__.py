"""The answers of the engines: tours, certificates, verdicts and counts, as data."""
