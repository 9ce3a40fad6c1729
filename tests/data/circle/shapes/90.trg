#9000
greeting of the lake~
0 g 100
~
wait 1 sec
say Mind the boards.
~
#9001
bell~
2 d 1
ring~
set rung 1
global rung
%echo% A bell rings.
~
$~
