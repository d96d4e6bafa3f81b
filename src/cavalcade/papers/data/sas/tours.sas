/* A tour from every square of a board, as in Gerlach (2015). The log lists the squares from which there is none.

   TIE: LT takes the first of equal squares, LE the last. Change the size, and run. */
%let rows = 8;
%let columns = 8;
%let tie = lt;
%include "knight.sas";

%macro tours;
  %local row col failed;
  %knightmoves
  %do row = 1 %to &rows.;
    %do col = 1 %to &columns.;
      %ktour(1, &row., &col., tie=&tie., show=0)
      %if &solved. %then %do;
        %ShowBoard(dsn=board1, title=Tour from row &row. and column &col.)
      %end;
      %else %let failed = &failed. &row._&col.;
    %end;
  %end;
  %put NOTE: no tour from &failed.;
%mend tours;
%tours
