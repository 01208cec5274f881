/** The way to a vividmem-server. */

const PAUSE = 15_000; // ms before a server that did not answer is asked again
const PATIENCE = 30_000; // ms an answer may take: a busy machine is slow, and one that is off refuses at once
const LONG = 180_000; // ms where a model thinks, or much is moved

/** A refusal, or no answer at all (status 0). */
export class ServerError extends Error {
    /** @param {number} status @param {string} code @param {string} message */
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}

export class Server {
    #failed = -Infinity;

    /**
     * @param {() => {address: string, token: string}} options
     * @param {(state: string, message: string) => void} changed Told when it goes or comes.
     */
    constructor(options, changed) {
        this.options = options;
        this.changed = changed;
        this.hasModel = false;
    }

    /** @returns {boolean} Whether it is worth asking: it did not fail a moment ago. */
    get isReady() {
        return this.pause === 0;
    }

    /** @returns {number} ms until it is worth asking again. */
    get pause() {
        return Math.max(0, this.#failed + PAUSE - performance.now());
    }

    /** Look whether it is there and takes the token; the result is told to `changed`. */
    async check() {
        this.#failed = -Infinity;
        try {
            this.hasModel = (await this.#fetched('GET', '/healthz', undefined, PATIENCE)).model;
            await this.get('/characters', { limit: 1 });
        } catch (error) {
            if (!(error instanceof ServerError)) {
                throw error;
            }
        }
    }

    /** @param {string} route @param {object} body @returns {Promise<any>} */
    post(route, body, slow = false) {
        return this.#asked('POST', route, body, slow);
    }

    /** @param {string} route @param {object} query @returns {Promise<any>} */
    get(route, query) {
        return this.#asked('GET', `${route}?${new URLSearchParams(query)}`);
    }

    /** @param {string} route @param {object} query @returns {Promise<any>} */
    delete(route, query) {
        return this.#asked('DELETE', `${route}?${new URLSearchParams(query)}`);
    }

    async #asked(method, route, body, slow = false) {
        const began = performance.now();
        try {
            const reply = await this.#fetched(method, `/api/memory${route}`, body, slow ? LONG : PATIENCE);
            if (began > this.#failed) { // a late answer to an earlier question says nothing of now
                this.changed('on', 'connected');
            }
            return reply;
        } catch (error) {
            this.#judge(error);
            throw error;
        }
    }

    /** Note what a failure says about the server. */
    #judge(error) {
        if (error.status === 0) {
            this.#failed = performance.now();
            this.changed('off', error.message);
        } else if (error.status === 401) {
            this.#failed = performance.now();
            this.changed('refused', 'the server does not take this token');
        }
    }

    async #fetched(method, path, body, patience) {
        const { address, token } = this.options();
        const headers = token ? { Authorization: `Bearer ${token}` } : {};
        if (body !== undefined) {
            headers['Content-Type'] = 'application/json';
        }
        const base = address.trim().replace(/\/+$/, '');
        const signal = AbortSignal.timeout(patience);
        let response;
        try {
            response = await fetch(base + path, { method, headers, signal, body: JSON.stringify(body) });
        } catch {
            const error = new ServerError(0, 'unreachable', await whyUnreachable(base));
            this.#judge(error);
            throw error;
        }
        const reply = await response.json().catch(() => ({}));
        if (!response.ok) {
            const told = reply.error ?? {};
            throw new ServerError(response.status, told.code ?? 'refused', told.message ?? response.statusText);
        }
        return reply;
    }
}

/** A page is not told why a request failed; whether anything answers there at all it may find out. */
async function whyUnreachable(base) {
    try {
        await fetch(`${base}/healthz`, { mode: 'no-cors', signal: AbortSignal.timeout(2000) });
    } catch {
        return 'the server is off';
    }
    return `the server does not let this page in: start it with --allow-origin ${location.origin}`;
}
