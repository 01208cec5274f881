// The panel: asks for what moves every other second, and for the rest when the store has changed.

import { Refused, get, health, keepToken, post, takeTokenFromAddress } from "./api.js";
import { openMemories, refreshMemories } from "./memories.js";
import { fillSnapshots } from "./snapshots.js";
import { el, chemistry, count, curves, day, fades, moment, mood, short, spread, surprise, two } from "./draw.js";

const PULSE = 2000; // milliseconds
const LEAST_PAUSE = 4000; // between two looks at what costs a look at every memory
const FILLED = ["surprise", "feed", "mood", "mood-label", "retention", "retention-legend", "chemistry", "fading", "spread", "conflicts", "tokens", "snapshots", "figures"];
const CURVE_DAYS = 90;
const KEPT = 500; // decisions shown
const FEED_ROWS = 120;

const by = (id) => document.getElementById(id);
const state = {
  character: "", names: [], decisions: [], number: 0, sequence: -1, trail: [], threshold: 0.2,
  looked: 0, lookedFor: -2, cost: 0, chosen: null, retention: null, chemistry: null, run: 0,
};

export function toast(text) {
  const box = by("toast");
  box.textContent = text;
  box.classList.add("shown");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => box.classList.remove("shown"), 4000);
}

export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401) askToken("This token is not the server's.");
    else toast(error.message);
    return null;
  }
}

export const character = () => state.character;
export async function lookAgain() {
  await pulse();
  await look(true);
}

function fill(id, ...children) {
  by(id).replaceChildren(...children);
}

function alive(on, text) {
  by("live").className = `live ${on ? "on" : "off"}`;
  by("live").querySelector("span").textContent = text;
}

function showSurprise() {
  const box = by("surprise");
  if (!state.decisions.length) {
    fill("surprise", el("p", { class: "empty" }, "Nothing was observed since the server started. Each message sent to ",
      el("code", {}, "POST /api/memory/observe"), " or ", el("code", {}, "/process"), " appears here as it arrives."));
  } else {
    fill("surprise", surprise(state.decisions, state.threshold, box.clientWidth));
  }
  const keys = ["store", "supersede", "merge", "skip"].map((action) =>
    el("span", {}, el("span", { class: `tag ${action}` }, `● ${action}`)));
  fill("surprise-key", ...keys);
}

function feedRow(one) {
  const replaced = one.replaces.map(([, text]) => el("span", { class: "sub old" }, short(text, 160)));
  const who = [one.speaker === "user" ? one.entity || "user" : one.speaker, moment(one.at)].join(", ");
  const inside = [
    el("span", { class: "said" }, el("span", { class: `tag ${one.action}` }, one.action), " ", one.text),
    el("span", { class: "aside" }, two(one.surprise)),
    ...replaced,
    el("span", { class: "sub" }, `${one.reason} · ${who}`),
  ];
  const row = one.memory_id == null ? el("div", { class: "row" }, ...inside)
    : el("button", { type: "button", class: "row", onclick: () => openMemories(one.memory_id) }, ...inside);
  return el("li", {}, row);
}

function showFeed(counts) {
  const newest = state.decisions.slice(-FEED_ROWS).reverse();
  if (newest.length) fill("feed", ...newest.map(feedRow));
  else fill("feed", el("li", { class: "empty" }, "The gate decides on each message without a model: stored, merged, superseded or skipped, with its reason."));
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  fill("feed-key", all ? `${count(all)} in all, ${count(counts.skip ?? 0)} skipped` : "");
}

function showMood(now) {
  const last = state.trail.at(-1);
  if (!last || last.pleasure !== now.pleasure || last.arousal !== now.arousal) state.trail.push(now);
  state.trail = state.trail.slice(-60);
  fill("mood", mood(now, state.trail));
  fill("mood-label", el("b", {}, now.label));
}

function showChemistry(told) {
  state.chemistry = told;
  fill("chemistry", chemistry(told));
  const button = by("chemistry-switch");
  button.disabled = false;
  button.textContent = told.enabled ? "on" : "off";
  button.setAttribute("aria-pressed", told.enabled);
  by("chemistry-event").querySelector("button").disabled = !told.enabled;
  const select = by("chemistry-events");
  if (!select.options.length) {
    select.append(...told.events.map((name) => el("option", { value: name }, name.replaceAll("_", " "))));
  }
}

function showTokens(tokens) {
  const saved = tokens.observed
    ? [el("p", { class: "against" }, count(tokens.baseline)),
      el("p", { class: "note" }, `a model on every write, for the same ${count(tokens.observed)} messages`)]
    : [el("p", { class: "note" }, "Beside it, once messages arrive: what a model on every write would have spent.")];
  fill("tokens", el("p", { class: "big" }, count(tokens.spent)), el("p", { class: "note" }, "spent by the gate"), ...saved,
    el("details", {}, el("summary", { class: "note" }, "how this is counted"), el("p", { class: "note" }, tokens.method)));
}

function showRetention() {
  const told = state.retention;
  if (!told || !told.vivid.length) {
    fill("retention", el("p", { class: "empty" }, "No memory is vivid now. What is stored appears here with the curve along which it will fade."));
    fill("retention-legend");
  } else {
    const narrow = by("retention").clientWidth < 480;
    fill("retention", curves(told.vivid, CURVE_DAYS, state.chosen, narrow ? [400, 240] : [620, 230]));
    const focus = (i) => () => {
      if (state.chosen === i) return;
      state.chosen = i;
      fill("retention", curves(told.vivid, CURVE_DAYS, i, narrow ? [400, 240] : [620, 230]));
    };
    fill("retention-legend", ...told.vivid.map(({ memory, forecast }, i) => el("li", {},
      el("button", { type: "button", title: memory.text, onclick: () => openMemories(memory.id),
        onmouseenter: focus(i), onfocus: focus(i), onmouseleave: focus(null), onblur: focus(null) },
      el("i", { class: `k${i % 8}` }), el("span", {}, short(memory.text, 80)), el("span", { class: "aside" }, fades(forecast))))));
  }
  const all = told ? told.spread.reduce((sum, one) => sum + one, 0) : 0;
  if (all) fill("spread", spread(told.spread, told.faded_below));
  else fill("spread");
  const rows = (told?.fading ?? []).slice(0, 5).map(({ memory, forecast }) => el("li", {},
    el("button", { type: "button", class: "row", onclick: () => openMemories(memory.id) },
      el("span", { class: "said" }, memory.text), el("span", { class: "aside" }, fades(forecast)))));
  fill("fading", ...(rows.length ? rows : [el("li", { class: "empty" }, "Nothing is about to fade.")]));
  fill("fading-key", all ? `${count(all)} current` : "");
}

function conflictRow(pair, open) {
  const tag = open ? el("span", { class: "tag supersede" }, "open") : el("span", { class: "tag merge" }, "replaced");
  return el("li", {},
    el("button", { type: "button", class: "row", onclick: () => openMemories(pair.newer.id) },
      el("span", { class: "said" }, tag, " ", pair.newer.text), el("span", { class: "aside" }, day(pair.newer.learned))),
    el("button", { type: "button", class: "row", onclick: () => openMemories(pair.older.id) },
      el("span", { class: open ? "sub" : "sub old" }, short(pair.older.text, 200))));
}

function showConflicts(told) {
  const rows = [...told.open.map((pair) => conflictRow(pair, true)), ...told.superseded.map((pair) => conflictRow(pair, false))];
  fill("conflicts", ...(rows.length ? rows : [el("li", { class: "empty" }, "No open contradiction, and nothing was replaced yet. What cannot both be true waits here for a word from you: correct one side or forget it.")]));
  fill("conflicts-key", rows.length ? `${told.open.length} open` : "");
}

function showFigures(told) {
  const { stats } = told;
  const pairs = [["memories", stats.memories], ["people", stats.entities], ["faded", stats.faded]];
  fill("figures", ...pairs.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, count(value)))));
  if (stats.damage.length) toast(`The store is damaged and read-only: ${stats.damage[0]}`);
  const select = by("kind");
  const kinds = ["", ...Object.keys(stats.kinds)];
  if (kinds.length !== select.options.length) {
    const chosen = select.value;
    select.replaceChildren(...kinds.map((kind) => el("option", { value: kind }, kind || "all kinds")));
    select.value = kinds.includes(chosen) ? chosen : "";
  }
}

// What costs a look at every memory: only when the store has changed, and never more than a tenth of the time.
async function look(now = false) {
  const rest = Math.max(LEAST_PAUSE, 10 * state.cost);
  if (!now && (state.lookedFor === state.sequence || Date.now() - state.looked < rest)) return;
  const [whose, began] = [state.character, performance.now()];
  state.looked = Date.now();
  state.lookedFor = state.sequence;
  const query = { character: whose };
  const [stats, retention, conflicts, copies] = await Promise.all(
    [get("/stats", query), get("/retention", query), get("/contradictions", query), get("/snapshots", query)]);
  if (whose !== state.character) return;
  state.cost = performance.now() - began;
  state.retention = retention;
  showFigures(stats);
  showRetention();
  showConflicts(conflicts);
  fillSnapshots(copies.snapshots);
  await refreshMemories(now);
}

async function pulse() {
  const whose = state.character;
  const told = await get("/pulse", { character: whose, after: state.number, limit: KEPT });
  if (whose !== state.character) return;
  state.threshold = told.threshold;
  const gone = told.tokens.observed < state.decisions.length || told.sequence < state.sequence;
  if (gone || told.forgotten !== state.forgotten) {
    const whole = await get("/pulse", { character: whose, after: 0, limit: KEPT });
    if (whose !== state.character) return;
    state.decisions = whole.decisions;
    state.looked = 0; // what was forgotten leaves the other panels at once, too
  } else {
    state.decisions = [...state.decisions, ...told.decisions].slice(-KEPT);
  }
  state.forgotten = told.forgotten;
  state.number = state.decisions.at(-1)?.number ?? state.number;
  state.sequence = told.sequence;
  showSurprise();
  showFeed(told.counts);
  showMood(told.mood);
  showChemistry(told.chemistry);
  showTokens(told.tokens);
  by("snapshot").disabled = false;
  alive(true, `live, ${moment(told.now)}`);
  await look();
}

async function findCharacters() {
  const found = await get("/characters");
  const names = found.characters.map((one) => one.name);
  if (names.join("\n") === state.names.join("\n") && names.length) return;
  state.names = names;
  by("character").replaceChildren(...names.map((name) => el("option", { value: name }, name)));
  if (!names.includes(state.character)) choose(names[0] ?? "");
  by("character").value = state.character;
}

function choose(name) {
  Object.assign(state, {
    character: name, decisions: [], number: 0, sequence: -1, trail: [], lookedFor: -2, looked: 0, retention: null, chosen: null, forgotten: undefined,
  });
  FILLED.forEach((id) => fill(id)); // nothing of one character is shown beside another's
  refreshMemories(true);
}

function showNobody() {
  const example = `curl ${location.origin}/api/memory/observe -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" -d '{"character": "Seraphina", "entity": "Alex", "text": "I moved to Ghent last week"}'`;
  FILLED.forEach((id) => fill(id));
  fill("surprise", el("p", { class: "empty" }, "No character has a memory yet. Send the first message:"), el("code", {}, example));
  by("snapshot").disabled = by("chemistry-switch").disabled = true;
  alive(true, "waiting for the first message");
}

async function turn(run) {
  if (run !== state.run) return;
  if (!document.hidden) {
    try {
      if (!state.character || state.turns % 5 === 0) await findCharacters();
      state.turns = (state.turns ?? 0) + 1;
      if (state.character) await pulse();
      else showNobody();
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return askToken("");
      if (error instanceof Refused && error.code === "unknown_character") {
        state.names = [];
        state.character = "";
      } else if (error instanceof Refused) alive(false, error.message);
      else throw error;
    }
  }
  setTimeout(() => turn(run), PULSE);
}

function start() {
  state.run += 1;
  state.turns = 0;
  turn(state.run);
}

function askToken(problem) {
  by("entry-bad").textContent = problem;
  if (!by("entry").open) by("entry").showModal();
}

by("entry-form").addEventListener("submit", (event) => {
  event.preventDefault();
  keepToken(by("entry-token").value.trim());
  by("entry").close();
  start();
});
by("entry").addEventListener("cancel", (event) => event.preventDefault());

by("character").addEventListener("change", (event) => {
  choose(event.target.value);
  start();
});

by("chemistry-switch").addEventListener("click", () => attempt(async () => {
  showChemistry(await post("/chemistry", { character: state.character, enabled: !state.chemistry.enabled }));
}));
by("chemistry-event").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => showChemistry(await post("/chemistry", { character: state.character, event: by("chemistry-events").value })));
});

by("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("vividmem-theme", document.documentElement.dataset.theme);
});
const theme = localStorage.getItem("vividmem-theme");
if (theme) document.documentElement.dataset.theme = theme;

let width = innerWidth;
addEventListener("resize", () => {
  if (Math.abs(innerWidth - width) < 40) return;
  width = innerWidth;
  showSurprise();
  showRetention();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) start(); });

takeTokenFromAddress();
attempt(health).then((told) => told && start());
