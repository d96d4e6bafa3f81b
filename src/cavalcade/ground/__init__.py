"""What everyone needs: errors, memory, threads, kernels, time. Nothing of ours is imported here."""
