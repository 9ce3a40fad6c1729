mpackage = "deepwell"
title = "Deepwell: map, gauges, and who is here"
author = "The Deepwell authors"
icon = ""
description = [[Draws Mudlet's map from what the server tells of each room, follows you on it, walks to a room that you double-click,
and shows beside the text your hit points and your enemies', buttons for what you can do now, the ways out, who and what is here,
your party, and what people say.]]
version = "6"
created = "2026-11-22T00:00:00+00:00"
