/* A closed tour of the graph whose links are in the data set LINKS: the data set CLOSED_TOUR.

   The macro variable PROC names the procedure. OPTGRAPH is the one of the paper; OPTNET, of SAS/OR, has the same
   statements. OPTNETWORK, of SAS Optimization on SAS Viya, reads and writes tables of a CAS session, here with the
   library CASUSER. Start a session first: cas; libname casuser cas caslib=casuser; for the action itself, see
   closed_tour_cas.sas. There was no SAS where this was written: an interpreter in Python ran it, and another solver
   found the tours. */
%macro closed_tour(from=origin, to=destination);
  %if &proc. eq optnetwork %then %do;
    data casuser.links;
      set links;
    run;
    proc optnetwork links=casuser.links direction=undirected;
      linksvar from=&from. to=&to.;
      tsp out=casuser.closed_tour;
    run;
    data closed_tour;
      set casuser.closed_tour;
    run;
  %end;
  %else %do;
    proc &proc. data_links=links;
      data_links_var from=&from. to=&to.;
      tsp out=closed_tour;
    run;
  %end;
%mend closed_tour;
