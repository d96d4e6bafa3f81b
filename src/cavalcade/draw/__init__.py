"""Pictures of boards and tours."""
