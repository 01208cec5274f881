/** The panel among SillyTavern's extension settings, and the badge above the message box. */
import { Browser } from './browser.js';
import { button, chosenFile, confirmed, download, make } from './dom.js';
import { placeOf, present } from './people.js';
import { reflect } from './reflect.js';

export class Panel {
    #badge = make('div', { id: 'vividmem_badge', hidden: true });
    #pressed = 0;

    /**
     * @param {() => any} host SillyTavern.getContext
     * @param {{server: import('./server.js').Server, settings: import('./settings.js').Settings,
     *     keeper: import('./keeper.js').Keeper, prompt: import('./prompt.js').Prompt}} parts
     */
    constructor(host, parts) {
        this.host = host;
        Object.assign(this, parts);
    }

    /** Build it. @param {string} folder Of the extension, as SillyTavern names it. */
    async open(folder) {
        const html = await this.host().renderExtensionTemplateAsync(folder, 'settings');
        document.getElementById('extensions_settings2').insertAdjacentHTML('beforeend', html);
        for (const field of document.querySelectorAll('#vividmem_settings [data-setting]')) {
            this.#bind(field);
        }
        this.#part('connect').addEventListener('click', () => this.connect());
        this.#part('owner').addEventListener('change', () => this.preview());
        this.#part('actions').append(...this.#buttons());
        document.getElementById('form_sheld')?.prepend(this.#badge);
    }

    /** Try the server, then bring it up to date. */
    async connect() {
        this.state('', 'connecting ...');
        await this.server.check();
        await this.keeper.sync();
        await this.preview();
    }

    /** Show what the next prompt would hold of the memory that is chosen. */
    preview() {
        return this.prompt.preview(this.#avatar());
    }

    /** Show how things stand with the server. @param {string} state @param {string} message */
    state(state, message) {
        const line = this.#part('state');
        if (line) {
            line.dataset.state = state;
            line.textContent = message;
        }
        if (state !== 'on') {
            this.#badge.hidden = true;
        }
    }

    /** @param {string} message */
    say(message) {
        const line = this.#part('message');
        if (line) {
            line.textContent = message;
        }
    }

    /** Show whose memories there are to look at: those who are in the chat. */
    people() {
        const ctx = this.host();
        const select = this.#part('owner');
        if (!select) {
            return;
        }
        const before = select.value;
        const avatars = this.keeper.ledger() ? present(ctx) : [];
        const named = avatars.map(avatar => ctx.characters.find(one => one.avatar === avatar)).filter(Boolean);
        select.replaceChildren(...named.map(one => make('option', { value: one.avatar }, one.name)));
        select.value = avatars.includes(before) ? before : avatars[0] ?? '';
        select.disabled = !avatars.length;
    }

    /** Show mood, tokens and budget of the last block. */
    figures() {
        const { tokens, mood } = this.prompt;
        const { budget, badge, enabled } = this.settings;
        const usage = `${tokens} of ${budget} tokens`;
        this.#badge.replaceChildren(make('span', {}, mood || 'no mood yet'), make('span', {}, `memory: ${usage}`));
        this.#badge.hidden = !badge || !enabled || !this.keeper.ledger() || !this.server.isReady;
        if (this.#part('meter')) {
            this.#part('mood').textContent = mood || '-';
            this.#part('usage').textContent = usage;
            Object.assign(this.#part('meter'), { max: Math.max(1, budget), value: tokens });
        }
    }

    #part(name) {
        return /** @type {any} */ (document.getElementById(`vividmem_${name}`));
    }

    /** @returns {string} What the character whose memory is chosen is called. */
    #name() {
        return this.#part('owner').selectedOptions[0]?.textContent ?? '';
    }

    #avatar() {
        return this.#part('owner')?.value || undefined;
    }

    /** Let a field show and change the setting it is named after. */
    #bind(field) {
        const name = field.dataset.setting;
        const isSwitch = field.type === 'checkbox';
        field[isSwitch ? 'checked' : 'value'] = this.settings[name];
        field.addEventListener('change', async () => {
            const isRight = isSwitch || field.checkValidity() && (field.type !== 'number' || field.value !== '');
            if (!isRight) {
                field.value = this.settings[name];
                return;
            }
            this.settings[name] = isSwitch ? field.checked : field.type === 'number' ? Math.round(Number(field.value)) : field.value;
            this.settings.save();
            await (name === 'address' || name === 'token' ? this.connect() : this.preview());
        });
    }

    #buttons() {
        return [
            this.#action('Browse', place => this.#browse(place)),
            this.#action('Add note', place => this.#note(place)),
            this.#action('Consolidate', place => reflect(this.host(), this.server, 'consolidate', place)),
            this.#action('Dream', place => reflect(this.host(), this.server, 'dream', place)),
            this.#action('Read this chat', async () => `${await this.keeper.readChat()} messages read.`),
            this.#action('Export', place => this.#export(place)),
            this.#action('Import', place => this.#import(place)),
            this.#action('Wipe', place => this.#wipe(place)),
        ];
    }

    /** Return a button for something done to the memory shown; what comes of it is told below. */
    #action(label, job) {
        return button(label, async () => {
            const [avatar, ledger] = [this.#avatar(), this.keeper.ledger()];
            if (!avatar || !ledger) {
                this.say('Open a chat first.');
                return;
            }
            this.say(`${label} ...`);
            const turn = ++this.#pressed;
            const told = await job(placeOf(avatar, ledger, this.settings.scope)).catch(error =>
                error.code === 'unknown_character' ? 'Nothing is remembered yet.' : `${label}: ${error.message}`);
            if (turn === this.#pressed) { // what an earlier button ends with says nothing of the last
                this.say(told ?? '');
            }
            await this.prompt.preview(avatar);
        });
    }

    #browse(place) {
        const problem = message => this.say(message);
        return new Browser(this.host, this.server, { place, name: this.#name(), problem }).show();
    }

    async #note(character) {
        const ctx = this.host();
        const about = make('input', { type: 'text', className: 'text_pole', maxLength: 200, value: ctx.name1, 'aria-label': 'Whom it is about' });
        const asked = make('div', {}, make('p', {}, 'What shall be remembered?'),
            make('label', {}, 'About (empty: the character itself)', about));
        const text = await ctx.callGenericPopup(asked, ctx.POPUP_TYPE.INPUT, '', { rows: 3, okButton: 'Remember' });
        if (typeof text !== 'string' || !text.trim()) {
            return '';
        }
        const entity = about.value.trim();
        const note = { character, text: text.trim(), source: `note:${ctx.uuidv4()}` };
        await this.server.post(...(entity ? ['/impression', { ...note, entity }] : ['/reflection', note]));
        return 'Remembered.';
    }

    async #export(character) {
        const whole = await this.server.get('/export', { character });
        download(`${character.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`, JSON.stringify(whole));
        return `${whole.memories.length} memories exported.`;
    }

    async #import(place) {
        const data = JSON.parse(await chosenFile());
        const reply = await this.keeper.take(place, data);
        return `${reply.new.length} memories are new.`;
    }

    async #wipe(place) {
        const question = `Erase all that ${this.#name()} remembers, snapshots included? There is no way back.`;
        if (!await confirmed(this.host(), question, 'Erase')) {
            return '';
        }
        await this.keeper.wipe(place);
        return 'Nothing is remembered any more.';
    }
}
