import type { Topic } from "./types";

export const rules: Topic[] = [
	{
		key: "goal",
		set: null,
		title: "What it is about",
		blocks: [
			{
				kind: "text",
				text: "You settle a land of hexes. In every turn a terrain card tells you where you may build; you put three settlements there. At the end of the game settlements pay gold, and every game has its own reasons for gold: three Kingdom Builder cards, drawn at the beginning. Most gold wins.",
			},
			{
				kind: "text",
				text: "Two to four play, with Nomads five. A game takes about half an hour. There are no dice; the trick is to build so that the next card, whatever it is, finds you in a good place.",
			},
		],
	},
	{
		key: "setup",
		set: null,
		title: "Before the first turn",
		blocks: [
			{
				kind: "text",
				text: "The program lays everything out. This is what it does:",
			},
			{
				kind: "list",
				items: [
					"Four sections make up the board of 20 by 20 hexes. Which ones, and whether they lie the right way up or upside down, is chance or your choice.",
					"Two tiles lie on every location hex.",
					"Three Kingdom Builder cards are drawn. They say what pays gold in this game.",
					"Everybody has 40 settlements and draws one terrain card. There are 25 of them, five each of grass, canyon, desert, flower field and forest.",
					"The seats play in turn, the first one begins.",
				],
			},
			{
				kind: "text",
				text: "For a first game take Tavern, Paddock, Oasis and Farm with the cards Fishermen, Knights and Merchants: the button for the first game does that.",
			},
		],
	},
	{
		key: "turn",
		set: null,
		title: "Your turn",
		blocks: [
			{
				kind: "list",
				items: [
					"Your terrain card is shown to all.",
					"You build three settlements, one after the other, on hexes of that terrain. This is the mandatory action: you cannot skip it or stop halfway.",
					"Before it or after it you may use your location tiles, each once. Never between the three settlements.",
					"You end your turn. The card is discarded, and you draw the one for your next turn: only you see it.",
				],
			},
			{
				kind: "text",
				text: "Some tiles may be used before the mandatory action and others after it. One action is finished before the next begins. Using a tile is never a must.",
			},
			{
				kind: "text",
				text: "Until you end your turn you may take back what you did, as far as the last card that was drawn.",
			},
			{
				kind: "text",
				text: "Fewer than three settlements left? Then you build those that you have.",
			},
		],
	},
	{
		key: "building",
		set: null,
		title: "Where to build: the adjacency rule",
		blocks: [
			{
				kind: "text",
				text: "A hex is good for a settlement if it shows the terrain of your card and nothing stands on it. Nobody builds on water, mountains, locations or castles, unless a tile says so.",
			},
			{
				kind: "text",
				text: "Then comes the rule that makes the game: if any good hex touches one of your settlements, you must build on such a hex. Only if none does may you build on any good hex of the board.",
			},
			{
				kind: "figure",
				position: "GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T",
				highlight: "legal",
				caption:
					"Your first settlement, your card shows desert. You touch nothing yet, so every free desert hex is open.",
			},
			{
				kind: "figure",
				position: "GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 1 C5D4F5G5T4 - 2A/D/3/- 39:b2:c3:D 40:::T",
				highlight: "legal",
				caption:
					"Desert again, but now your settlement on b2 touches two desert hexes. You must take one of them; all other desert is closed.",
			},
			{
				kind: "figure",
				position:
					"GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 1 C5D4F5G5T4 - 2A/D/3/- 38:b2,e6:c3:D 40:::T",
				highlight: "legal",
				caption:
					"With a second settlement on e6 there are three hexes to choose from. Any of your settlements will do, not only the last one: you may build one here and the next there.",
			},
			{
				kind: "figure",
				position: "GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 2 C5D4F5G5T4 - 2A/D/3/- 39:a5::D 40:::T",
				highlight: "legal",
				caption:
					"The settlement on a5 touches no desert. So you are free again: all desert hexes are open, and you begin a second group wherever you like.",
			},
			{
				kind: "text",
				text: "The rule is looked at anew for every single settlement. In the last picture you might jump to g5; the next settlement must then touch g5 or another of yours, since there is desert next to it.",
			},
			{
				kind: "text",
				text: "A hint: whoever touches many kinds of terrain early on is tied down for the whole game. Few neighbours mean much freedom.",
			},
		],
	},
	{
		key: "full",
		set: null,
		title: "No hex left for your card",
		blocks: [
			{
				kind: "text",
				text: "If no free hex of your card's terrain is left on the whole board, the card goes out of the game and you draw another one, until one fits. That happens at once, at the beginning of your turn or in the middle: the settlements that you still have to build go on the new terrain. After the mandatory action the card is replaced too, so that the Oracle and the Barn can still be used.",
			},
			{
				kind: "text",
				text: "When the draw pile is empty, the discarded cards are shuffled and become the new pile.",
			},
		],
	},
	{
		key: "locations",
		set: null,
		title: "Locations and their tiles",
		blocks: [
			{
				kind: "text",
				text: "Location hexes have a golden rim. Build or move a settlement next to one and you take one of its two tiles, as long as there are any. You need not do anything for it.",
			},
			{
				kind: "figure",
				position: "GGGDD/GG1DD/GFFDT/FFTTT(tower) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T",
				highlight: ["c1", "d1", "b2", "d2", "c3", "d3"],
				caption:
					"A settlement on any of the six hexes around the Tower takes a tile of it. With desert that is d1, d2 or d3.",
			},
			{
				kind: "list",
				items: [
					"A tile that you took in this turn can be used from your next turn on, then once in every turn.",
					"From each location hex you get one tile only, once in the game. A section has two hexes of most locations: from both you may have a tile, and use both in the same turn.",
					"You keep a tile as long as at least one of your pieces touches its hex. When the last one moves away, the tile is out of the game, at once. You do not get another from there.",
					"If you lose one of two equal tiles, the one already used goes first.",
				],
			},
			{ kind: "printed", what: "locations", set: "base" },
		],
	},
	{
		key: "actions",
		set: null,
		title: "Using a tile",
		blocks: [
			{
				kind: "text",
				text: "Some tiles build, others move. Building takes a settlement from your supply. A tile for which there is no hex, or no settlement left, cannot be used.",
			},
			{
				kind: "text",
				text: "Oracle, Farm, Oasis and Tower follow the adjacency rule: among the hexes that the tile allows, those next to your settlements come first. For the Tower that means: as long as you touch a free land hex at the edge, you must build on such a one.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTTG/GGGGGWG/FFTTG1G(tavern) - - 1 C5D5F5G4T4 - 3A/G/0/tavern 36:b2,c2,d2,g4:f4*:G 40:::T",
				highlight: "legal",
				caption:
					"The Tavern lengthens a straight line of three or more at one of its ends, on any land. Lines run in three directions.",
			},
			{
				kind: "figure",
				position:
					"GGTTGGG/GGWWDTG/GGGGGMG/FFTT1GG/FTTGGGG(paddock) - - 1 C5D5F5G4T4 - 3A/G/0/paddock>d3 38:d3,d4:e4*:G 39:e3::T",
				highlight: "legal",
				caption:
					"The Paddock takes the settlement on d3 exactly two hexes away, across water, other settlements or anything else. It need not touch your others. f3 is a mountain: not possible.",
			},
			{
				kind: "figure",
				position: "GGTTGGG/GGWWDTG/GMGGGWG/FFTT1GG(harbor) - - 1 C5D5F5G4T4 - 3A/G/0/harbor>d4 38:d4,d3:e4*:G 40:::T",
				highlight: "legal",
				caption:
					"The Harbor moves the settlement on d4 to water. It is lifted first; then the adjacency rule holds for the others: c2 and d2 touch d3, so the water on f3 is closed.",
			},
			{
				kind: "text",
				text: "The Barn does the same with the terrain of your card. For both, the hex that the settlement leaves counts as free: if it is a good hex next to your others, a far one is closed.",
			},
			{
				kind: "text",
				text: "A settlement that was built or moved in this turn may be moved too. Moves take tiles and lose tiles.",
			},
		],
	},
	{
		key: "end",
		set: null,
		title: "The end of the game",
		blocks: [
			{
				kind: "text",
				text: "When somebody has built the last settlement of the supply, the round is played to its end, so that all have had the same number of turns. Who built the last one still finishes the turn and may use tiles that move. Then the gold is counted.",
			},
			{
				kind: "text",
				text: "Most gold wins. If several have the same, they share the victory.",
			},
		],
	},
	{
		key: "scoring",
		set: null,
		title: "Gold",
		blocks: [
			{
				kind: "text",
				text: "In every game: each castle with at least one of your settlements next to it pays 3 gold, to everybody who is there. One settlement is enough, more do not pay more.",
			},
			{
				kind: "text",
				text: "And the three Kingdom Builder cards of this game. The table shows at any time what they pay you now, and which hexes are the reason.",
			},
			{ kind: "printed", what: "cards", set: "base" },
			{
				kind: "figure",
				position:
					"GGWWGG/GTWWTM/GGTTMM/FFGTTM/FFGGTT fishermen,miners - - C5D5F5G4T4 - 9A/G/3/- 34:b1,b2,c3,d3,d4,a5::G 37:f1,b4,c4::T",
				highlight: ["b1", "b2", "c3", "d3"],
				caption:
					"Fishermen pay you 4 gold: four settlements touch water. Miners pay 2, for d3 and d4. A settlement counts once for each card, however much water it touches.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGGG/GG1GGDDD/GGGTTKDD/FFGTTTDD/FF2FFTTD(farm,tower) merchants - 11 C5D5F5G4T4 - 9A/G/3/- 33:d2,d3,e3,g2,b4,c4,g5:c2,c5:G 40:::T",
				highlight: ["c2", "d2", "d3", "e3", "f3", "b4", "c4", "c5"],
				caption:
					"Merchants: your group connects the Farm, the castle and the Tower. Three places at 4 gold make 12. A place that hangs on no other pays nothing.",
			},
			{
				kind: "figure",
				position:
					"GGGTTT/GGWTTT/GGWWTD/FFFWDD/FFFFDD hermits,citizens - - C5D5F5G4T4 - 9A/G/3/- 31:a1,b1,a2,b2,b3,e1,f2,d5,e5::G 40:::T",
				highlight: ["a1", "b1", "a2", "b2", "b3"],
				caption:
					"A settlement area is what hangs together. You have four: Hermits pay 4 gold. The largest has five settlements: Citizens pay 2, one for every two.",
			},
			{
				kind: "figure",
				position:
					"GGGTTTG/GGWTTTG/GGWWTDG/FFFWDDD/FFFFDDD discoverers,knights - - C5D5F5G4T4 - 9A/G/3/- 32:a1,c1,f1,g1,b2,b3,f3,c5::G 40:::T",
				highlight: ["a1", "c1", "f1", "g1"],
				caption:
					"You stand on four of the horizontal lines: Discoverers pay 4 gold. On the first line there are most, four: Knights pay 2 for each, 8 gold. Gaps do not matter.",
			},
			{
				kind: "figure",
				position:
					"GGGTTT/GG1TTT/GGWWKD/FFFWDD/FFFFDD(farm) workers - 1 C5D5F5G4T4 - 9A/G/3/- 33:b1,c1,b2,d1,e2,e4,f5:c2:G 40:::T",
				highlight: ["c1", "d1", "b2", "e2", "e4"],
				caption:
					"Workers: five settlements touch the Farm or the castle, 5 gold. The castle itself pays 3 more, as always.",
			},
			{
				kind: "list",
				items: [
					"Lords, in each of the four sectors: who has most there gets 12 gold, who is second gets 6. With 8, 8, 6 and 2 settlements that is 12, 12, 6 and nothing. In a sector where nobody has built nobody gets anything; in all others somebody with none may be second.",
					"Farmers: count your settlements in each sector and take the smallest number. With 14, 9, 12 and 5 that is 5, at 3 gold each: 15. One empty sector, and there is nothing.",
					"On water: a settlement that stands on water gets nothing from Fishermen, but 1 gold from Miners if it touches a mountain. On a mountain it is the other way round.",
				],
			},
		],
	},
	{
		key: "nomads",
		set: "nomads",
		title: "Nomads: nomad tiles",
		blocks: [
			{
				kind: "text",
				text: "The four sections of Nomads have nomad spaces where others have castles. On each lies one tile, open, drawn by chance. Who first builds or moves a piece next to it takes it. No new one comes.",
			},
			{
				kind: "text",
				text: "A nomad tile is good for your next turn and no longer: at the end of that turn it is gone, used or not. It is used like a location tile, before or after the mandatory action. You keep it even if you move away.",
			},
			{ kind: "printed", what: "nomads", set: "nomads" },
			{
				kind: "list",
				items: [
					"Donation: three settlements, one by one, each by the adjacency rule. All three if there are hexes and settlements. Water and mountains are possible with the tiles that show them.",
					"Resettlement: up to four steps in all, by one settlement or by several, in any order. Every hex on the way must be free land. Tiles are taken and lost after every step. No adjacency rule.",
					"Outpost: say it before a build that would have to be next to your settlements, a mandatory one or by a tile. It may go anywhere then; the terrain must still fit. Not for Tavern, Village and others that have no free choice anyway, and not for moves.",
					"Sword: one piece of every other player who has any, of your choice. You cannot spare anybody. The pieces go back to their owners, who may lose tiles by it.",
					"Treasure: 3 gold, as soon as you take it.",
				],
			},
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDTG/GGNDTW/FFGDTT/FFFDDT - - 0 C5D5F5G4T4 - 4A/G/0/resettlement>d3*3 37:d3,b2,d2:c3*:G 38:e5::T nomads=c3:resettlement",
				highlight: ["c2", "e3", "c4", "d4"],
				caption:
					"Resettlement: the settlement that is now on d3 may step on to any of these hexes, or another one of yours goes instead.",
			},
		],
	},
	{
		key: "nomads-locations",
		set: "nomads",
		title: "Nomads: locations",
		blocks: [
			{ kind: "printed", what: "locations", set: "nomads" },
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDTG/GGGDTW/FF1DTT/FFFDDT(quarry) - - 1 C5D4F5G5T4 - 4A/D/0/quarry*2 37:c2,d3,c5:c4*:D 38:e3,e5::T walls=d5",
				highlight: "legal",
				caption:
					"Quarry with a desert card: a wall goes on free desert next to your settlements. The one on d5 stands there for the rest of the game; it belongs to nobody.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTGG/GGGDTWG/FF1DTTG/FFFDDTG(caravan) - - 1 C5D5F5G4T4 - 4A/G/0/caravan>d3 38:d3,d4:c4*:G 38:d1::T",
				highlight: "legal",
				caption:
					"Caravan: the settlement on d3 slides in one of six directions until the next hex is not free land. It must go all the way.",
			},
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDTG/GGGDTW/FF1DTT/FFFDDT(village) - - 1 C5D5F5G4T4 - 4A/G/0/village 37:c2,d3,d4,b2,c1:c4*:G 38:e3,e5::T",
				highlight: "legal",
				caption: "Village: c3 is the only free land that touches three of your settlements.",
			},
			{
				kind: "text",
				text: "The Garden builds on a flower field, by the adjacency rule. There are 25 walls; when all are used, the Quarry does nothing.",
			},
		],
	},
	{
		key: "nomads-cards",
		set: "nomads",
		title: "Nomads: gold during the game",
		blocks: [
			{
				kind: "text",
				text: "Three cards pay at once and not at the end. They count settlements that you build, by your card or by a tile, never those that you move.",
			},
			{ kind: "printed", what: "cards", set: "nomads" },
			{
				kind: "list",
				items: [
					"Families: only the three of the mandatory action, in any order, on three hexes in a row in one of the three directions. If you built fewer than three there is nothing.",
					"Shepherds: looked at right after the build. A hex with a wall is not free.",
					"Ambassadors: 1 gold for the settlement, however many neighbours it has.",
				],
			},
			{
				kind: "text",
				text: "For Merchants and Workers a nomad space counts like a location or a castle, also when its tile is gone.",
			},
		],
	},
	{
		key: "crossroads",
		set: "crossroads",
		title: "Crossroads: locations",
		blocks: [
			{
				kind: "text",
				text: "The four sections of Crossroads have two different locations each, so there is at most one tile of a kind for you.",
			},
			{ kind: "printed", what: "locations", set: "crossroads" },
			{
				kind: "list",
				items: [
					"Forester's lodge and Monastery build by the adjacency rule.",
					"Fort: draw a card, then build on its terrain by the adjacency rule. After the draw there is no way back. If its terrain has no free hex, nothing happens. The card is discarded.",
					"Crossroads works by itself, already in the turn in which you took the tile: you draw a card more at the end. In your turn you choose one of your cards as soon as you need one. It is good for the whole turn, and all of them are discarded at its end. You cannot choose a card without a free hex.",
					"If you lose the tile you keep the cards in your hand for the coming turn.",
				],
			},
		],
	},
	{
		key: "crossroads-pieces",
		set: "crossroads",
		title: "Crossroads: warriors, wagon, ship, city hall",
		blocks: [
			{
				kind: "text",
				text: "Everybody has two warriors, a wagon, a ship and a city hall. They are not part of the 40 settlements, but on the board each counts as a settlement in every way: for adjacency, for tiles, for gold. Putting one there counts as building.",
			},
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDDG/GGGDDW/FF1DDT/FFFDDT(barracks) - - 1 C5D4F5G5T4 - 4A/D/3/- 38:c2,d4:c4:D 39:f4::T warriors=c2",
				highlight: "legal",
				caption:
					"Nothing may be put next to a warrior, not even by its owner: d2 and d3 are closed. What stands there already stays, and may leave.",
			},
			{
				kind: "list",
				items: [
					"Warrior (Barracks): goes on free land by the adjacency rule. In a later turn you may take one back instead of placing one.",
					"Wagon: on land or mountain. Ship (Lighthouse): on water. In a turn you place it, or move it one to three steps, or take it back. Every step goes to a free hex of its kind; tiles are taken and lost after every step.",
					"City hall: once in the game, on seven free land hexes, of which at least one touches a piece of yours. The terrains may differ. It stays for ever and counts as seven settlements.",
					"Other moves, such as those of Paddock or Caravan, may move warriors, wagons and ships too, to hexes on which they may stand. The city hall never moves.",
					"If you lose the tile the pieces stay on the board, but the tile cannot move them or take them back any more.",
				],
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDMMGG/GGWDMWG/FF1DTTG/FFFDDTG(wagon) - - 1 C5D5F5G4T4 - 4A/G/0/wagon>d3*3 38:d3,d4:c4*:G 39:g5::T wagons=d3",
				highlight: "legal",
				caption: "The wagon on d3 has three steps. The first may go to c2, or into the mountains on d2 or e3.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTGG/GGGDTTG/FF1DTTG/FFFDDTG(city-hall) - - 1 C5D5F5G4T4 - 4A/G/0/city-hall 38:b2,d4:c4*:G 38:g3::T",
				highlight: "legal",
				caption:
					"The city hall is placed by its centre. Around d2 or e2 there are seven free land hexes, and one of them touches you.",
			},
		],
	},
	{
		key: "crossroads-tasks",
		set: "crossroads",
		title: "Crossroads: tasks",
		blocks: [
			{
				kind: "text",
				text: "For every section of Crossroads on the board one task lies open. Whoever has fulfilled it at the end gets its gold, once; several players may.",
			},
			{ kind: "printed", what: "tasks", set: "crossroads" },
			{
				kind: "list",
				items: [
					"Home country: a terrain area is all that hangs together in one terrain, across the sections too. Any size will do, a single hex as well; water and mountains also count.",
					"Road: the line runs diagonally, not along a row, and has no gap.",
					"Advance and Compass points: a corner hex belongs to two edges.",
				],
			},
		],
	},
	{
		key: "harvest",
		set: "harvest",
		title: "Harvest: farmland and silos",
		blocks: [
			{
				kind: "text",
				text: "Farmland is land, but no terrain card shows it. Once in every turn, before or after the mandatory action and without any tile, everybody may build one settlement on free farmland next to one of their own pieces: the farm action. If you touch no farmland you have none.",
			},
			{
				kind: "figure",
				position:
					"GGAAGGG/GDDAATT/GGDAITT/FF1DTTT/FFFDDTT(bazaar) - - 1 C5D5F5G4T4 - 4A/G/0/farm-action 38:c2,c3:c4,farm-action*:G 39:g2::T",
				highlight: "legal",
				caption:
					"The farm action: farmland next to your settlements. Tiles that build or move on any land may use farmland too.",
			},
			{
				kind: "text",
				text: "Silos come into play after the last turn, before the gold is counted. In turn order everybody, for every silo that touches a piece of theirs, either builds up to three settlements from the supply or moves up to three, but does not do both. Each goes to free land next to another own piece. Silos count for Merchants, Workers and the University like castles.",
			},
			{
				kind: "figure",
				position:
					"GGAAGGG/GDDAATT/GGDAITT/FF1DTTT/FFFDDTT(bazaar) - - 1 C5D5F5G4T4 - 9A!/-/0/silo*3 10:d3,d4:: 3:f4:: silos=e3",
				highlight: ["c2", "d2", "c3", "e4", "d5", "e5"],
				caption:
					"Your settlements touch the silo on e3. You may build up to three more, each on land next to one of yours, or move the ones that are there.",
			},
		],
	},
	{
		key: "harvest-locations",
		set: "harvest",
		title: "Harvest: locations",
		blocks: [
			{ kind: "printed", what: "locations", set: "harvest" },
			{
				kind: "list",
				items: [
					"Water mill, Mountain station, Watchtower and University build by the adjacency rule.",
					"Palisade: the settlement is lifted; it may go next to any piece of the area that it left. A settlement that stands alone cannot be moved.",
					"Scout cabin: scouts stand on any free land, water or mountain next to your pieces, the first scout included. Until the end of the turn they count as yours for adjacency; they take no tiles and earn no gold.",
					"Cathedral: with the tile you get the number 1. In each turn you may raise it by 1, or give back as much of it as you like and build that many settlements on the terrain of your card. If you lose the tile the number is gone.",
					"Bazaar: repeats a location action that you have used in this turn and whose tile you still have. With the Crossroads tile it draws one card more. It does not repeat nomad tiles, the farm action or caves.",
				],
			},
		],
	},
	{
		key: "harvest-cards",
		set: "harvest",
		title: "Harvest: cards",
		blocks: [
			{ kind: "printed", what: "cards", set: "harvest" },
			{
				kind: "list",
				items: [
					"Rangers: rows with exactly one of your settlements. With 1, 4, 1, 0 and 1 in five rows that is three rows, 6 gold.",
					"Travellers: a settlement in a corner counts once.",
					"Chainers: a line of five pays 3, since the two at the ends have one neighbour only.",
					"Mayors: as soon as you have four in a row that nobody has marked, gaps allowed, one settlement of your supply becomes the marker, by itself. It stays there even if the four do not, and it may be the settlement that ends the game.",
					"Rovers: at most 1 gold for a sector and turn, for settlements built, not moved.",
				],
			},
		],
	},
	{
		key: "capitol",
		set: "capitol",
		title: "Capitol",
		blocks: [
			{
				kind: "text",
				text: "On the sections of Oracle and Harbor one of the two castles carries a capitol. It pays 1 gold for each of your settlements that is at most two hexes away. The castle below it pays its 3 gold as ever.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTGG/GGGKTWG/FFFDTTG/FFFDDTG - - - C5D5F5G4T4 - 4A/G/3/- 36:d2,e2,b3,a1,g5::G 39:f4::T capitols=d3",
				highlight: ["d2", "e2", "b3"],
				caption:
					"Three settlements are near enough to the capitol on d3: 3 gold. Because one of them touches the castle there are 3 more.",
			},
		],
	},
	{
		key: "caves",
		set: "caves",
		title: "Caves",
		blocks: [
			{
				kind: "text",
				text: "On each section one mountain far from locations and castles may have a cave. Once in every turn, before or after the mandatory action, you may move one settlement that touches a cave to free land next to any cave, the same one or another. There is no adjacency rule for it. A cave is a mountain in every other way.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDVMGG/GGGDTWG/FF1DTVG/FFFDDTG(tavern) - - 1 C5D5F5G4T4 - 4A/G/0/cave-move>d3 38:d3,d5:c4,cave-move*:G 39:c1::T",
				highlight: "legal",
				caption:
					"The settlement on d3 goes through the mountain: to any free land around the cave on d2 or the one on f4.",
			},
		],
	},
	{
		key: "options",
		set: null,
		title: "House rulings",
		blocks: [
			{
				kind: "text",
				text: "On some questions tables disagree. Without an option the ruling closest to the printed rules holds. When you set up a game you may switch on:",
			},
			{
				kind: "list",
				items: [
					"Lords: who has no settlement in a sector is not second there. Otherwise none at all may be the second most.",
					"Lords is left out when cards are drawn by chance. Some find that the card favours the last player.",
					"A card whose terrain is full is not replaced any more once the mandatory action is done. Otherwise it is.",
					"Settlements on water or mountains count for neither Fishermen nor Miners. Otherwise one on water may still count for Miners, and one on a mountain for Fishermen.",
					"Nomads: the Outpost also helps moves that follow the adjacency rule, those of Barn and Harbor. Otherwise it is for builds only.",
					"Nomads: who gets a settlement back by the Sword has not used the last one after all, and the game goes on. Otherwise the end, once brought about, comes.",
					"Crossroads: warriors, wagons and ships are moved by their own location only. Otherwise other moves may move them too.",
					"Crossroads: several equal cards in hand may be played as any terrain. Otherwise they are just that card.",
					"Harvest: the Bazaar may repeat the Cathedral to raise its number too. Otherwise only to build.",
					"Harvest: whether you are next to a silo is looked at silo by silo. Otherwise before your first one.",
					"Capitol: the castle beneath does not pay as a castle. Otherwise it pays as well.",
					"Caves: only when the Tavern section is on the board. Otherwise always.",
				],
			},
		],
	},
];
