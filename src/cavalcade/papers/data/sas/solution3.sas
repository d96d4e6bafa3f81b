/* Solution #3 of Gerlach and Gerlach (2019): one tour through three boards or more.

   The paper does not print this program. Cavalcade has it from the five printed walks: it repeats their 1,144 steps
   but for nine numbers of Table 10, which are slips. For that it must make four mistakes. Each has its switch: 1 is as
   in the paper, 0 is fixed. With its mistakes the program tours four boards of 8 x 8 from 17 of 256 squares, without
   them from all 256, and three boards from all 192.

   Change the size, the number of boards and the start, and run. The start below is that of Table 12. */
%let rows = 8;
%let columns = 8;
%let boards = 4;
%let level = 1;
%let row = 1;
%let col = 5;
%let stale_level = 1;  /* mistake 1 */
%let one_for_two = 1;  /* mistake 2 */
%let none_on_four = 1; /* mistake 3 */
%let flat_table = 1;   /* mistake 4 */
%include "knight.sas";

%macro solution3;
  /* MOVES: on a board, to the boards next to it, and two boards away. */
  data knightmoves;
    array moves{&boards., &rows., &columns.} %gen_vars(m, &boards.);
    array jump{8, 2} _temporary_ (&knight.);
    do level = 1 to &boards.;
      do r = 1 to &rows.;
        do c = 1 to &columns.;
          moves{level, r, c} = 0;
          do k = 1 to 8;
            if 1 le r + jump{k, 1} le &rows. and 1 le c + jump{k, 2} le &columns. then
              moves{level, r, c} = moves{level, r, c} + 1;
          end;
          do up = -2, -1, 1, 2;
            there = 1 le level + up le &boards.;
            /* Mistake 4: on four boards and more the program counts one board up and one down as one, and so
               two boards; every level gets the same numbers, 16 at most, where a knight has 20 moves. */
            if &flat_table. and &boards. ge 4 then there = up gt 0;
            if there then do away = abs(up) - 3, 3 - abs(up);
              if 1 le r + away le &rows. then moves{level, r, c} = moves{level, r, c} + 1;
              if 1 le c + away le &columns. then moves{level, r, c} = moves{level, r, c} + 1;
            end;
          end;
        end;
      end;
    end;
    keep m:;
  run;

  data solution;
    set knightmoves;
    array moves{&boards., &rows., &columns.} %gen_vars(m, &boards.);
    array board{&boards., &rows., &columns.} %gen_vars(s, &boards.);
    array jump{8, 2} _temporary_ (&knight.);
    /* How many boards up the knight jumps, in the order that is tried: from the two lowest boards, from the others. */
    array order{2, 4} _temporary_ (-1, 1, 2, -2,  1, -1, -2, 2);
    level = &level.;
    r = &row.;
    c = &col.;
    from = level;
    board{level, r, c} = 1;
    do position = 2 to &boards. * &rows. * &columns.;
      pmoves = 99;
      nxtl = .;
      do k = 1 to 8;
        i = r + jump{k, 1};
        j = c + jump{k, 2};
        if 1 le i le &rows. and 1 le j le &columns. then do;
          if board{level, i, j} eq . and moves{level, i, j} lt pmoves then do;
            nxtl = level;
            nxtr = i;
            nxtc = j;
            pmoves = moves{level, i, j};
            from = level;
          end;
        end;
      end;
      /* Mistake 1: FROM, the level to jump from, is set above only, where a move on the board is free. If none is,
         FROM is the level where the knight was before, and the jump need not be a knight's move. */
      if not &stale_level. then from = level;
      do t = 1 to 4;
        up = order{1 + (from gt 2), t};
        if 1 le from + up le &boards. then do away = abs(up) - 3, 3 - abs(up);
          do across = 0, 1;
            i = r + away * (1 - across);
            j = c + away * across;
            if 1 le i le &rows. and 1 le j le &columns. then do;
              if board{from + up, i, j} eq . and moves{from + up, i, j} lt pmoves then do;
                nxtl = from + up;
                nxtr = i;
                nxtc = j;
                pmoves = moves{from + up, i, j};
              end;
            end;
          end;
        end;
      end;
      if nxtl eq . then leave;
      level = nxtl;
      r = nxtr;
      c = nxtc;
      board{level, r, c} = position;
      /* The new square takes one off MOVES where a knight lands from it. The start took nothing off. */
      do k = 1 to 8;
        i = r + jump{k, 1};
        j = c + jump{k, 2};
        if 1 le i le &rows. and 1 le j le &columns. then moves{level, i, j} = moves{level, i, j} - 1;
      end;
      do up = -2, -1, 1, 2;
        far = 3 - abs(up);
        /* Mistake 2: from board 2, one board up and down, it is the squares one away, where a knight lands two away. */
        if &one_for_two. and level eq 2 and abs(up) eq 1 then far = 1;
        there = 1 le level + up le &boards.;
        /* Mistake 3: from board 2 on, nothing on board 4 and above: this part is as for three boards. */
        if &none_on_four. and level ge 2 and up gt 0 and level + up ge 4 then there = 0;
        if there then do away = -far, far;
          if 1 le r + away le &rows. then moves{level + up, r + away, c} = moves{level + up, r + away, c} - 1;
          if 1 le c + away le &columns. then moves{level + up, r, c + away} = moves{level + up, r, c + away} - 1;
        end;
      end;
    end;
    call symputx('solved', n(of board{*}) eq &boards. * &rows. * &columns., 'g');
    keep s:;
  run;
  %Show_Boards(dsn=solution, elements=%gen_vars(s, &boards.), title=Tour of &boards. boards)
  %if not &solved. %then %put NOTE: the tour gets stuck.;
%mend solution3;
%solution3
