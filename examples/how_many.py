"""Count tours, list them, and draw some at random."""

import cavalcade

print("closed tours of 6x6:", cavalcade.count("6x6").count)
print("open tours of 5x5:", cavalcade.count("5x5", open=True).count)
print("up to symmetry, closed tours of 6x6:", cavalcade.classes("6x6").classes)
print("closed tours of the triangle with 8 cells to a side:", cavalcade.count("triangle:8").count)

for tour in cavalcade.list_tours("3x10"):
    print(" ".join(tour.names[:6]), "…")

for tour in cavalcade.sample("6x6", 3, seed=7):
    print(cavalcade.check(tour).message)
