/** The code of each page, and the name of the part that its texts are in if it has its own; loaded on demand. */

const loadTable = () => import("./table/Entrance.svelte");
const loadReplay = () => import("./replay/ReplayPage.svelte");

export const PAGES = {
	start: { load: () => import("./pages/Start.svelte") },
	new: { load: () => import("./pages/NewGame.svelte"), part: "lobby" },
	invite: { load: () => import("./pages/Invite.svelte") },
	table: { load: loadTable },
	seat: { load: loadTable },
	watch: { load: loadTable },
	join: { load: loadTable },
	replay: { load: loadReplay, part: "replay" },
	"replay-record": { load: loadReplay, part: "replay" },
	position: { load: loadReplay, part: "replay" },
	record: { load: () => import("./pages/OpenRecord.svelte") },
	learn: { load: () => import("./lessons/LearnPage.svelte"), part: "lessons" },
	lessons: { load: () => import("./lessons/LessonsPage.svelte"), part: "lessons" },
	lesson: { load: () => import("./lessons/LessonPage.svelte"), part: "lessons" },
	rules: { load: () => import("./pages/Rules.svelte") },
	daily: { load: () => import("./daily/DailyPage.svelte"), part: "daily" },
	puzzles: { load: () => import("./puzzles/PuzzlesPage.svelte"), part: "puzzles" },
	puzzle: { load: () => import("./puzzles/PuzzlePage.svelte"), part: "puzzles" },
	about: { load: () => import("./pages/About.svelte"), part: "keys" },
	workshop: { load: () => import("./workshop/Workshop.svelte"), part: "workshop" },
	history: { load: () => import("./pages/History.svelte"), part: "history" },
	lobby: { load: () => import("./lobby/LobbyPage.svelte"), part: "lobby" },
	leaderboard: { load: () => import("./people/LeaderboardPage.svelte"), part: "standing" },
	admin: { load: () => import("./people/AdminPage.svelte"), part: "admin" },
	privacy: { load: () => import("./pages/Privacy.svelte"), part: "privacy" },
	me: { load: () => import("./people/AccountPage.svelte"), part: "account" },
	person: { load: () => import("./people/PersonPage.svelte"), part: "standing" },
	notifications: { load: () => import("./people/NotificationsPage.svelte"), part: "notify" },
	unsubscribe: { load: () => import("./people/UnsubscribePage.svelte"), part: "notify" },
} as const;

/** Begins to load the code of a page, so that it is there when it is shown; whoever shows it tells of a failure. */
export function fetchPage(page: string): void {
	if (page in PAGES) PAGES[page as keyof typeof PAGES].load().catch(() => undefined);
}
