/* A closed tour by the CAS action optNetwork.tsp of SAS Viya, for the data set LINKS of rectangle.sas, prism.sas or
   hexagon.sas: run one of them before. It needs SAS Optimization.

   There was no SAS where this was written, and no interpreter runs it: it follows public examples. */
cas;
libname casuser cas caslib=casuser;

data casuser.links;
  set links;
run;

proc cas;
  loadactionset 'optNetwork';
  action optNetwork.tsp /
    direction='undirected'
    links={name='links', caslib='casuser'}
    linksVar={from='origin', to='destination'}
    out={name='closed_tour', caslib='casuser', replace=true};
run;
quit;

data closed_tour;
  set casuser.closed_tour;
run;

proc print data=closed_tour;
run;
