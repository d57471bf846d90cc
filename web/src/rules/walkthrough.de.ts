import type { Step } from "./walkthrough.en";

export const steps: Step[] = [
	{
		key: "welcome",
		text: "Willkommen in deinem ersten Königreich. Du spielst hier zwei echte Züge, und ich sage dir, worauf es ankommt. Du kannst jederzeit aufhören.",
	},
	{
		key: "card",
		text: "Das ist deine Geländekarte. Sie sagt, wo du in diesem Zug bauen darfst: drei Siedlungen, alle auf dieses Gelände.",
	},
	{
		key: "build-first",
		text: "Jedes leuchtende Feld ist erlaubt. Du hast noch nichts auf dem Spielplan, also darfst du überall in diesem Gelände anfangen. Wähle ein Feld; eins neben einem goldenen Ort ist ein guter Anfang.",
	},
	{
		key: "adjacency",
		text: "Schau: Jetzt leuchten viel weniger Felder. Von nun an gilt: Grenzt dein Gelände an eine deiner Siedlungen, musst du dort bauen. Das ist die eine Regel, die du dir merken musst.",
	},
	{
		key: "build-rest",
		text: "Baue die anderen beiden. Jede muss an eine deiner Siedlungen grenzen, wenn es geht; an welche, entscheidest du. Klicke auf ein Feld, das nicht leuchtet, und es sagt dir, warum.",
	},
	{
		key: "locations",
		text: "Die goldenen Felder sind Orte. Baust du neben einen, nimmst du ein Plättchen davon, ohne etwas zu bezahlen. Jedes gibt dir in allen kommenden Zügen eine Zusatzaktion.",
	},
	{
		key: "tile",
		text: "Deine Plättchen liegen neben deiner Karte. Ein neues Plättchen ruht in dem Zug, in dem du es genommen hast. Ab deinem nächsten Zug nutzt du es einmal je Zug, vor oder nach deinen drei Siedlungen.",
	},
	{
		key: "scoring",
		text: "Diese drei Karten sagen, was in diesem Spiel Gold bringt; Burgen bringen immer etwas. Zeige auf eine Zahl, und die Felder dahinter leuchten auf.",
	},
	{
		key: "end-turn",
		text: "Zufrieden? Bis du deinen Zug beendest, kannst du alles zurücknehmen. Dann beende den Zug: Du ziehst die Karte für den nächsten.",
	},
	{
		key: "opponent",
		text: "Jetzt wird auf der anderen Seite gebaut. Die neuesten Siedlungen sind umrandet. Deine nächste Karte kennst du schon: Überlege, wohin sie dich führt.",
	},
	{
		key: "second-turn",
		text: "Dein zweiter Zug, mit neuem Gelände. Sieh erst nach, ob es an deine Siedlungen grenzt: Wenn ja, leuchten nur diese Felder.",
	},
	{
		key: "freedom",
		text: "Grenzt es an keine, steht dir der ganze Spielplan wieder offen, und du kannst eine neue Gruppe neben dem Ort beginnen, den du willst. Deshalb grenzt, wer gut baut, an wenige Geländearten.",
	},
	{
		key: "done",
		text: "Mehr brauchst du nicht. Das Spiel endet in der Runde, in der jemand die letzte von 40 Siedlungen baut, und das meiste Gold gewinnt. Spiele von hier weiter oder lies den Rest in den Regeln nach.",
	},
];
