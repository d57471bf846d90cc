/** The words of the guided first turns; the page binds each step to what happens on the board. */
export interface Step {
	key: string;
	text: string;
}

export const steps: Step[] = [
	{
		key: "welcome",
		text: "Welcome to your first kingdom. You will play two real turns here, and I tell you what matters. You can leave at any time.",
	},
	{
		key: "card",
		text: "This is your terrain card. It says where you may build in this turn: three settlements, all on this terrain.",
	},
	{
		key: "build-first",
		text: "Every glowing hex is allowed. You have nothing on the board yet, so you may begin anywhere on this terrain. Choose a hex; one next to a golden location is a good start.",
	},
	{
		key: "adjacency",
		text: "Look: far fewer hexes glow now. From here on, whenever your terrain touches one of your settlements, you must build there. This is the one rule to remember.",
	},
	{
		key: "build-rest",
		text: "Build the other two. Each must touch a settlement of yours, if it can; which one is up to you. Click a hex that does not glow, and it tells you why.",
	},
	{
		key: "locations",
		text: "The golden hexes are locations. Build next to one and you take a tile of it, without paying anything. Each gives you an extra action in every turn to come.",
	},
	{
		key: "tile",
		text: "Your tiles lie beside your card. A new tile rests for the turn in which you took it. From your next turn on you may use it once a turn, before or after your three settlements.",
	},
	{
		key: "scoring",
		text: "These three cards say what pays gold in this game; castles always pay. Point at a number, and the hexes behind it light up.",
	},
	{
		key: "end-turn",
		text: "Content with it? Until you end your turn you may undo everything. Then end your turn: you draw the card for the next one.",
	},
	{
		key: "opponent",
		text: "Now the other player builds. The latest settlements are outlined. You know your next card already: think of where it will take you.",
	},
	{
		key: "second-turn",
		text: "Your second turn, with a new terrain. First see whether it touches your settlements: if it does, only those hexes glow.",
	},
	{
		key: "freedom",
		text: "If it touches none of them, the whole board is open again, and you may begin a new group next to the location you want. That is why good builders touch few kinds of terrain.",
	},
	{
		key: "done",
		text: "That is all you need. The game ends in the round in which somebody builds the last of 40 settlements, and most gold wins. Play on from here, or look up the rest in the rules.",
	},
];
