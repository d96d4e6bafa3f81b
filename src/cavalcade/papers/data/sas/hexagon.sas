/* A closed tour of Glinski's hexagonal board by PROC OPTGRAPH, as in DeMaio and Alam (2020). Change DIM, and run.

   DIM is the number of cells on a side. A label has r and q, counted from 0. Each move is one link, from the end with
   the smaller r; the paper writes both ends. If there is no closed tour, the Solution Status is Infeasible. There was
   no SAS where this was written: an interpreter in Python ran the Data step, and another solver found the tour. */
%let dim = 4;
%let proc = optgraph; /* or optnet, or optnetwork */
%include "closed_tour.sas";

data links;
  length origin destination $ 12;
  array jump{6, 2} _temporary_ (1, 2,  2, 1,  3, -1,  3, -2,  2, -3,  1, -3);
  n = &dim. - 1;
  do r = 0 to 2 * n;
    do q = max(n - r, 0) to min(2 * n, 3 * n - r);
      origin = catx('_', r, q);
      do k = 1 to 6;
        i = r + jump{k, 1};
        j = q + jump{k, 2};
        if i le 2 * n and max(n - i, 0) le j le min(2 * n, 3 * n - i) then do;
          destination = catx('_', i, j);
          output;
        end;
      end;
    end;
  end;
  keep origin destination;
run;

%closed_tour(from=origin, to=destination)

proc print data=closed_tour;
run;
