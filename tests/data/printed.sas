/* The macros that Gerlach (2015) and Gerlach and Gerlach (2019) print. Statements are as printed, with these
   exceptions. %KNIGHTMOVES is printed as a step. SVARS and MVARS are used but not defined in print. %ShowBoard has
   no TITLE in print, but its calls set it. The transcription has END more often than DO in %KTOUR and %NXTCOORD, a
   colon for a semicolon in %ShowBoard, arrows with remarks, and PUT(NXT_ROW,2) for PUT(NXT_ROW,2.). */
%let svars = s11-s18 s21-s28 s31-s38 s41-s48 s51-s58 s61-s68 s71-s78 s81-s88;
%let mvars = m11-m18 m21-m28 m31-m38 m41-m48 m51-m58 m61-m68 m71-m78 m81-m88;

%macro knightmoves;
data knightmoves;
   array board{8,8} m11-m18 m21-m28 m31-m38 m41-m48
                    m51-m58 m61-m68 m71-m78 m81-m88;
   do r = 1 to 8;
      do c = 1 to 8;
         counter = 0;
            do step1 = -2, -1, 1, 2;
               do step2 = -2,-1,1,2;
                  if (abs(step1) ne abs(step2))
                     then do;
                      if 1 le (r+step1) le 8 and 1 le (c+step2) le 8
                        then counter+1;
                     end;
               end;
            end;
         board{r,c} = counter;
         end;
      end;
   drop r c step1 step2 counter;
run;
%mend knightmoves;

%macro ShowBoard(dsn = solution,
                    elements = s11-s18 s21-s28 s31-s38 s41-s48
                                  s51-s58 s61-s68 s71-s78 s81-s88,
                    title = Chess Board);
   data board;
      array board{8,8} &elements.;
       array cols{8} c1-c8;
       set &dsn.;
       do r = 1 to 8;
          do c = 1 to 8;
              cols{c} = board{r,c};
              end;
          output;
          end;
       keep c1-c8;
   run;
   proc report data=board nowindows headskip;
      columns c1-c8;
      define c1 / display width=3 '';
      define c2 / display width=3 '';
     define c3 / display width=3 ''; define c4 / display width=3 '';
     define c5 / display width=3 ''; define c6 / display width=3 '';
     define c7 / display width=3 ''; define c8 / display width=3 '';
     format c1-c8 best3.1;
      title2 "&title.";
   run;
%mend ShowBoard;

%macro ktour(board,row,col);
%* Create macro variables denoting the START / END of a tour ;;
data _null_;
end = &board.*64;
start = (end - 64) + 1;
call symput('start',left(put(start,8.)));
call symput('end', left(put(end,8.)));
run;
%* Determine a Knight's Tour ;;
data board&board.;
retain r &row. c &col. &svars. &mvars.;
array board{8,8} &svars.;
array moves{8,8} &mvars.;
set knightmoves;
board{r,c} = &start.;
do position = (&start.+1) to &end.;
nxtr = 0;
nxtc = 0;
pmoves = 9;
%* Determine the best possible move per the knight's standard moves ;;
    do step1 = -2,-1,1,2;
      do step2 = -2,-1,1,2;
        if (abs(step1) ne abs(step2))
          then do;
            if 1 le (r+step1) le 8 and 1 le (c+step2) le 8
              and board(r+step1,c+step2) eq .
              then do;
                if moves{r+step1,c+step2} lt pmoves
                  then do;
                    nxtr = r+step1;
                    nxtc = c+step2;
                    pmoves = moves{r+step1,c+step2};
                    end;
                  end;
              end;
            end;
          end;
%* Assign the position assuming it is legal ;;
    if 1 le nxtr le 8 and 1 le nxtc le 8
      then do;
        r = nxtr;
        c = nxtc;
        board{r,c} = position;
%* Update the MOVES matrix, decrementing by 1 ;;
        do step1 = -2,-1,1,2;
          do step2 = -2,-1,1,2;
            if (abs(step1) ne abs(step2))
              and 1 le (r+step1) le 8 and 1 le (c+step2) le 8
              then moves{r+step1,c+step2} =
                moves{r+step1,c+step2}-1;
            end;
          end;
        end;
      end;
    keep &svars. &mvars.;
run;
%* Display the Knight's Tour ;;
%showBoard(dsn = board&board.,
           elements = &svars.,
           title = Knights Tour on Board #&board.);
%mend ktour;

%macro nxtcoord(board);
  data _null_;
    array board{8,8} &svars.;
    set board&board.(keep=s:);
%* Find the location of the last step in the tour ;;
    do j = 1 to 8;
do k = 1 to 8;
  if board{j,k} eq max(of board{*})
    then do; cur_row=j; cur_col=k; leave; end;
  end;
end;
%* Find the location of the "First" step on the Successive board ;;
do step1 = -2,2;
  do step2 = -2,2;
    if 1 le (cur_row+step1) le 8
      then do;
        nxt_row = cur_row + step1;
        nxt_col = cur_col;
        end;
    else if 1 le (cur_col+step2) le 8
      then do;
        nxt_row = cur_row;
        nxt_col = cur_col + step2;
        end;
    if (cur_row ne nxt_row) or (cur_col ne nxt_col)
      then leave;
    end;
  end;
%* Store the coordinates in macro variables used for the %ktour macro ;;
call symput('r', trim(left(put(nxt_row,2.))));
call symput('c', trim(left(put(nxt_col,2.))));
run;
%mend nxtcoord;

%macro gen_vars(type, levels);
  %do level = 1 %to &levels.;
    %do row = 1 %to 8;
      %do column = 1 %to 8;
        &type.&level.&row.&column.
      %end;
    %end;
  %end;
%mend gen_vars;

%macro Show_Boards(dsn          = solution,
                   elements    = %gen_vars(s,3),
                   title       = 3-D Chess Board);

data board;
  array board{3,8,8} &elements.;
  array cols{8} c1-c8;
  set &dsn.;
  do level = 1 to 3;
    do r = 1 to 8;
      do c = 1 to 8;
        cols{c} = board{level,r,c};
      end;
      output;
    end;
  end;
  keep level c1-c8;
run;
proc report data=board nowindows headskip;
  columns level c1-c8;
  define level / order    width=5  'Level';
  define c1 / display width=3  '';  define c2 / display width=3  '';
  define c3 / display width=3  '';  define c4 / display width=3  '';
  define c5 / display width=3  '';  define c6 / display width=3  '';
  define c7 / display width=3  '';  define c8 / display width=3  '';
  break after level / skip;
  format c1-c8 best3.1;
  title2 "&title.";
run;
%mend Show_Boards;
