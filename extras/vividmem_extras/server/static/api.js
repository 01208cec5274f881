// Talks to the server. The token lives in this tab only.

const KEY = "vividmem-token";

export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function takeTokenFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
}

export const keepToken = (token) => sessionStorage.setItem(KEY, token);

async function ask(method, path, body) {
  const headers = {};
  const token = sessionStorage.getItem(KEY);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = { method, headers, cache: "no-store", body: body === undefined ? undefined : JSON.stringify(body) };
  const reply = await fetch(path, sent).catch(() => {
    throw new Refused(0, "unreachable", "the server does not answer");
  });
  const told = await reply.json().catch(() => null);
  if (reply.ok) return told;
  const error = told?.error ?? { code: "unreadable", message: `HTTP ${reply.status}` };
  throw new Refused(reply.status, error.code, error.message);
}

function address(route, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value != null);
  const tail = new URLSearchParams(given).toString();
  return `/api/memory${route}${tail ? `?${tail}` : ""}`;
}

export const health = () => ask("GET", "/healthz");
export const get = (route, query) => ask("GET", address(route, query));
export const post = (route, body) => ask("POST", address(route), body);
export const remove = (route, query) => ask("DELETE", address(route, query));
