/** Puts the memory block where the model reads it, never above its budget. */
import { placeOf, present } from './people.js';
import { ServerError } from './server.js';
import { POSITIONS } from './settings.js';
import { tail, withoutMacros } from './text.js';

const KEY = 'vividmem';
const TRIES = 4;
const NOTHING = { block: '', tokens: 0, mood: '' };
const WITHOUT = new Set(['quiet', 'impersonate']); // not the character who speaks

export class Prompt {
    block = '';
    mood = '';
    tokens = 0;
    #asked = 0;
    #isHeld = false; // while a model reads the block, no preview replaces it

    /**
     * @param {() => any} host SillyTavern.getContext
     * @param {import('./keeper.js').Keeper} keeper
     * @param {import('./server.js').Server} server
     * @param {import('./settings.js').Settings} settings
     * @param {() => void} changed Told when there is another block.
     */
    constructor(host, keeper, server, settings, changed) {
        this.host = host;
        this.keeper = keeper;
        this.server = server;
        this.settings = settings;
        this.changed = changed;
    }

    /** Make `{{vividmem}}` and `{{vividmood}}` known. */
    registerMacros() {
        const macros = this.host().macros;
        macros.register('vividmem', {
            handler: () => this.block, description: 'What the character remembers, as last asked for.',
        });
        macros.register('vividmood', {
            handler: () => withoutMacros(this.mood), description: 'The mood of the character in one word.',
        });
    }

    /** SillyTavern calls it before each generation and waits. */
    async intercept(chat, contextSize, _abort, type) {
        this.#isHeld = true;
        this.#asked++;
        await this.keeper.sync();
        const avatar = WITHOUT.has(type) ? undefined : this.host().characters[this.host().characterId]?.avatar;
        this.#put(await this.#remembered(avatar, chat, contextSize));
    }

    /** The model has read it. */
    release() {
        this.#isHeld = false;
    }

    /** Show what the next prompt would hold. @param {string} [avatar] Of the first who is there, if left out. */
    async preview(avatar) {
        const turn = ++this.#asked;
        const ctx = this.host();
        const found = await this.#remembered(avatar ?? present(ctx)[0], ctx.chat, ctx.maxContext);
        if (turn === this.#asked && !this.#isHeld) {
            this.#put(found);
        }
    }

    /** Return block and mood; empty where nothing is known, or nobody answers. */
    async #remembered(avatar, chat, contextSize) {
        const ledger = this.keeper.ledger();
        if (!this.settings.enabled || !ledger || !avatar || !this.server.isReady) {
            return NOTHING;
        }
        try {
            const place = placeOf(avatar, ledger, this.settings.scope);
            return await this.#found(place, tail(chat, this.settings.window), contextSize);
        } catch (error) {
            if (!(error instanceof ServerError)) {
                throw error;
            }
            return NOTHING;
        }
    }

    async #found(character, conversation, contextSize) {
        const [fitting, mood] = await Promise.all([
            this.#fitting(character, conversation, contextSize),
            this.server.get('/mood', { character }),
        ]);
        return { ...fitting, mood: mood.label };
    }

    /** Return a block that is within the budget by the model's own tokenizer, not only by an estimate. */
    async #fitting(character, conversation, contextSize) {
        const ctx = this.host();
        const budget = Math.max(0, Math.min(this.settings.budget, Math.floor(contextSize / 2)));
        let asked = budget;
        for (let turn = 0; turn < TRIES; turn++) {
            const body = { character, conversation, entity: ctx.name1.slice(0, 200), max_tokens: asked };
            const block = withoutMacros((await this.server.post('/context', body)).block);
            const tokens = block ? await ctx.getTokenCountAsync(block) : 0;
            if (tokens <= budget) {
                return { block, tokens };
            }
            asked = Math.floor((asked * budget) / tokens) - 1 - turn * 8;
            if (asked <= 0) {
                break;
            }
        }
        return { block: '', tokens: 0 };
    }

    #put({ block, tokens, mood }) {
        Object.assign(this, { block, tokens, mood });
        const { position, depth } = this.settings;
        this.host().setExtensionPrompt(KEY, position === 'off' ? '' : block, POSITIONS[position] ?? 1, depth);
        this.changed();
    }
}
