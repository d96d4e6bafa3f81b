"""What everyone needs: errors, memory, threads, kernels, time. Nothing of ours is imported here."""

__version__ = "0.2.0"
