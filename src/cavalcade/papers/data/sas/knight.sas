/* Macros of Gerlach (2015) and of Gerlach and Gerlach (2019), written anew and mended, for boards of any size.

   %gen_vars        the names of the variables of a board, or of several
   %knightmoves     how many moves a knight has from each square: the data set KNIGHTMOVES
   %ktour           a tour of one board by Warnsdorff's rule: the data set BOARD1, BOARD2, ...
   %nxtcoord        where the tour of the next board begins: the macro variables R and C
   %glue            the next board, made of a closed tour
   %ShowBoard       one board of a data set, as text
   %Show_Boards     the boards of a data set, any number of them

   Their parameters are those of the papers, in the same order, so that the calls in the papers run unchanged. A
   program may set ROWS and COLUMNS before it includes this file; otherwise they are 8. Run it from the directory of
   these files. There was no SAS where they were written: an interpreter in Python ran them. */

/* The moves, row and column, in the order in which they are tried. */
%let knight = -2, -1,  -2, 1,  -1, -2,  -1, 2,  1, -2,  1, 2,  2, -1,  2, 1;

%macro chessboard;
  %if not %symexist(rows) %then %do;
    %global rows;
    %let rows = 8;
  %end;
  %if not %symexist(columns) %then %do;
    %global columns;
    %let columns = 8;
  %end;
%mend chessboard;
%chessboard

/* The names of the variables, by row and column: s11 to s88, or s1_1 to s12_12 where a size has two digits. With
   LEVELS, the number of boards, the board comes first: s111 to s388. */
%macro gen_vars(type, levels);
  %local level row column gap last;
  %let last = &levels.;
  %if &levels. eq %then %let last = 1;
  %if &last. > 9 or &rows. > 9 or &columns. > 9 %then %let gap = _;
  %do level = 1 %to &last.;
    %do row = 1 %to &rows.;
      %do column = 1 %to &columns.;
        %if &levels. eq %then &type.&row.&gap.&column.;
        %else &type.&level.&gap.&row.&gap.&column.;
      %end;
    %end;
  %end;
%mend gen_vars;

/* The names of the papers for the variables of one board. */
%let svars = %gen_vars(s);
%let mvars = %gen_vars(m);

%macro knightmoves;
  data knightmoves;
    array moves{&rows., &columns.} %gen_vars(m);
    array jump{8, 2} _temporary_ (&knight.);
    do r = 1 to &rows.;
      do c = 1 to &columns.;
        moves{r, c} = 0;
        do k = 1 to 8;
          if 1 le r + jump{k, 1} le &rows. and 1 le c + jump{k, 2} le &columns. then
            moves{r, c} = moves{r, c} + 1;
        end;
      end;
    end;
    keep m:;
  run;
%mend knightmoves;

/* A tour of a board from a square. TIE is LT, for the first of equal squares, or LE, for the last. The start takes
   nothing off MOVES, as in the papers, unless COUNT is 1. SOLVED becomes 1 if the tour is complete, CLOSED if it
   ends a move from its start. The board is shown, unless SHOW is 0. */
%macro ktour(board, row, col, tie=lt, count=0, show=1);
  data board&board.;
    set knightmoves;
    array moves{&rows., &columns.} %gen_vars(m);
    array board{&rows., &columns.} %gen_vars(s);
    array jump{8, 2} _temporary_ (&knight.);
    r = &row.;
    c = &col.;
    first = &rows. * &columns. * (&board. - 1) + 1;
    board{r, c} = first;
    do position = first + 1 to &rows. * &columns. * &board.;
      if position gt first + 1 or &count. then do k = 1 to 8;
        i = r + jump{k, 1};
        j = c + jump{k, 2};
        if 1 le i le &rows. and 1 le j le &columns. then moves{i, j} = moves{i, j} - 1;
      end;
      pmoves = 9;
      nxtr = .;
      do k = 1 to 8;
        i = r + jump{k, 1};
        j = c + jump{k, 2};
        if 1 le i le &rows. and 1 le j le &columns. then do;
          if board{i, j} eq . and moves{i, j} &tie. pmoves then do;
            nxtr = i;
            nxtc = j;
            pmoves = moves{i, j};
          end;
        end;
      end;
      if nxtr eq . then leave;
      r = nxtr;
      c = nxtc;
      board{r, c} = position;
    end;
    complete = n(of board{*}) eq &rows. * &columns.;
    call symputx('solved', complete, 'g');
    call symputx('closed', complete and abs((r - &row.) * (c - &col.)) eq 2, 'g');
    keep s: m:;
  run;
  %if &show. %then %do;
    %ShowBoard(dsn=board&board., title=Knights Tour on Board #&board.)
  %end;
%mend ktour;

/* The square of the next board: two rows or two columns from where the tour of this one ends. In the paper LEAVE
   leaves the inner loop only, and the outer one goes on: the last square found counts, and Appendix C has it. With
   LEAVE=BOTH the first one counts, as the text describes it. R is missing if there is none. */
%macro nxtcoord(board, leave=inner);
  data _null_;
    set board&board.;
    array board{&rows., &columns.} %gen_vars(s);
    do i = 1 to &rows.;
      do j = 1 to &columns.;
        if board{i, j} eq max(of board{*}) then do;
          r = i;
          c = j;
        end;
      end;
    end;
    do step1 = -2, 2;
      do step2 = -2, 2;
        if 1 le r + step1 le &rows. then do;
          nxtr = r + step1;
          nxtc = c;
        end;
        else if 1 le c + step2 le &columns. then do;
          nxtr = r;
          nxtc = c + step2;
        end;
        if nxtr ne . then leave;
      end;
      if nxtr ne . and "&leave." eq "both" then leave;
    end;
    call symputx('r', nxtr, 'g');
    call symputx('c', nxtc, 'g');
  run;
%mend nxtcoord;

/* Board BOARD of the one below it, which has a closed tour: the same tour, begun at a square. The board is shown,
   unless SHOW is 0. */
%macro glue(board, r, c, show=1);
  data board&board.;
    set board%eval(&board. - 1);
    array board{&rows., &columns.} %gen_vars(s);
    pval = board{&r., &c.};
    last = max(of board{*});
    incr1 = last - pval + 1;
    incr2 = incr1 + &rows. * &columns.;
    do i = 1 to &rows.;
      do j = 1 to &columns.;
        if board{i, j} eq last then away = abs(i - &r.) + 10 * abs(j - &c.);
        if board{i, j} ge pval then board{i, j} = board{i, j} + incr1;
        else board{i, j} = board{i, j} + incr2;
      end;
    end;
    if away ne 2 and away ne 20 then put "NOTE: the step from board to board is not a knight's move.";
    keep s: m:;
  run;
  %if &show. %then %do;
    %ShowBoard(dsn=board&board., title=Knights Tour on Board #&board.)
  %end;
%mend glue;

/* The numbers of a data set, a line for each row of a board, an empty line after each board. ELEMENTS are the
   variables, of any number of boards. */
%macro Show_Boards(dsn=solution, elements=%gen_vars(s, 3), title=3-D Chess Board, width=5);
  title "&title.";
  data _null_;
    file print linesize=256;
    set &dsn.;
    array board{*} &elements.;
    do element = 1 to dim(board);
      put board{element} &width.. @;
      if mod(element, &columns.) eq 0 then put;
      if mod(element, &rows. * &columns.) eq 0 then put;
    end;
  run;
%mend Show_Boards;

%macro ShowBoard(dsn=solution, elements=%gen_vars(s), title=Chess Board, width=5);
  %Show_Boards(dsn=&dsn., elements=&elements., title=&title., width=&width.)
%mend ShowBoard;
