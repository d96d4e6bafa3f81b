/* A closed tour of a rectangular prism by PROC OPTGRAPH, as in DeMaio and Alam (2020). Change the size, and run.

   Each move is one link. A label has row, column and layer. If there is no closed tour, the Solution Status is
   Infeasible. There was no SAS where this was written: an interpreter in Python ran the Data step, and another solver
   found the tour. */
%let rows = 4;
%let columns = 4;
%let layers = 4;
%let proc = optgraph; /* or optnet, or optnetwork */
%include "closed_tour.sas";

data links;
  length origin destination $ 20;
  array jump{12, 3} _temporary_ (
    -2, 1, 0,  -1, 2, 0,  1, 2, 0,  2, 1, 0,
    -2, 0, 1,  -1, 0, 2,  1, 0, 2,  2, 0, 1,
    0, 1, 2,  0, 2, 1,  0, 1, -2,  0, 2, -1);
  do i = 1 to &rows.;
    do j = 1 to &columns.;
      do k = 1 to &layers.;
        origin = catx('_', i, j, k);
        do t = 1 to 12;
          if 1 le i + jump{t, 1} le &rows. and j + jump{t, 2} le &columns. and 1 le k + jump{t, 3} le &layers.
          then do;
            destination = catx('_', i + jump{t, 1}, j + jump{t, 2}, k + jump{t, 3});
            output;
          end;
        end;
      end;
    end;
  end;
  keep origin destination;
run;

%closed_tour(from=origin, to=destination)

proc print data=closed_tour;
run;
