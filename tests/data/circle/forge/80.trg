#8000
smith greets~
0 g 60
~
* nobody else is greeted
if %actor.is_pc% && %actor.level% < 5
  say Stay away from the fire, %actor.name%.
elseif %actor.level% >= 20
  emote bows.
  %send% %actor% The smith shows you %actor.hisher% best hammer.
else
  nod
end
~
#8001
smith hears~
0 d 1
work~
if %speech% /= work
  say There is always work.
  wait 2 s
  %echoaround% %actor% The smith looks %actor.name% up and down.
elseif %speech% /= pay || %speech% /= money
  say First the work.
else
  say What?
end
~
#8002
smith takes coal~
0 j 100
~
if %object.vnum% == 8002
  %purge% %object%
  say That burns!
  %load% obj 8000
  give horseshoe %actor.name%
else
  say Not mine.
end
~
#8003
smith dies~
0 f 100
~
%echo% The fire goes out.
%load% obj 8001
~
#8004
smith is hurt~
0 l 30
~
emote spits on the floor.
%damage% %actor% 30
~
#8005
smith is paid~
0 m 1
~
say Much obliged.
~
#8006
smith fights~
0 k 10
~
%echo% Sparks fly.
~
#8007
imp mutters~
0 b 10
~
say Soot. Soot everywhere.
~
#8008
imp and the jab~
0 c 100
jab~
if %actor.level% > 3
  emote bites.
  %damage% %actor% 9
end
return 0
~
#8009
imp takes all~
0 c 100
*~
say No.
~
#8010
into the yard~
2 g 100
~
%send% %actor% It smells of coal.
~
#8011
the bell~
2 c 100
clang~
%echo% A bell rings.
%door% 8000 east flags a
wait 20 s
%door% 8000 east flags ab
~
#8012
the word~
2 d 0
open the gate~
%teleport% %actor% 8001
~
#8013
the wind~
2 b 50
~
if %random.3% == 1
  %echo% The wind turns.
end
set count 1
while %count% < 3
  %echo% Again.
  eval count %count% + 1
done
~
#8014
out of the yard~
2 q 100
~
%echo% Cinders settle.
%force% %actor% dance
~
#8015
in the cellar~
2 g 100
~
%send% %actor% Something moves.
~
#8016
for the last imp~
0 q 100
~
emote hisses after %actor.himher%.
~
#8020
shoe is taken~
1 g 100
~
%send% %actor% It is still warm.
~
#8021
shoe is dropped~
1 h 100
~
%echo% It rings on the ground.
~
#8022
hammer is wielded~
1 j 100
~
%send% %actor% It is heavier than it looks.
~
#8023
hammer is given~
1 i 100
~
%send% %actor% No.
return 0
~
#8030
of nobody~
0 g 100
~
say Where am I?
~
$~
