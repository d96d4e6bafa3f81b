/* Solution #1 of Gerlach and Gerlach (2019): one board after the other, each by Warnsdorff's rule.

   TIE: LT takes the first of equal squares, LE the last. LEAVE: INNER goes on as the paper's LEAVE does, BOTH as its
   text says. Change the size, the number of boards and the start, and run. */
%let rows = 8;
%let columns = 8;
%let boards = 3;
%let r = 1;
%let c = 1;
%let tie = lt;
%let leave = inner;
%include "knight.sas";

%macro solution1;
  %local board;
  %knightmoves
  %do board = 1 %to &boards.;
    %if &r. ne . %then %do;
      %ktour(&board., &r., &c., tie=&tie.)
      %if &solved. %then %do;
        %nxtcoord(&board., leave=&leave.)
      %end;
      %else %do;
        %put NOTE: the tour of board &board. gets stuck.;
        %let r = .;
      %end;
    %end;
  %end;
%mend solution1;
%solution1
