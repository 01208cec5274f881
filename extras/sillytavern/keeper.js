/** Keeps the server's memories as the chat is: tells what is new, revises what changed, retracts what went. */
import { moveKeys, noteKey, takeKeys } from './chats.js';
import { begin, finish, isBegun, leaveOut, ledgerOf, number, plan, readAll } from './ledger.js';
import { current, hearers, isOf, nameOf, ownerOf, tagOf } from './people.js';
import { ServerError } from './server.js';

const SOON = 40; // ms in which several events become one look
const NEW_SESSION = 6 * 3600; // seconds of silence that end a session

export class Keeper {
    #running = Promise.resolve();
    #timer = 0;
    /** @type {Map<import('./ledger.js').Ledger, any[]>} Chats to look at, as they were when something happened. */
    #changed = new Map();

    /**
     * @param {() => any} host SillyTavern.getContext
     * @param {import('./server.js').Server} server
     * @param {import('./settings.js').Settings} settings
     * @param {{after: () => void, problem: (message: string) => void}} told What to call after a look.
     */
    constructor(host, server, settings, told) {
        this.host = host;
        this.server = server;
        this.settings = settings;
        this.told = told;
    }

    /** @returns {import('./ledger.js').Ledger | null} Of the open chat; none while one is being loaded or deleted. */
    ledger() {
        const ctx = this.host();
        const ledger = ctx.chatMetadata.vividmem;
        return ledger && ledger.chat === String(ctx.chatId) ? ledger : null;
    }

    /** Begin the ledger of the chat that was opened, or take it up again. */
    opened() {
        const ctx = this.host();
        const chatId = ctx.chatId && String(ctx.chatId);
        if (!chatId || (!ctx.groupId && ctx.characterId === undefined)) {
            return;
        }
        const ledger = ledgerOf(ctx.chatMetadata, chatId, ctx.chat, () => ctx.uuidv4().slice(0, 8));
        if (noteKey(this.settings.chats, { key: ledger.key, chat: chatId, owner: ownerOf(ctx) })) {
            this.settings.save();
        }
    }

    /** Look soon: more may be about to happen. */
    soon() {
        this.#note();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.sync().then(this.told.after), SOON);
    }

    /** Bring the server up to date; resolves when it is, or when it cannot be reached. */
    sync() {
        this.#note();
        clearTimeout(this.#timer);
        return this.#inTurn(() => this.#look());
    }

    /** Tell the messages that were there before. @returns {Promise<number>} how many. */
    async readChat() {
        const ledger = this.ledger();
        if (!ledger) {
            return 0;
        }
        const ctx = this.host();
        const count = readAll(ledger, ctx.chat, message => hearers(ctx, message, ledger, this.settings.scope));
        await this.sync();
        return count;
    }

    /** Erase a memory, and make sure that this chat does not tell it again. @param {string} place */
    wipe(place) {
        return this.#inTurn(async () => {
            const ledger = this.ledger();
            await unlessUnknown(this.server.post('/wipe', { character: place, confirm: true }));
            if (ledger) {
                leaveOut(ledger, told => current(told, this.settings.renamed) === place);
                await this.host().saveMetadata();
            }
        });
    }

    /** Take in an exported memory, after what was asked for before. @param {string} place @returns {Promise<any>} */
    take(place, data) {
        return this.#inTurn(() => this.server.post('/import', { character: place, data }, true));
    }

    /** Follow a character to its new name, now or when the server is back. */
    renamed(oldAvatar, newAvatar) {
        const [from, to] = [nameOf(oldAvatar), nameOf(newAvatar)];
        this.settings.renames.push([from, to]);
        this.settings.renamed[from] = to;
        delete this.settings.renamed[to];
        this.settings.save();
        return this.sync();
    }

    /** @param {string} avatar @returns {Promise<boolean>} Whether anything is kept of this character. */
    async knows(avatar) {
        const name = nameOf(avatar);
        return (await this.places()).some(place => isOf(place, name));
    }

    /** Erase all memories of a character, those of single chats, too. @param {string} avatar */
    forgetCharacter(avatar) {
        const name = nameOf(avatar);
        return this.#inTurn(() => this.#wipeAll(place => isOf(place, name)));
    }

    /** Let a chat that was renamed, open or not, be found under its new name. */
    chatRenamed({ avatarId, groupId, oldFileName, newFileName }) {
        const owner = groupId || nameOf(avatarId);
        const [from, to] = [oldFileName, newFileName].map(name => name.replace(/\.jsonl$/, ''));
        if (moveKeys(this.settings.chats, { chat: from, owner }, { chat: to, owner })) {
            this.settings.save();
        }
    }

    /** Erase the memories that were a deleted chat's alone, now or when the server is back. @param {string} chatId */
    async forgetChat(chatId) {
        const keys = takeKeys(this.settings.chats, chatId, ownerOf(this.host()));
        if (keys.length) {
            this.settings.gone.push(...keys);
            this.settings.save();
            this.opened(); // a save that came too late may have brought the file back: it can be deleted again
            await this.sync();
        }
    }

    /** @param {(place: string) => boolean} isMeant */
    async #wipeAll(isMeant) {
        for (const place of (await this.places()).filter(isMeant)) {
            await unlessUnknown(this.server.post('/wipe', { character: place, confirm: true }));
        }
    }

    /** @returns {Promise<string[]>} The names of all memories. */
    async places() {
        const names = [];
        let after = '';
        do {
            const page = await this.server.get('/characters', after ? { after } : {});
            names.push(...page.characters.map(one => one.name));
            after = page.next;
        } while (after);
        return names;
    }

    /** Do one thing after the other; what fails does not stop the next. @template T @param {() => Promise<T>} job */
    #inTurn(job) {
        const done = this.#running.then(job);
        this.#running = done.then(() => undefined, () => undefined);
        return done;
    }

    /** Keep the chat as it is now: another one may be opened before it is looked at. */
    #note() {
        const ledger = this.ledger();
        if (ledger) {
            this.#changed.set(ledger, [...this.host().chat]);
        }
    }

    async #look() {
        if (!this.settings.enabled) {
            return;
        }
        if (!this.server.isReady) {
            this.#again();
            return;
        }
        try {
            await this.#rename();
            await this.#eraseGone();
            for (const [ledger, chat] of this.#changed) {
                await this.#follow(ledger, chat);
                if (this.#changed.get(ledger) === chat) { // else more happened meanwhile: the next look follows that
                    this.#changed.delete(ledger);
                }
            }
        } catch (error) {
            if (!(error instanceof ServerError)) {
                throw error;
            }
            this.told.problem(error.message);
            this.#again();
        }
    }

    /** Look again when the server is worth asking: it may be back, or no longer busy. */
    #again() {
        if (!this.server.isReady) {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.sync().then(this.told.after), this.server.pause);
        }
    }

    async #rename() {
        while (this.settings.renames.length) {
            const [from, to] = this.settings.renames[0];
            for (const place of await this.places()) {
                if (isOf(place, from)) {
                    const name = to + place.slice(from.length);
                    await this.server.post('/characters/rename', { character: place, new_name: name });
                }
            }
            this.settings.renames.shift();
            this.settings.save();
        }
    }

    async #eraseGone() {
        while (this.settings.gone.length) {
            const [key] = this.settings.gone;
            const isMeant = place => place.endsWith(tagOf(key));
            await this.#wipeAll(isMeant);
            for (const ledger of [...this.#changed.keys()].filter(one => one.key === key)) {
                leaveOut(ledger, isMeant); // else a change that is still to be told would bring a piece back
            }
            this.settings.gone.shift();
            this.settings.save();
        }
    }

    /**
     * Do what is left to do for a chat. Of one that was closed meanwhile nothing new is told, for what was told could
     * not be noted in it; that waits until it is open again.
     */
    async #follow(ledger, chat) {
        const ctx = this.host();
        const isOpen = () => this.host().chatMetadata.vividmem === ledger;
        const messages = isOpen() ? ctx.chat : chat;
        if (isOpen() && isBegun(messages)) {
            number(ledger, messages, message => this.#places(ctx, message, ledger));
        }
        const steps = plan(ledger, messages, unfinished(ctx));
        for (const step of steps) {
            if (step.act === 'tell') {
                if (!isOpen()) {
                    continue;
                }
                begin(step);
                await ctx.saveMetadata();
            }
            await this.#take(ledger, step);
            finish(ledger, step);
            ledger.last = Date.now() / 1000;
        }
        if (steps.length && isOpen()) {
            ctx.saveMetadataDebounced();
        }
    }

    /** @returns {string[] | null} Whom a new message is told. */
    #places(ctx, message, ledger) {
        const wanted = message.is_user ? this.settings.storeUser : this.settings.storeCharacter;
        return wanted ? hearers(ctx, message, ledger, this.settings.scope) : null;
    }

    /** @param {import('./ledger.js').Ledger} ledger @param {import('./ledger.js').Step} step */
    async #take(ledger, step) {
        const source = `sillytavern:${ledger.key}:${step.id}`;
        for (const [index, place] of step.entry.in.entries()) {
            const character = current(place, this.settings.renamed);
            if (step.act === 'retract') {
                await unlessUnknown(this.server.post('/retract', { character, source }));
            } else {
                await this.#say(ledger, step, { character, source, isOwn: index === 0 });
            }
        }
    }

    async #say(ledger, step, { character, source, isOwn }) {
        const { message, text } = step;
        const body = { character, text, source, episode: ledger.key, ...whoSpoke(message, isOwn) };
        const sent = this.host().timestampToMoment(message.send_date);
        if (sent?.isValid()) {
            body.when = sent.toISOString();
        }
        try {
            if (step.act === 'tell') {
                await this.#beginSession(ledger, character, message);
                await this.server.post('/process', { ...body, max_tokens: 0 });
            } else {
                await this.server.post('/revise', body);
            }
        } catch (error) {
            if (error.status !== 422) {
                throw error;
            }
            this.told.problem(error.message); // never taken: asking again would not help
        }
    }

    /** Begin a session when the user speaks after a long silence: opening a page is none. */
    async #beginSession(ledger, character, message) {
        const now = Date.now() / 1000;
        if (message.is_user && now - ledger.last > NEW_SESSION) {
            await this.server.post('/session/bump', { character });
        }
    }
}

/** @returns {{speaker: string, entity: string}} */
function whoSpoke(message, isOwn) {
    const name = String(message.name ?? '').trim().slice(0, 200) || 'somebody';
    if (message.is_user) {
        return { speaker: 'user', entity: name };
    }
    return isOwn ? { speaker: 'assistant', entity: '' } : { speaker: name, entity: name };
}

/** @returns {any} The message that is being streamed, if any. */
function unfinished(ctx) {
    const stream = ctx.streamingProcessor;
    return stream && !stream.isFinished && !stream.isStopped ? ctx.chat[stream.messageId] : undefined;
}

/** A character that nothing is known of has nothing to lose. @param {Promise<any>} asked */
async function unlessUnknown(asked) {
    try {
        return await asked;
    } catch (error) {
        if (error.code !== 'unknown_character') {
            throw error;
        }
        return null;
    }
}
