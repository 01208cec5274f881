// Elements and charts. Whatever comes from a store goes through text nodes and attributes only.

const SVG = "http://www.w3.org/2000/svg";
const DAY = 86400;

export function el(name, options = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child != null));
  return made;
}

const label = (x, y, text, more = {}) => svg("text", { x, y, ...more }, text);
const line = (x1, y1, x2, y2, cls) => svg("line", { x1, y1, x2, y2, class: cls });
const path = (points, cls) =>
  svg("path", { d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), class: cls });
const board = (width, height, name) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });

export const short = (text, most = 90) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
export const count = (value) => Number(value).toLocaleString("en");
export const two = (value) => Number(value).toFixed(2);

export function day(seconds) {
  const date = new Date(seconds * 1000);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year });
}

export function moment(seconds) {
  const date = new Date(seconds * 1000);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return Date.now() / 1000 - seconds < DAY ? time : `${day(seconds)} ${time.slice(0, 5)}`;
}

export function fades(forecast, now = Date.now() / 1000) {
  if (forecast.fades_at == null) return `stays above ${two(forecast.floor)}`;
  const days = Math.round((forecast.fades_at - now) / DAY);
  if (days < 1) return "fades today";
  return days > 365 ? `fades ${day(forecast.fades_at)}` : `fades in ${days} d`;
}

export function surprise(decisions, threshold, width) {
  const narrow = width < 560;
  const [w, h, left, right, top, bottom] = [narrow ? 400 : 1000, narrow ? 220 : 210, 28, 44, 8, 20];
  const shown = decisions.slice(narrow ? -40 : -120);
  const slots = Math.max(narrow ? 24 : 40, shown.length);
  const x = (i) => left + ((i + 0.5 + slots - shown.length) * (w - left - right)) / slots;
  const y = (value) => top + (1 - value) * (h - top - bottom);
  const last = shown.at(-1);
  const chart = board(w, h, `Surprise of the last ${shown.length} observations; threshold ${two(threshold)}`);
  for (const mark of [0, 0.5, 1]) {
    chart.append(line(left, y(mark), w - right, y(mark), "axis"), label(left - 6, y(mark) + 4, mark, { "text-anchor": "end" }));
  }
  shown.forEach((one, i) => {
    const title = `${one.action}: ${one.reason}\nsurprise ${two(one.surprise)}, threshold ${two(one.threshold)}\n${short(one.text)}`;
    chart.append(svg("g", { class: `s-${one.action}` }, svg("title", {}, title),
      line(x(i), y(0), x(i), y(one.surprise), "stem"), svg("circle", { cx: x(i), cy: y(one.surprise), r: 3 })));
  });
  const steps = shown.map((one, i) => [x(i), y(one.threshold)]);
  steps.push([w - right, y(threshold)]);
  if (steps.length === 1) steps.unshift([left, y(threshold)]);
  chart.append(path(steps, "tau"), label(w - right + 6, y(threshold) + 4, `τ ${two(threshold)}`, { class: "tau-text" }));
  if (last) chart.append(label(w - right, h - 4, moment(last.at), { "text-anchor": "end" }));
  if (shown.length > 20) chart.append(label(x(0), h - 4, moment(shown[0].at)));
  return chart;
}

export function mood(now, trail) {
  const [w, h, size, left, top] = [280, 204, 172, 38, 8];
  const x = (pleasure) => left + ((pleasure + 1) / 2) * size;
  const y = (arousal) => top + ((1 - arousal) / 2) * size;
  const chart = board(w, h, `Mood ${now.label}: pleasure ${two(now.pleasure)}, arousal ${two(now.arousal)}, dominance ${two(now.dominance)}`);
  chart.append(svg("rect", { x: left, y: top, width: size, height: size, class: "frame" }),
    line(x(0), top, x(0), top + size, "axis"), line(left, y(0), left + size, y(0), "axis"),
    label(x(0), h - 6, "pleasure", { "text-anchor": "middle" }),
    svg("text", { transform: `translate(${left - 10} ${y(0)}) rotate(-90)`, "text-anchor": "middle" }, "arousal"));
  const bar = left + size + 36;
  chart.append(svg("rect", { x: bar, y: top, width: 6, height: size, rx: 3, class: "track" }),
    line(bar - 3, y(0), bar + 9, y(0), "axis"),
    svg("circle", { cx: bar + 3, cy: y(now.dominance), r: 5, class: "here" }),
    label(bar + 3, h - 6, "dominance", { "text-anchor": "middle" }));
  if (trail.length > 1) chart.append(path(trail.map((at) => [x(at.pleasure), y(at.arousal)]), "trail"));
  chart.append(svg("circle", { cx: x(now.pleasure), cy: y(now.arousal), r: 6, class: "here" },
    svg("title", {}, `pleasure ${two(now.pleasure)}, arousal ${two(now.arousal)}, dominance ${two(now.dominance)}`)));
  return chart;
}

export function chemistry(state) {
  const [w, row] = [280, 26];
  const names = Object.keys(state.levels);
  const said = names.map((name) => `${name} ${two(state.levels[name])}`).join(", ");
  const chart = board(w, names.length * row, `Chemicals: ${said}`);
  const [from, width] = [98, 130];
  names.forEach((name, i) => {
    const [level, base, y] = [state.levels[name], state.baselines[name], i * row + 13];
    const title = `${name} ${two(level)}, baseline ${two(base)}, half-life ${state.half_lives[name]} min`;
    chart.append(svg("g", { class: state.enabled ? "" : "off" }, svg("title", {}, title),
      label(0, y + 4, name), svg("rect", { x: from, y: y - 3, width, height: 6, rx: 3, class: "track" }),
      svg("rect", { x: from, y: y - 3, width: Math.max(0, level * width), height: 6, rx: 3, class: "bar" }),
      line(from + base * width, y - 7, from + base * width, y + 7, "base"),
      label(w - 18, y + 4, two(level), { "text-anchor": "end", class: "strong" }), label(w, y + 4, state.trend[name], { "text-anchor": "end" })));
  });
  return chart;
}

export function curves(list, days, chosen = null, size = [620, 240]) {
  const [w, h] = size;
  const [left, right, top, bottom] = [28, 8, 8, 22];
  const x = (at) => left + (at / days) * (w - left - right);
  const y = (value) => top + (1 - value) * (h - top - bottom);
  const chart = board(w, h, `Forecast of ${list.length} memories over ${days} days`);
  for (const mark of [0, 0.5, 1]) {
    chart.append(line(left, y(mark), w - right, y(mark), "axis"), label(left - 6, y(mark) + 4, mark, { "text-anchor": "end" }));
  }
  for (const at of [0, 30, 60, 90].filter((mark) => mark <= days)) {
    chart.append(label(x(at), h - 4, at ? `${at} d` : "now", { "text-anchor": at === days ? "end" : at ? "middle" : "start" }));
  }
  list.forEach(({ memory, forecast }, i) => {
    const dim = chosen != null && chosen !== i ? " dim" : "";
    const { floor, retention } = forecast;
    const points = [];
    for (let step = 0; step <= 60; step += 1) points.push([(step * days) / 60, at(forecast.points, (step * days) / 60)]);
    points[0][1] = retention;
    chart.append(svg("g", { class: dim }, svg("title", {}, `${short(memory.text)}\n${fades(forecast)}`),
      floor > 0 ? svg("line", { x1: left, y1: y(floor), x2: w - right, y2: y(floor), class: `floor k${i % 8}` }) : null,
      path(points.map(([t, value]) => [x(t), y(value)]), `curve k${i % 8}`)));
  });
  return chart;
}

// Between two points of the forecast retention is read as exponential, as it falls.
function at(points, days) {
  const after = points.findIndex(([when]) => when >= days);
  if (after <= 0) return points[Math.max(0, after)][1];
  const [[t0, r0], [t1, r1]] = [points[after - 1], points[after]];
  const share = (days - t0) / (t1 - t0);
  return r0 > 0.001 && r1 > 0.001 ? r0 * (r1 / r0) ** share : r0 + (r1 - r0) * share;
}

export function spread(buckets, fadedBelow) {
  const [w, h, base] = [280, 74, 56];
  const most = Math.max(1, ...buckets);
  const chart = board(w, h, `Current memories by retention, in tenths from 0: ${buckets.join(", ")}`);
  const step = w / buckets.length;
  buckets.forEach((amount, i) => {
    const height = amount ? Math.max(2, (Math.sqrt(amount) / Math.sqrt(most)) * (base - 6)) : 0;
    const low = i / buckets.length < fadedBelow ? " low" : "";
    chart.append(svg("g", {}, svg("title", {}, `${count(amount)} with retention ${i / 10} to ${(i + 1) / 10}`),
      svg("rect", { x: i * step + 1, y: base - height, width: step - 2, height, rx: 1, class: `spread${low}` })));
  });
  chart.append(line(0, base + 0.5, w, base + 0.5, "axis"), label(0, h - 4, "faded"), label(w, h - 4, "fresh", { "text-anchor": "end" }));
  return chart;
}
