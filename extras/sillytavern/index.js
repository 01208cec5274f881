/**
 * vividmem for SillyTavern: memories that follow the chat and come to mind in the prompt.
 *
 * SillyTavern is used only through `SillyTavern.getContext()` and the manifest's `generate_interceptor`.
 */
import { confirmed } from './dom.js';
import { Keeper } from './keeper.js';
import { Panel } from './panel.js';
import { Prompt } from './prompt.js';
import { Server } from './server.js';
import { settingsOf } from './settings.js';

const host = () => globalThis.SillyTavern.getContext();
const FOLDER = new URL('.', import.meta.url).pathname.replace(/^\/scripts\/extensions\//, '').replace(/\/$/, '');

const settings = settingsOf(host);
const server = new Server(() => settings, (state, message) => panel.state(state, message));
const keeper = new Keeper(host, server, settings, {
    after: () => panel.preview(),
    problem: message => panel.say(message),
});
const prompt = new Prompt(host, keeper, server, settings, () => panel.figures());
const panel = new Panel(host, { server, settings, keeper, prompt });

globalThis.vividmemInterceptor = (...args) => prompt.intercept(...args);

/** Begin the chat's ledger before anything is said in it, and show who is there. */
function chatOpened() {
    prompt.release();
    keeper.opened();
    panel.people();
    keeper.soon();
}

/** Ask whether a deleted character's memory goes, too; SillyTavern does not wait for the answer. */
async function characterDeleted({ character }) {
    const known = await keeper.knows(character.avatar);
    const question = `${character.name} was deleted. Erase what ${character.name} remembers, too?`;
    if (known && await confirmed(host(), question, 'Erase')) {
        await keeper.forgetCharacter(character.avatar);
    }
}

/** Let *listener* hear of an event without holding SillyTavern up; failures are shown. */
function on(type, listener) {
    host().eventSource.on(type, (...args) => {
        Promise.resolve(listener(...args)).catch(error => panel.say(error.message));
    });
}

function listen() {
    const types = host().eventTypes;
    for (const type of [
        types.MESSAGE_SENT, types.MESSAGE_RECEIVED, types.MESSAGE_SWIPED, types.MESSAGE_SWIPE_DELETED,
        types.MESSAGE_EDITED, types.MESSAGE_UPDATED, types.MESSAGE_DELETED,
    ]) {
        on(type, () => keeper.soon());
    }
    for (const type of [types.GENERATION_ENDED, types.GENERATION_STOPPED]) {
        on(type, () => {
            prompt.release();
            keeper.soon();
        });
    }
    on(types.CHAT_CHANGED, chatOpened);
    on(types.GROUP_UPDATED, () => panel.people());
    on(types.CHARACTER_DELETED, characterDeleted);
    on(types.CHAT_RENAMED, renamed => keeper.chatRenamed(renamed));
    on(types.CHAT_DELETED, chatId => keeper.forgetChat(chatId));
    on(types.GROUP_CHAT_DELETED, chatId => keeper.forgetChat(chatId));
    // SillyTavern waits for this one: the chat is opened again under the new name afterwards.
    host().eventSource.on(types.CHARACTER_RENAMED, (oldAvatar, newAvatar) => keeper.renamed(oldAvatar, newAvatar));
}

prompt.registerMacros();
listen();
await panel.open(FOLDER);
chatOpened();
await server.check();
