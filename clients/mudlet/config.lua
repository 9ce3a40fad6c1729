mpackage = "Deepwell"
title = "Deepwell: map and gauges"
author = "The Deepwell authors"
icon = ""
description = [[Draws Mudlet's map from what the server tells of each room, follows you on it, walks to a room that you double-click,
and shows your hit points and your party.]]
version = "1"
created = "2026-11-22T00:00:00+00:00"
