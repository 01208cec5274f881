// Snapshots: taken, gone back to, deleted.

import { post } from "./api.js";
import { el, moment } from "./draw.js";
import { attempt, character, lookAgain, toast } from "./main.js";

const by = (id) => document.getElementById(id);
const MOST = 6;

function size(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function rowOf(one) {
  const sure = el("button", { type: "button", class: "sure", hidden: true, onclick: () => restore(one.name) }, "Go back to this");
  const ask = el("button", { type: "button", onclick: () => { sure.hidden = !sure.hidden; if (!sure.hidden) sure.focus(); } }, "Restore");
  const drop = el("button", { type: "button", class: "quiet", "aria-label": `Delete the snapshot of ${moment(one.taken)}`, onclick: () => forget(one.name) }, "Delete");
  const before = one.name.endsWith("-before") ? "before a restore, " : "";
  return el("li", {}, el("div", { class: "row" }, el("span", {}, moment(one.taken)), el("span", { class: "aside" }, before + size(one.size))),
    el("div", { class: "actions" }, ask, drop, sure));
}

export function fillSnapshots(list) {
  const rows = list.slice(0, MOST).map(rowOf);
  if (list.length > MOST) rows.push(el("li", { class: "sub" }, `${list.length - MOST} older`));
  by("snapshots").replaceChildren(...(rows.length ? rows : [el("li", { class: "empty" }, "No snapshot yet. Take one before you try something: the whole store can go back to it.")]));
}

function restore(name) {
  attempt(async () => {
    const told = await post("/restore", { character: character(), snapshot: name });
    toast(`Restored: ${told.memories} memories. What was before is kept as a snapshot.`);
    await lookAgain();
  });
}

function forget(name) {
  attempt(async () => fillSnapshots((await post("/snapshot/delete", { character: character(), snapshot: name })).snapshots));
}

by("snapshot").addEventListener("click", () => attempt(async () => {
  await post("/snapshot", { character: character() });
  toast("Snapshot taken.");
  await lookAgain();
}));
