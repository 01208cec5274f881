/** The window that shows what a character remembers: search, page, correct, forget. */
import { button, confirmed, make } from './dom.js';

const PAGE = 50; // memories
const KINDS = ['', 'impression', 'reflection', 'fact', 'preference', 'gist', 'dream'];

export class Browser {
    #next = 0;
    #list = make('ul', { className: 'vividmem_list', 'aria-live': 'polite' });
    #more = button('Show more', () => this.#page());
    #query = make('input', { type: 'search', className: 'text_pole', placeholder: 'Search memories', 'aria-label': 'Search memories', onchange: () => this.#renew() });
    #kind = make('select', { className: 'text_pole', 'aria-label': 'Kind', onchange: () => this.#renew() });

    /**
     * @param {() => any} host SillyTavern.getContext
     * @param {import('./server.js').Server} server
     * @param {{place: string, name: string, problem: (message: string) => void}} shown Which memory, and whose.
     */
    constructor(host, server, { place, name, problem }) {
        Object.assign(this, { host, server, place, name, problem });
        this.#kind.append(...KINDS.map(kind => make('option', { value: kind }, kind || 'every kind')));
    }

    /** Open it; resolves when it is closed. */
    async show() {
        const title = make('h3', {}, `What ${this.name} remembers`);
        const tools = make('div', { className: 'vividmem_row' }, this.#query, this.#kind);
        const whole = make('div', { className: 'vividmem_browser' }, title, tools, this.#list, this.#more);
        const { callGenericPopup, POPUP_TYPE } = this.host();
        const closed = callGenericPopup(whole, POPUP_TYPE.DISPLAY, '', { wide: true, large: true, allowVerticalScrolling: true });
        await this.#renew();
        await closed;
    }

    async #renew() {
        this.#next = 0;
        this.#list.replaceChildren();
        await this.#page();
    }

    /** Show one more page, or what a search finds. */
    async #page() {
        try {
            const found = await this.#found();
            this.#list.append(...found.map(memory => this.#item(memory)));
            if (!this.#list.children.length) {
                this.#list.append(make('li', { className: 'vividmem_empty' }, this.#query.value ? 'Nothing known.' : 'Nothing remembered yet.'));
            }
        } catch (error) {
            this.problem(error.message);
            this.#list.replaceChildren(make('li', { className: 'vividmem_empty' }, error.message));
        }
        this.#more.hidden = !this.#next;
    }

    async #found() {
        const kind = this.#kind.value;
        const character = this.place;
        try {
            if (this.#query.value.trim()) {
                this.#next = 0;
                const body = { character, query: this.#query.value, limit: PAGE, reinforce: false, ...(kind && { kinds: [kind] }) };
                return (await this.server.post('/query', body)).hits.map(hit => hit.memory);
            }
            const query = { character, order: 'desc', limit: PAGE, ...(kind && { kind }), ...(this.#next && { after: this.#next }) };
            const page = await this.server.get('/memories', query);
            this.#next = page.next ?? 0;
            return page.memories;
        } catch (error) {
            if (error.code === 'unknown_character') {
                return [];
            }
            throw error;
        }
    }

    #item(memory) {
        const day = new Date(memory.when * 1000).toLocaleDateString();
        const feeling = memory.emotion === 'neutral' ? '' : memory.emotion;
        const about = [day, memory.kind, memory.entity, feeling, memory.status === 'current' ? '' : memory.status];
        const item = make('li', {},
            make('div', { className: 'vividmem_said' }, memory.text),
            make('small', {}, about.filter(Boolean).join(' · ')));
        const tools = make('span', { className: 'vividmem_tools' },
            button('Correct', () => this.#correct(memory)),
            button('Forget', () => this.#forget(memory, item)));
        item.append(tools);
        return item;
    }

    async #correct(memory) {
        const ctx = this.host();
        const asked = make('p', {}, 'The right wording:');
        const text = await ctx.callGenericPopup(asked, ctx.POPUP_TYPE.INPUT, memory.value || memory.text, { rows: 3 });
        if (typeof text === 'string' && text.trim()) {
            await this.#doing(this.server.post(`/memories/${memory.id}/correct`, { character: this.place, text }));
            await this.#renew();
        }
    }

    async #forget(memory, item) {
        if (await confirmed(this.host(), `Forget "${memory.text}"? There is no way back.`, 'Forget')) {
            if (await this.#doing(this.server.delete(`/memories/${memory.id}`, { character: this.place }))) {
                item.remove();
            }
        }
    }

    /** @returns {Promise<boolean>} Whether it was done; if not, the user is told. */
    async #doing(asked) {
        try {
            await asked;
            return true;
        } catch (error) {
            this.problem(error.message);
            return false;
        }
    }
}
