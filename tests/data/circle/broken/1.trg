#1
endless~
0 g 100
~
if %actor.level% > 99999999999999999999
if (((
else
end
end
end
wait 99999999999999999999 s
%damage% %actor% -9223372036854775808
%load% obj 99999999999999999999
%send%
%door% x y flags
while
~
#2
wrong letters~
x ?? 0
~
say Hello.
~
#3
no end~
2 gbc 100
~
say Hello.
