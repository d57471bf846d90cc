// A bot of one's own: it plays any legal move, but ends its turn only when nothing else is left to do.
//
//     kb arena "run:node examples/bot.js" random --games 20
//
// docs/bots.md specifies the lines that are read and written here. No package is needed.

const lines = require("node:readline").createInterface({ input: process.stdin });

let seed = 1;
let position = "";
let moves = [];

/** A number from 0 up to 1; the same numbers in the same game (a linear congruential generator). */
function random() {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
}

/** The move to play: replace this by something clever. */
function choose(position, moves) {
  const better = moves.filter((move) => move !== ".");
  const choices = better.length ? better : moves;
  return choices[Math.floor(random() * choices.length)];
}

lines.on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "kb" || word === "newgame") console.log("ready sample newgame");
  else if (word === "game") seed = Number(rest[1]) || 1;
  else if (word === "position") position = rest.join(" ");
  else if (word === "legal") moves = rest;
  else if (word === "go") console.log("move", choose(position, moves));
  else if (word === "quit") process.exit();
});
