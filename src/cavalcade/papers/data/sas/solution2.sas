/* Solution #2 of Gerlach and Gerlach (2019): a closed tour, glued on every further board.

   R and C are the start on the first board, PIVOTS the square on which each further board begins, as ROW_COLUMN: two
   rows or two columns from the last square of the board below. Change them and the size, and run. */
%let rows = 8;
%let columns = 8;
%let r = 8;
%let c = 3;
%let pivots = 6_4;
%include "knight.sas";

%macro solution2;
  %local board pivot;
  %knightmoves
  %ktour(1, &r., &c., show=0)
  %if not &closed. %then %put NOTE: the tour is not closed, and glue needs a closed one: try another start.;
  %else %do;
    %ShowBoard(dsn=board1, title=Knights Tour on Board #1)
    %let board = 2;
    %let pivot = %scan(&pivots., 1);
    %do %while(&pivot. ne);
      %glue(&board., %scan(&pivot., 1, _), %scan(&pivot., 2, _))
      %let board = %eval(&board. + 1);
      %let pivot = %scan(&pivots., %eval(&board. - 1));
    %end;
  %end;
%mend solution2;
%solution2
