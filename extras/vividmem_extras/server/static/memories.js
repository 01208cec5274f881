// The memory browser: listing, search with what made each hit surface, detail, correct, forget.

import { get, post, remove } from "./api.js";
import { el, count, curves, day, fades, moment, short, two } from "./draw.js";
import { attempt, character, lookAgain, toast } from "./main.js";

const PAGE = 50;
const HITS = 30;
const PARTS = ["lexical", "episode", "neighbours", "vividness", "flashbulb", "recency", "mood", "chemistry"];
const by = (id) => document.getElementById(id);
let next = 0;
let asked = 0; // an answer to an earlier question is not shown

function rowOf(memory, aside, ...more) {
  const when = [memory.kind, memory.entity, day(memory.when), memory.status === "current" ? "" : memory.status];
  return el("li", { class: memory.status === "current" ? "" : "outdated" },
    el("button", { type: "button", class: "row", onclick: () => openMemories(memory.id) },
      el("span", { class: "said" }, memory.text), el("span", { class: "aside" }, aside),
      el("span", { class: "sub" }, when.filter(Boolean).join(" · ")), ...more));
}

function whyBars(why) {
  const parts = PARTS.map((name, i) => ({ name, i, value: why[name] })).filter((part) => Math.abs(part.value) >= 0.005);
  const whole = parts.reduce((sum, part) => sum + Math.abs(part.value), 0) || 1;
  const bar = el("span", { class: "why", "aria-hidden": "true" }, ...parts.map(({ value, i }) => {
    const piece = el("i", { class: `k${i}` });
    piece.style.width = `${(100 * Math.abs(value)) / whole}%`;
    return piece;
  }));
  const named = parts.map(({ name, value, i }) => el("span", {}, el("i", { class: `k${i}` }), `${name} `, el("b", {}, two(value))));
  const words = [["words", why.words], ["phrases", why.phrases], ["names", why.names], ["company", why.expansions], ["prefixes", why.prefixes]]
    .filter(([, list]) => list.length).map(([name, list]) => el("span", {}, `${name}: `, el("b", {}, short(list.join(", "), 120))));
  const told = [["slot", why.slot], ["time", why.time], ["hops", why.hop || ""]]
    .filter(([, value]) => value).map(([name, value]) => el("span", {}, `${name}: `, el("b", {}, String(value))));
  return [bar, el("span", { class: "parts" }, ...named, ...words, ...told)];
}

async function search(question) {
  const mine = (asked += 1);
  const body = { character: character(), query: question, limit: HITS, reinforce: false, include_history: true };
  if (by("kind").value) body.kinds = [by("kind").value];
  if (by("about").value.trim()) body.entity = by("about").value.trim();
  const { hits } = await post("/query", body);
  if (mine !== asked) return;
  const rows = hits.map((hit) => rowOf(hit.memory,
    `${two(hit.score)} · ${hit.certainty} · retention ${two(hit.retention)}`, ...whyBars(hit.why)));
  by("found").replaceChildren(...(rows.length ? rows : [el("li", { class: "empty" }, "Nothing known: no memory answers this well enough.")]));
  by("more").hidden = true;
  by("browser-key").textContent = rows.length ? `${rows.length} found, best first` : "";
}

async function list(more) {
  const mine = (asked += 1);
  const query = { character: character(), order: "desc", limit: PAGE, kind: by("kind").value, entity: by("about").value.trim(), after: more ? next : 0 };
  const page = await get("/memories", query);
  if (mine !== asked) return;
  const rows = page.memories.map((memory) => rowOf(memory, `importance ${memory.importance.toFixed(1)}`));
  if (more) by("found").append(...rows);
  else by("found").replaceChildren(...(rows.length ? rows : [el("li", { class: "empty" }, "No memory fits. Clear the filters, or send a message to /api/memory/observe.")]));
  next = page.next ?? 0;
  by("more").hidden = page.next == null;
  by("browser-key").textContent = `newest first, ${count(by("found").querySelectorAll("button").length)} shown`;
}

export async function refreshMemories(force) {
  if (!character()) {
    by("found").replaceChildren();
    by("more").hidden = true;
    return;
  }
  const question = by("query").value.trim();
  if (question) return force ? attempt(() => search(question)) : undefined;
  if (force || by("found").querySelectorAll("button").length <= PAGE) await attempt(() => list(false));
}

export function openMemories(id) {
  attempt(async () => {
    const told = await get(`/memories/${id}`, { character: character() });
    showDetail(told);
    if (!by("detail").open) by("detail").showModal();
  });
}

const times = (n) => (n === 0 ? "never" : n === 1 ? "once" : `${count(n)} times`);

function facts(memory, forecast) {
  const pairs = [["id", memory.id], ["kind", memory.kind], ["about", memory.entity || "the character itself"], ["emotion", memory.emotion],
    ["happened", moment(memory.when)], ["learned", moment(memory.learned)], ["status", memory.status],
    ["importance", memory.importance.toFixed(1)], ["confidence", two(memory.confidence)], ["arousal", two(memory.arousal)],
    ["retention", `${two(forecast.retention)}, floor ${two(forecast.floor)}, stability ${forecast.stability_days.toFixed(1)} d`],
    ["told", `${times(memory.seen)}, recalled ${times(memory.recalls)}`], ["sources", memory.sources.join(", ")], ["tags", memory.tags.join(", ")]];
  return el("dl", {}, ...pairs.filter(([, value]) => value !== "").flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))]));
}

function showDetail({ memory, forecast, history }) {
  const box = el("textarea", { "aria-label": "The right wording", maxlength: 20000 });
  box.value = memory.attribute && memory.kind === "fact" ? memory.value : memory.text;
  const form = el("form", { hidden: true, onsubmit: (event) => { event.preventDefault(); correct(memory.id, box.value); } },
    box, el("div", { class: "actions" }, el("button", { type: "submit" }, "Save wording")));
  const confirm = el("div", { class: "actions", hidden: true },
    el("button", { type: "button", class: "sure", onclick: () => forget(memory.id) }, "Erase it"),
    el("span", { class: "note" }, "The words leave every file of the store. There is no way back."));
  const actions = el("div", { class: "actions" },
    el("button", { type: "button", disabled: memory.status !== "current", onclick: () => { form.hidden = !form.hidden; box.focus(); } }, "Correct"),
    el("button", { type: "button", onclick: () => judge(memory.id, true) }, "It helped"),
    el("button", { type: "button", onclick: () => judge(memory.id, false) }, "It misled"),
    el("button", { type: "button", class: "danger", onclick: () => { confirm.hidden = false; confirm.querySelector("button").focus(); } }, "Forget"));
  const past = history.filter((one) => one.id !== memory.id);
  const chart = el("div", { class: "chart" }, curves([{ memory, forecast }], 90, null, [480, 160]));
  by("detail-body").replaceChildren(
    el("p", { class: "text" }, memory.text), actions, form, confirm, facts(memory, forecast),
    el("div", {}, el("h3", {}, `If nobody recalls it: ${fades(forecast)}`), chart),
    past.length ? el("div", {}, el("h3", {}, `History of ${memory.attribute.replaceAll("_", " ")}`), el("ol", { class: "rows" },
      ...history.map((one) => el("li", { class: one.status === "current" ? "" : "outdated" }, el("button", { type: "button", class: "row", onclick: () => openMemories(one.id) },
        el("span", { class: "said" }, one.value || one.text),
        el("span", { class: "aside" }, `${day(one.begins)} to ${one.valid_until == null ? "now" : day(one.valid_until)}`)))))) : "");
}

const after = async (text) => {
  toast(text);
  await lookAgain();
};

function correct(id, text) {
  attempt(async () => {
    const told = await post(`/memories/${id}/correct`, { character: character(), text });
    openMemories(told.memory.id);
    await after("Corrected.");
  });
}

function judge(id, helped) {
  attempt(async () => {
    await post(`/memories/${id}/feedback`, { character: character(), helped });
    openMemories(id);
    toast(helped ? "It will last longer." : "It is trusted less now.");
  });
}

function forget(id) {
  attempt(async () => {
    const told = await remove(`/memories/${id}`, { character: character() });
    by("detail").close();
    const some = told.snapshots ?? "Unreachable";
    const copies = some ? ` ${some} snapshots may still hold it.` : "";
    await after(`Forgotten: ${told.forgotten.length + told.derived.length}.${copies}`);
  });
}

by("search").addEventListener("submit", (event) => {
  event.preventDefault();
  refreshMemories(true);
});
by("query").addEventListener("input", () => { if (!by("query").value) refreshMemories(true); });
by("kind").addEventListener("change", () => refreshMemories(true));
by("more").addEventListener("click", () => attempt(() => list(true)));
by("detail-close").addEventListener("click", () => by("detail").close());
by("detail").addEventListener("click", (event) => { if (event.target === by("detail")) by("detail").close(); });
