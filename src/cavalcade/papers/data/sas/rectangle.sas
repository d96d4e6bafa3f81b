/* A closed tour of a rectangle by PROC OPTGRAPH, as in DeMaio and Alam (2020). Change the size, and run.

   Each move is one link, from its left end. If there is no closed tour, the Solution Status is Infeasible. There was
   no SAS where this was written: an interpreter in Python ran the Data step, and another solver found the tour. */
%let rows = 5;
%let columns = 6;
%let proc = optgraph; /* or optnet, or optnetwork */
%include "closed_tour.sas";

data links;
  length origin destination $ 12;
  array jump{4, 2} _temporary_ (-2, 1,  -1, 2,  1, 2,  2, 1);
  do i = 1 to &rows.;
    do j = 1 to &columns.;
      origin = catx('_', i, j);
      do k = 1 to 4;
        if 1 le i + jump{k, 1} le &rows. and j + jump{k, 2} le &columns. then do;
          destination = catx('_', i + jump{k, 1}, j + jump{k, 2});
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
