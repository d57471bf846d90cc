import type { Topic } from "./types";

export const rules: Topic[] = [
	{
		key: "goal",
		set: null,
		title: "Worum es geht",
		blocks: [
			{
				kind: "text",
				text: "Ihr besiedelt ein Land aus Sechseckfeldern. In jedem Zug sagt dir eine Geländekarte, wo du bauen darfst; dort setzt du drei Siedlungen. Am Ende des Spiels bringen Siedlungen Gold, und jedes Spiel hat seine eigenen Gründe für Gold: drei Kingdom-Builder-Karten, die am Anfang gezogen werden. Das meiste Gold gewinnt.",
			},
			{
				kind: "text",
				text: "Es spielen zwei bis vier, mit Nomaden auch fünf. Eine Partie dauert etwa eine halbe Stunde. Würfel gibt es nicht; die Kunst ist, so zu bauen, dass dich die nächste Karte, welche auch kommt, an einer guten Stelle trifft.",
			},
		],
	},
	{
		key: "setup",
		set: null,
		title: "Vor dem ersten Zug",
		blocks: [
			{
				kind: "text",
				text: "Das Programm baut alles auf. Das tut es dabei:",
			},
			{
				kind: "list",
				items: [
					"Vier Quadranten bilden den Spielplan aus 20 mal 20 Feldern. Welche es sind und ob sie richtig herum oder auf dem Kopf liegen, ist Zufall oder eure Wahl.",
					"Auf jedem Ortsfeld liegen zwei Plättchen.",
					"Drei Kingdom-Builder-Karten werden gezogen. Sie sagen, was in diesem Spiel Gold bringt.",
					"Alle haben 40 Siedlungen und ziehen eine Geländekarte. Davon gibt es 25, je fünf für Gras, Canyon, Wüste, Blumenfeld und Wald.",
					"Gespielt wird reihum, der erste Platz beginnt.",
				],
			},
			{
				kind: "text",
				text: "Für das erste Spiel nehmt Taverne, Koppel, Oase und Bauernhof mit den Karten Fischer, Ritter und Händler: Der Knopf für das erste Spiel macht das.",
			},
		],
	},
	{
		key: "turn",
		set: null,
		title: "Dein Zug",
		blocks: [
			{
				kind: "list",
				items: [
					"Deine Geländekarte wird allen gezeigt.",
					"Du baust drei Siedlungen, eine nach der anderen, auf Felder dieses Geländes. Das ist die Pflichtaktion: Du kannst sie nicht auslassen und nicht mittendrin aufhören.",
					"Davor oder danach darfst du deine Ortsplättchen nutzen, jedes einmal. Nie zwischen den drei Siedlungen.",
					"Du beendest den Zug. Die Karte wird abgelegt, und du ziehst die für deinen nächsten Zug: Nur du siehst sie.",
				],
			},
			{
				kind: "text",
				text: "Manche Plättchen kannst du vor der Pflichtaktion nutzen und andere danach. Erst wird eine Aktion beendet, dann beginnt die nächste. Ein Plättchen nutzen musst du nie.",
			},
			{
				kind: "text",
				text: "Bis du deinen Zug beendest, kannst du zurücknehmen, was du getan hast, bis zur letzten gezogenen Karte.",
			},
			{
				kind: "text",
				text: "Du hast weniger als drei Siedlungen übrig? Dann baust du die, die du hast.",
			},
		],
	},
	{
		key: "building",
		set: null,
		title: "Wo du baust: die Nachbarschaftsregel",
		blocks: [
			{
				kind: "text",
				text: "Ein Feld passt für eine Siedlung, wenn es das Gelände deiner Karte zeigt und nichts darauf steht. Auf Wasser, Gebirge, Orte und Burgen baut niemand, außer ein Plättchen sagt es.",
			},
			{
				kind: "text",
				text: "Dann kommt die Regel, die das Spiel ausmacht: Wenn ein passendes Feld an eine deiner Siedlungen grenzt, musst du auf ein solches Feld bauen. Nur wenn keines angrenzt, darfst du auf jedes passende Feld des Spielplans bauen.",
			},
			{
				kind: "figure",
				position: "GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T",
				highlight: "legal",
				caption:
					"Deine erste Siedlung, deine Karte zeigt Wüste. Du grenzt noch an nichts, also steht dir jedes freie Wüstenfeld offen.",
			},
			{
				kind: "figure",
				position: "GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 1 C5D4F5G5T4 - 2A/D/3/- 39:b2:c3:D 40:::T",
				highlight: "legal",
				caption:
					"Wieder Wüste, aber jetzt grenzt deine Siedlung auf b2 an zwei Wüstenfelder. Eins davon musst du nehmen; alle andere Wüste ist dir verschlossen.",
			},
			{
				kind: "figure",
				position:
					"GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 1 C5D4F5G5T4 - 2A/D/3/- 38:b2,e6:c3:D 40:::T",
				highlight: "legal",
				caption:
					"Mit einer zweiten Siedlung auf e6 sind es drei Felder zur Auswahl. Jede deiner Siedlungen zählt, nicht nur die letzte: Du darfst eine hier bauen und die nächste dort.",
			},
			{
				kind: "figure",
				position: "GGDDTTT/GCDDTWW/CC1DFWW/CFFGGMW/FFKGMMD/FTTGGDD(farm) - - 2 C5D4F5G5T4 - 2A/D/3/- 39:a5::D 40:::T",
				highlight: "legal",
				caption:
					"Die Siedlung auf a5 grenzt an keine Wüste. Also bist du wieder frei: Alle Wüstenfelder stehen offen, und du beginnst eine zweite Gruppe, wo du magst.",
			},
			{
				kind: "text",
				text: "Die Regel wird für jede einzelne Siedlung neu angesehen. Im letzten Bild könntest du nach g5 springen; die nächste Siedlung muss dann an g5 oder eine andere von dir grenzen, denn dort gibt es Wüste daneben.",
			},
			{
				kind: "text",
				text: "Ein Rat: Wer früh an viele Geländearten grenzt, ist das ganze Spiel lang gebunden. Wenige Nachbarn heißen viel Freiheit.",
			},
		],
	},
	{
		key: "full",
		set: null,
		title: "Kein Feld mehr für deine Karte",
		blocks: [
			{
				kind: "text",
				text: "Wenn auf dem ganzen Spielplan kein freies Feld im Gelände deiner Karte mehr ist, kommt die Karte aus dem Spiel, und du ziehst eine andere, bis eine passt. Das geschieht sofort, am Anfang deines Zuges oder mittendrin: Die Siedlungen, die du noch bauen musst, kommen auf das neue Gelände. Auch nach der Pflichtaktion wird die Karte ersetzt, damit Orakel und Scheune nutzbar bleiben.",
			},
			{
				kind: "text",
				text: "Wenn der Nachziehstapel leer ist, werden die abgelegten Karten gemischt und bilden den neuen Stapel.",
			},
		],
	},
	{
		key: "locations",
		set: null,
		title: "Orte und ihre Plättchen",
		blocks: [
			{
				kind: "text",
				text: "Ortsfelder haben einen goldenen Rand. Baust oder versetzt du eine Siedlung neben eines, nimmst du eines seiner zwei Plättchen, solange welche da sind. Du musst nichts weiter dafür tun.",
			},
			{
				kind: "figure",
				position: "GGGDD/GG1DD/GFFDT/FFTTT(tower) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T",
				highlight: ["c1", "d1", "b2", "d2", "c3", "d3"],
				caption:
					"Eine Siedlung auf einem der sechs Felder um den Turm nimmt ein Plättchen davon. Mit Wüste sind das d1, d2 oder d3.",
			},
			{
				kind: "list",
				items: [
					"Ein Plättchen, das du in diesem Zug genommen hast, nutzt du ab deinem nächsten Zug, dann einmal in jedem Zug.",
					"Von jedem Ortsfeld bekommst du nur ein Plättchen, einmal im Spiel. Die meisten Orte haben in ihrem Quadranten zwei Felder: Von beiden kannst du ein Plättchen haben und beide im selben Zug nutzen.",
					"Du behältst ein Plättchen, solange mindestens eine deiner Figuren an sein Feld grenzt. Zieht die letzte weg, ist das Plättchen sofort aus dem Spiel. Ein zweites bekommst du von dort nicht.",
					"Verlierst du eins von zwei gleichen Plättchen, geht zuerst das schon genutzte.",
				],
			},
			{ kind: "printed", what: "locations", set: "base" },
		],
	},
	{
		key: "actions",
		set: null,
		title: "Ein Plättchen nutzen",
		blocks: [
			{
				kind: "text",
				text: "Manche Plättchen bauen, andere versetzen. Gebaut wird mit einer Siedlung aus deinem Vorrat. Ein Plättchen, für das es kein Feld oder keine Siedlung mehr gibt, kannst du nicht nutzen.",
			},
			{
				kind: "text",
				text: "Orakel, Bauernhof, Oase und Turm folgen der Nachbarschaftsregel: Unter den Feldern, die das Plättchen erlaubt, gehen die neben deinen Siedlungen vor. Für den Turm heißt das: Solange du an ein freies Landfeld am Rand grenzt, musst du auf ein solches bauen.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTTG/GGGGGWG/FFTTG1G(tavern) - - 1 C5D5F5G4T4 - 3A/G/0/tavern 36:b2,c2,d2,g4:f4*:G 40:::T",
				highlight: "legal",
				caption:
					"Die Taverne verlängert eine gerade Linie aus drei oder mehr an einem ihrer Enden, auf beliebiges Land. Linien laufen in drei Richtungen.",
			},
			{
				kind: "figure",
				position:
					"GGTTGGG/GGWWDTG/GGGGGMG/FFTT1GG/FTTGGGG(paddock) - - 1 C5D5F5G4T4 - 3A/G/0/paddock>d3 38:d3,d4:e4*:G 39:e3::T",
				highlight: "legal",
				caption:
					"Die Koppel versetzt die Siedlung auf d3 genau zwei Felder weit, über Wasser, andere Siedlungen oder sonst etwas hinweg. Sie muss nicht an deine anderen grenzen. f3 ist Gebirge: nicht möglich.",
			},
			{
				kind: "figure",
				position: "GGTTGGG/GGWWDTG/GMGGGWG/FFTT1GG(harbor) - - 1 C5D5F5G4T4 - 3A/G/0/harbor>d4 38:d4,d3:e4*:G 40:::T",
				highlight: "legal",
				caption:
					"Der Hafen versetzt die Siedlung auf d4 auf Wasser. Zuerst wird sie hochgehoben; dann gilt die Nachbarschaftsregel für die übrigen: c2 und d2 grenzen an d3, also ist das Wasser auf f3 verschlossen.",
			},
			{
				kind: "text",
				text: "Die Scheune macht das Gleiche mit dem Gelände deiner Karte. Bei beiden zählt das Feld, das die Siedlung verlässt, als frei: Ist es ein passendes Feld neben deinen übrigen, dann ist ein fernes verschlossen.",
			},
			{
				kind: "text",
				text: "Auch eine Siedlung, die in diesem Zug gebaut oder versetzt wurde, darf versetzt werden. Beim Versetzen bekommst und verlierst du Plättchen.",
			},
		],
	},
	{
		key: "end",
		set: null,
		title: "Das Ende des Spiels",
		blocks: [
			{
				kind: "text",
				text: "Wenn jemand die letzte Siedlung aus dem Vorrat gebaut hat, wird die Runde zu Ende gespielt, damit alle gleich oft am Zug waren. Wer die letzte gebaut hat, macht den Zug noch fertig und darf Plättchen nutzen, die versetzen. Dann wird das Gold gezählt.",
			},
			{
				kind: "text",
				text: "Das meiste Gold gewinnt. Haben mehrere gleich viel, teilen sie sich den Sieg.",
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
				text: "In jedem Spiel: Jede Burg, neben der mindestens eine deiner Siedlungen steht, bringt 3 Gold, und zwar allen, die dort sind. Eine Siedlung genügt, mehr bringen nicht mehr.",
			},
			{
				kind: "text",
				text: "Dazu kommen die drei Kingdom-Builder-Karten dieses Spiels. Die Tabelle zeigt jederzeit, was sie dir gerade bringen und welche Felder der Grund sind.",
			},
			{ kind: "printed", what: "cards", set: "base" },
			{
				kind: "figure",
				position:
					"GGWWGG/GTWWTM/GGTTMM/FFGTTM/FFGGTT fishermen,miners - - C5D5F5G4T4 - 9A/G/3/- 34:b1,b2,c3,d3,d4,a5::G 37:f1,b4,c4::T",
				highlight: ["b1", "b2", "c3", "d3"],
				caption:
					"Fischer bringen dir 4 Gold: Vier Siedlungen grenzen an Wasser. Bergleute bringen 2, für d3 und d4. Eine Siedlung zählt für jede Karte einmal, an wie viel Wasser sie auch grenzt.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGGG/GG1GGDDD/GGGTTKDD/FFGTTTDD/FF2FFTTD(farm,tower) merchants - 11 C5D5F5G4T4 - 9A/G/3/- 33:d2,d3,e3,g2,b4,c4,g5:c2,c5:G 40:::T",
				highlight: ["c2", "d2", "d3", "e3", "f3", "b4", "c4", "c5"],
				caption:
					"Händler: Deine Gruppe verbindet Bauernhof, Burg und Turm. Drei Stellen zu je 4 Gold macht 12. Eine Stelle, die mit keiner anderen verbunden ist, bringt nichts.",
			},
			{
				kind: "figure",
				position:
					"GGGTTT/GGWTTT/GGWWTD/FFFWDD/FFFFDD hermits,citizens - - C5D5F5G4T4 - 9A/G/3/- 31:a1,b1,a2,b2,b3,e1,f2,d5,e5::G 40:::T",
				highlight: ["a1", "b1", "a2", "b2", "b3"],
				caption:
					"Ein Siedlungsgebiet ist, was zusammenhängt. Du hast vier: Eremiten bringen 4 Gold. Das größte hat fünf Siedlungen: Bürger bringen 2, eins für je zwei.",
			},
			{
				kind: "figure",
				position:
					"GGGTTTG/GGWTTTG/GGWWTDG/FFFWDDD/FFFFDDD discoverers,knights - - C5D5F5G4T4 - 9A/G/3/- 32:a1,c1,f1,g1,b2,b3,f3,c5::G 40:::T",
				highlight: ["a1", "c1", "f1", "g1"],
				caption:
					"Du stehst in vier waagerechten Reihen: Entdecker bringen 4 Gold. In der ersten Reihe sind die meisten, vier: Ritter bringen je 2, also 8 Gold. Lücken stören nicht.",
			},
			{
				kind: "figure",
				position:
					"GGGTTT/GG1TTT/GGWWKD/FFFWDD/FFFFDD(farm) workers - 1 C5D5F5G4T4 - 9A/G/3/- 33:b1,c1,b2,d1,e2,e4,f5:c2:G 40:::T",
				highlight: ["c1", "d1", "b2", "e2", "e4"],
				caption:
					"Arbeiter: Fünf Siedlungen grenzen an den Bauernhof oder die Burg, 5 Gold. Die Burg selbst bringt wie immer 3 dazu.",
			},
			{
				kind: "list",
				items: [
					"Lords, in jedem der vier Quadranten: Wer dort die meisten hat, bekommt 12 Gold, wer die zweitmeisten hat, 6. Bei 8, 8, 6 und 2 Siedlungen sind das 12, 12, 6 und nichts. Wo niemand gebaut hat, bekommt niemand etwas; überall sonst kann auch jemand ganz ohne Siedlung auf dem zweiten Rang sein.",
					"Bauern: Zähle deine Siedlungen in jedem Quadranten und nimm die kleinste Zahl. Bei 14, 9, 12 und 5 ist das 5, zu je 3 Gold: 15. Ein leerer Quadrant, und es gibt nichts.",
					"Auf Wasser: Eine Siedlung, die auf Wasser steht, bringt bei den Fischern nichts, aber 1 Gold bei den Bergleuten, wenn sie an Gebirge grenzt. Auf Gebirge ist es umgekehrt.",
				],
			},
		],
	},
	{
		key: "nomads",
		set: "nomads",
		title: "Nomaden: Nomadenplättchen",
		blocks: [
			{
				kind: "text",
				text: "Die vier Quadranten der Nomaden haben Nomadenfelder, wo andere Burgen haben. Auf jedem liegt offen ein Plättchen, vom Zufall bestimmt. Wer zuerst eine Figur daneben baut oder versetzt, nimmt es. Ein neues kommt nicht.",
			},
			{
				kind: "text",
				text: "Ein Nomadenplättchen gilt für deinen nächsten Zug und nicht länger: Am Ende dieses Zuges ist es weg, genutzt oder nicht. Du nutzt es wie ein Ortsplättchen, vor oder nach der Pflichtaktion. Du behältst es, auch wenn du wegziehst.",
			},
			{ kind: "printed", what: "nomads", set: "nomads" },
			{
				kind: "list",
				items: [
					"Schenkung: drei Siedlungen, eine nach der anderen, jede nach der Nachbarschaftsregel. Alle drei, wenn Felder und Siedlungen da sind. Wasser und Gebirge gehen mit den Plättchen, die sie zeigen.",
					"Umsiedlung: insgesamt bis zu vier Schritte, mit einer Siedlung oder mit mehreren, in beliebiger Reihenfolge. Jedes Feld auf dem Weg muss freies Land sein. Nach jedem Schritt werden Plättchen genommen und verloren. Die Nachbarschaftsregel gilt nicht.",
					"Außenposten: Sage ihn an, bevor du baust, wo du neben deinen Siedlungen bauen müsstest, in der Pflichtaktion oder mit einem Plättchen. Dann geht es überall; das Gelände muss trotzdem passen. Nicht für Taverne, Dorf und andere, die ohnehin keine freie Wahl haben, und nicht beim Versetzen.",
					"Schwert: von allen anderen, die eine haben, je eine Figur nach deiner Wahl. Verschonen kannst du niemanden. Die Figuren gehen zurück und können Plättchen kosten.",
					"Schatz: 3 Gold, sobald du ihn nimmst.",
				],
			},
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDTG/GGNDTW/FFGDTT/FFFDDT - - 0 C5D5F5G4T4 - 4A/G/0/resettlement>d3*3 37:d3,b2,d2:c3*:G 38:e5::T nomads=c3:resettlement",
				highlight: ["c2", "e3", "c4", "d4"],
				caption:
					"Umsiedlung: Die Siedlung, die jetzt auf d3 steht, darf auf jedes dieser Felder weiterziehen, oder eine andere von dir zieht.",
			},
		],
	},
	{
		key: "nomads-locations",
		set: "nomads",
		title: "Nomaden: Orte",
		blocks: [
			{ kind: "printed", what: "locations", set: "nomads" },
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDTG/GGGDTW/FF1DTT/FFFDDT(quarry) - - 1 C5D4F5G5T4 - 4A/D/0/quarry*2 37:c2,d3,c5:c4*:D 38:e3,e5::T walls=d5",
				highlight: "legal",
				caption:
					"Steinbruch mit einer Wüstenkarte: Eine Mauer kommt auf freie Wüste neben deinen Siedlungen. Die auf d5 steht dort bis zum Ende des Spiels; sie gehört niemandem.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTGG/GGGDTWG/FF1DTTG/FFFDDTG(caravan) - - 1 C5D5F5G4T4 - 4A/G/0/caravan>d3 38:d3,d4:c4*:G 38:d1::T",
				highlight: "legal",
				caption:
					"Karawane: Die Siedlung auf d3 gleitet in eine von sechs Richtungen, bis das nächste Feld kein freies Land ist. Sie muss den ganzen Weg gehen.",
			},
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDTG/GGGDTW/FF1DTT/FFFDDT(village) - - 1 C5D5F5G4T4 - 4A/G/0/village 37:c2,d3,d4,b2,c1:c4*:G 38:e3,e5::T",
				highlight: "legal",
				caption: "Dorf: c3 ist das einzige freie Land, das an drei deiner Siedlungen grenzt.",
			},
			{
				kind: "text",
				text: "Der Garten baut nach der Nachbarschaftsregel auf ein Blumenfeld. Es gibt 25 Mauern; sind alle verbraucht, bewirkt der Steinbruch nichts mehr.",
			},
		],
	},
	{
		key: "nomads-cards",
		set: "nomads",
		title: "Nomaden: Gold während des Spiels",
		blocks: [
			{
				kind: "text",
				text: "Drei Karten zahlen sofort und nicht am Ende. Sie zählen Siedlungen, die du baust, mit der Karte oder mit einem Plättchen, nie solche, die du versetzt.",
			},
			{ kind: "printed", what: "cards", set: "nomads" },
			{
				kind: "list",
				items: [
					"Familien: nur die drei der Pflichtaktion, in beliebiger Reihenfolge, auf drei Feldern in einer der drei Richtungen. Hast du weniger als drei gebaut, gibt es nichts.",
					"Hirten: Angesehen wird das gleich nach dem Bauen. Ein Feld mit einer Mauer ist nicht frei.",
					"Botschafter: 1 Gold für die Siedlung, wie viele Nachbarn sie auch hat.",
				],
			},
			{
				kind: "text",
				text: "Für Händler und Arbeiter zählt ein Nomadenfeld wie ein Ort oder eine Burg, auch wenn sein Plättchen weg ist.",
			},
		],
	},
	{
		key: "crossroads",
		set: "crossroads",
		title: "Kreuzung: Orte",
		blocks: [
			{
				kind: "text",
				text: "Die vier Quadranten dieser Erweiterung haben je zwei verschiedene Orte, also bekommst du höchstens ein Plättchen von jeder Art.",
			},
			{ kind: "printed", what: "locations", set: "crossroads" },
			{
				kind: "list",
				items: [
					"Forsthaus und Kloster bauen nach der Nachbarschaftsregel.",
					"Fort: Ziehe eine Karte, dann baue nach der Nachbarschaftsregel auf ihr Gelände. Nach dem Ziehen gibt es kein Zurück. Hat ihr Gelände kein freies Feld, geschieht nichts. Die Karte wird abgelegt.",
					"Die Kreuzung wirkt von selbst, schon in dem Zug, in dem du das Plättchen genommen hast: Am Ende ziehst du eine Karte mehr. In deinem Zug wählst du eine deiner Karten, sobald du eine brauchst. Sie gilt für den ganzen Zug, und an seinem Ende werden alle abgelegt. Eine Karte ohne freies Feld kannst du nicht wählen.",
					"Verlierst du das Plättchen, behältst du die Karten auf der Hand für den kommenden Zug.",
				],
			},
		],
	},
	{
		key: "crossroads-pieces",
		set: "crossroads",
		title: "Kreuzung: Krieger, Planwagen, Schiff, Rathaus",
		blocks: [
			{
				kind: "text",
				text: "Alle haben zwei Krieger, einen Planwagen, ein Schiff und ein Rathaus. Sie gehören nicht zu den 40 Siedlungen, aber auf dem Spielplan zählt jede Figur in allem als Siedlung: für die Nachbarschaft, für Plättchen, für Gold. Sie einzusetzen zählt als Bauen.",
			},
			{
				kind: "figure",
				position:
					"GGGGGG/GGDDDG/GGGDDW/FF1DDT/FFFDDT(barracks) - - 1 C5D4F5G5T4 - 4A/D/3/- 38:c2,d4:c4:D 39:f4::T warriors=c2",
				highlight: "legal",
				caption:
					"Neben einen Krieger darf nichts gesetzt werden, auch nicht von dir selbst: d2 und d3 sind verschlossen. Was dort schon steht, bleibt und darf wegziehen.",
			},
			{
				kind: "list",
				items: [
					"Krieger (Kaserne): kommt nach der Nachbarschaftsregel auf freies Land. In einem späteren Zug kannst du einen zurücknehmen, statt einen einzusetzen.",
					"Planwagen: auf Land oder Gebirge. Schiff (Leuchtturm): auf Wasser. In einem Zug setzt du die Figur ein, oder du bewegst sie einen bis drei Schritte weit, oder du nimmst sie zurück. Jeder Schritt geht auf ein freies Feld ihrer Art; nach jedem Schritt werden Plättchen genommen und verloren.",
					"Rathaus: einmal im Spiel, auf sieben freie Landfelder, von denen mindestens eins an eine deiner Figuren grenzt. Die Geländearten dürfen verschieden sein. Es bleibt für immer und zählt als sieben Siedlungen.",
					"Auch wer anders versetzt, etwa mit Koppel oder Karawane, darf Krieger, Planwagen und Schiffe versetzen, auf Felder, auf denen sie stehen dürfen. Das Rathaus wird nie versetzt.",
					"Verlierst du das Plättchen, bleiben die Figuren stehen, aber es kann sie nicht mehr bewegen oder zurücknehmen.",
				],
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDMMGG/GGWDMWG/FF1DTTG/FFFDDTG(wagon) - - 1 C5D5F5G4T4 - 4A/G/0/wagon>d3*3 38:d3,d4:c4*:G 39:g5::T wagons=d3",
				highlight: "legal",
				caption: "Der Planwagen auf d3 hat drei Schritte. Der erste geht nach c2 oder ins Gebirge auf d2 oder e3.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTGG/GGGDTTG/FF1DTTG/FFFDDTG(city-hall) - - 1 C5D5F5G4T4 - 4A/G/0/city-hall 38:b2,d4:c4*:G 38:g3::T",
				highlight: "legal",
				caption:
					"Das Rathaus wird mit seiner Mitte gesetzt. Um d2 oder e2 liegen sieben freie Landfelder, und eins davon grenzt an dich.",
			},
		],
	},
	{
		key: "crossroads-tasks",
		set: "crossroads",
		title: "Kreuzung: Aufgaben",
		blocks: [
			{
				kind: "text",
				text: "Für jeden Quadranten dieser Erweiterung auf dem Spielplan liegt eine Aufgabe offen. Wer sie am Ende erfüllt hat, bekommt ihr Gold, einmal; das können auch mehrere sein.",
			},
			{ kind: "printed", what: "tasks", set: "crossroads" },
			{
				kind: "list",
				items: [
					"Heimatland: Ein Geländegebiet ist alles, was in einem Gelände zusammenhängt, auch über Quadranten hinweg. Jede Größe zählt, auch ein einzelnes Feld; Wasser und Gebirge ebenso.",
					"Straße: Die Linie läuft schräg, nicht entlang einer Reihe, und hat keine Lücke.",
					"Vorstoß und Himmelsrichtungen: Ein Eckfeld gehört zu zwei Rändern.",
				],
			},
		],
	},
	{
		key: "harvest",
		set: "harvest",
		title: "Ernte: Farmland und Silos",
		blocks: [
			{
				kind: "text",
				text: "Farmland ist Land, aber keine Geländekarte zeigt es. Einmal in jedem Zug, vor oder nach der Pflichtaktion und ganz ohne Plättchen, dürfen alle eine Siedlung auf freies Farmland neben einer eigenen Figur bauen: die Farmland-Aktion. Grenzt du an kein Farmland, hast du keine.",
			},
			{
				kind: "figure",
				position:
					"GGAAGGG/GDDAATT/GGDAITT/FF1DTTT/FFFDDTT(bazaar) - - 1 C5D5F5G4T4 - 4A/G/0/farm-action 38:c2,c3:c4,farm-action*:G 39:g2::T",
				highlight: "legal",
				caption:
					"Die Farmland-Aktion: Farmland neben deinen Siedlungen. Auch Plättchen, die auf beliebiges Land bauen oder versetzen, dürfen Farmland nutzen.",
			},
			{
				kind: "text",
				text: "Silos kommen nach dem letzten Zug ins Spiel, bevor das Gold gezählt wird. Reihum gilt für jedes Silo, an das eine eigene Figur grenzt: entweder bis zu drei Siedlungen aus dem Vorrat bauen oder bis zu drei versetzen, nicht beides. Jede kommt auf freies Land neben einer anderen eigenen Figur. Für Händler, Arbeiter und Universität zählen Silos wie Burgen.",
			},
			{
				kind: "figure",
				position:
					"GGAAGGG/GDDAATT/GGDAITT/FF1DTTT/FFFDDTT(bazaar) - - 1 C5D5F5G4T4 - 9A!/-/0/silo*3 10:d3,d4:: 3:f4:: silos=e3",
				highlight: ["c2", "d2", "c3", "e4", "d5", "e5"],
				caption:
					"Deine Siedlungen grenzen an das Silo auf e3. Du darfst bis zu drei weitere bauen, jede auf Land neben einer von dir, oder die vorhandenen versetzen.",
			},
		],
	},
	{
		key: "harvest-locations",
		set: "harvest",
		title: "Ernte: Orte",
		blocks: [
			{ kind: "printed", what: "locations", set: "harvest" },
			{
				kind: "list",
				items: [
					"Wassermühle, Bergstation, Wachturm und Universität bauen nach der Nachbarschaftsregel.",
					"Palisade: Die Siedlung wird hochgehoben; sie darf neben jede Figur des Gebiets, das sie verlassen hat. Eine Siedlung, die allein steht, kann nicht versetzt werden.",
					"Späherhütte: Späher stehen auf freiem Land, Wasser oder Gebirge neben deinen Figuren, der erste Späher zählt dabei mit. Bis zum Ende des Zuges zählen sie für die Nachbarschaft als deine; sie nehmen keine Plättchen und bringen kein Gold.",
					"Dom: Mit dem Plättchen bekommst du die Zahl 1. In jedem Zug darfst du sie um 1 erhöhen oder davon zurückgeben, so viel du willst, und ebenso viele Siedlungen auf das Gelände deiner Karte bauen. Verlierst du das Plättchen, ist die Zahl weg.",
					"Basar: wiederholt eine Ortsaktion, die du in diesem Zug genutzt hast und deren Plättchen du noch besitzt. Mit dem Plättchen Kreuzung ziehst du eine Karte mehr. Nomadenplättchen, Farmland-Aktion und Höhlen wiederholt er nicht.",
				],
			},
		],
	},
	{
		key: "harvest-cards",
		set: "harvest",
		title: "Ernte: Karten",
		blocks: [
			{ kind: "printed", what: "cards", set: "harvest" },
			{
				kind: "list",
				items: [
					"Waldläufer: Reihen mit genau einer deiner Siedlungen. Bei 1, 4, 1, 0 und 1 in fünf Reihen sind das drei Reihen, 6 Gold.",
					"Reisende: Eine Siedlung in einer Ecke zählt einmal.",
					"Kettenbauer: Eine Linie aus fünf bringt 3, denn die beiden am Ende haben nur einen Nachbarn.",
					"Bürgermeister: Sobald du vier in einer Reihe hast, die niemand markiert hat, auch mit Lücken, wird von selbst eine Siedlung aus deinem Vorrat zur Markierung. Sie bleibt, auch wenn die vier nicht bleiben, und sie kann die Siedlung sein, die das Spiel beendet.",
					"Wanderer: höchstens 1 Gold je Quadrant und Zug, für gebaute Siedlungen, nicht für versetzte.",
				],
			},
		],
	},
	{
		key: "capitol",
		set: "capitol",
		title: "Kapitol",
		blocks: [
			{
				kind: "text",
				text: "In den Quadranten mit Orakel und Hafen trägt eine der zwei Burgen ein Kapitol. Es bringt 1 Gold für jede deiner Siedlungen, die höchstens zwei Felder entfernt ist. Die Burg darunter bringt ihre 3 Gold wie immer.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDDTGG/GGGKTWG/FFFDTTG/FFFDDTG - - - C5D5F5G4T4 - 4A/G/3/- 36:d2,e2,b3,a1,g5::G 39:f4::T capitols=d3",
				highlight: ["d2", "e2", "b3"],
				caption:
					"Drei Siedlungen sind dem Kapitol auf d3 nah genug: 3 Gold. Weil eine davon an die Burg grenzt, kommen 3 dazu.",
			},
		],
	},
	{
		key: "caves",
		set: "caves",
		title: "Höhlen",
		blocks: [
			{
				kind: "text",
				text: "In jedem Quadranten kann ein Gebirge, das weit genug von Orten und Burgen liegt, eine Höhle haben. Einmal in jedem Zug, vor oder nach der Pflichtaktion, darfst du eine Siedlung, die an eine Höhle grenzt, auf freies Land neben einer beliebigen Höhle versetzen, derselben oder einer anderen. Die Nachbarschaftsregel gilt dafür nicht. In allem anderen ist eine Höhle ein Gebirge.",
			},
			{
				kind: "figure",
				position:
					"GGGGGGG/GGDVMGG/GGGDTWG/FF1DTVG/FFFDDTG(tavern) - - 1 C5D5F5G4T4 - 4A/G/0/cave-move>d3 38:d3,d5:c4,cave-move*:G 39:c1::T",
				highlight: "legal",
				caption:
					"Die Siedlung auf d3 geht durch den Berg: auf beliebiges freies Land um die Höhle auf d2 oder die auf f4.",
			},
		],
	},
	{
		key: "options",
		set: null,
		title: "Hausregeln",
		blocks: [
			{
				kind: "text",
				text: "Bei manchen Fragen sind sich die Tische nicht einig. Ohne Option gilt, was den gedruckten Regeln am nächsten kommt. Beim Aufbau könnt ihr einschalten:",
			},
			{
				kind: "list",
				items: [
					"Lords: Wer in einem Quadranten keine Siedlung hat, ist dort nicht auf dem zweiten Rang. Sonst kann auch gar keine die zweitmeiste Zahl sein.",
					"Lords werden beim zufälligen Ziehen der Karten ausgelassen. Manche finden, dass die Karte den letzten Platz bevorzugt.",
					"Eine Karte, deren Gelände voll ist, wird nach der Pflichtaktion nicht mehr ersetzt. Sonst schon.",
					"Siedlungen auf Wasser oder Gebirge zählen weder für Fischer noch für Bergleute. Sonst kann eine auf Wasser noch für die Bergleute zählen und eine auf Gebirge für die Fischer.",
					"Nomaden: Der Außenposten hilft auch beim Versetzen nach der Nachbarschaftsregel, also bei Scheune und Hafen. Sonst nur beim Bauen.",
					"Nomaden: Wer durch das Schwert eine Siedlung zurückbekommt, hat die letzte doch nicht verbraucht, und das Spiel geht weiter. Sonst kommt das Ende, wenn es einmal ausgelöst ist.",
					"Kreuzung: Krieger, Planwagen und Schiffe bewegt nur ihr eigener Ort. Sonst dürfen auch andere Aktionen sie versetzen.",
					"Kreuzung: Mehrere gleiche Karten auf der Hand dürfen als beliebiges Gelände gespielt werden. Sonst sind sie nur diese Karte.",
					"Ernte: Der Basar darf den Dom auch wiederholen, um die Zahl zu erhöhen. Sonst nur, um zu bauen.",
					"Ernte: Ob du neben einem Silo stehst, wird Silo für Silo angesehen. Sonst vor deinem ersten.",
					"Kapitol: Die Burg darunter zahlt nicht als Burg. Sonst zahlt auch sie.",
					"Höhlen: nur, wenn der Quadrant mit der Taverne auf dem Spielplan ist. Sonst immer.",
				],
			},
		],
	},
];
