#7100
Welcome~
2 g 100
~
say hello
~
$~
