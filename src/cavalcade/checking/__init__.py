"""The checks of answers, which share no code with the engines that find the answers."""
