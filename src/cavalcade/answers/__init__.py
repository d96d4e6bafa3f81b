"""What comes out of the engines: tours, certificates and verdicts, as data."""
