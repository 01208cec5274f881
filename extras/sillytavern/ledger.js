/**
 * What of a chat was told to the server, kept in the chat's own metadata, and what is still to be told.
 *
 * Nothing here follows single events: whatever happened to the chat, the difference between what it says now and
 * what was told is what is left to do. So a missed event, a closed page or a server that was off is made up for later.
 */
import { fingerprint, inCharacter } from './text.js';

/** The property of a message that holds its number; beside `extra`, which swipes replace. */
const NUMBER = 'vividmem';
const UNSURE = '?'; // told perhaps: the page may have been closed in between

/**
 * @typedef {object} Entry One message that is followed.
 * @property {string} h Fingerprint of what was told; "" nothing, "?" something, perhaps.
 * @property {string[]} in The memories that were told, the speaker's own first.
 */

/**
 * @typedef {object} Ledger
 * @property {string} key Names the chat in sources and in memories of its own.
 * @property {string} chat The chat file it was written for.
 * @property {number} next The next message's number.
 * @property {number} last When something was last told, in seconds.
 * @property {Object<string, Entry | null>} told By message number; null: not to be told.
 */

/**
 * @typedef {object} Step
 * @property {'tell' | 'revise' | 'retract'} act
 * @property {string} id Number of the message.
 * @property {Entry} entry
 * @property {any} [message] Unless it is gone.
 * @property {string} [text] What it says now, in character.
 * @property {string} mark The fingerprint once it is done.
 * @property {boolean} gone Whether the entry goes, too.
 */

/**
 * Return the ledger of a chat, begun if there is none; what was said before is left out, not told.
 * @param {any} metadata The chat's metadata; changed.
 * @param {string} chatId
 * @param {any[]} chat Changed: messages get numbers.
 * @param {() => string} newKey
 * @returns {Ledger}
 */
export function ledgerOf(metadata, chatId, chat, newKey) {
    const found = metadata[NUMBER];
    if (!found) {
        metadata[NUMBER] = { key: newKey(), chat: chatId, next: 1, last: 0, told: {} };
        if (isBegun(chat)) {
            number(metadata[NUMBER], chat, () => null);
        }
    } else if (found.chat !== chatId) {
        moved(metadata, chatId, newKey);
    }
    return metadata[NUMBER];
}

/** A renamed chat keeps its ledger; a branch is another chat, told under sources of its own. */
function moved(metadata, chatId, newKey) {
    const found = metadata[NUMBER];
    if (metadata.main_chat !== found.chat) {
        found.chat = chatId;
        return;
    }
    const known = Object.entries(found.told).filter(([, entry]) => entry === null);
    metadata[NUMBER] = { ...found, key: newKey(), chat: chatId, told: Object.fromEntries(known) };
}

/** @param {any[]} chat @returns {boolean} Whether the user has said anything yet. */
export function isBegun(chat) {
    return chat.some(message => message.is_user && !message.is_system);
}

/**
 * Give a number and an entry to each message that has none. What comes before the user's first word is a greeting,
 * the card's and the same in every chat: it is left out.
 * @param {Ledger} ledger Changed.
 * @param {any[]} chat Changed.
 * @param {(message: any) => string[] | null} places Whom a message is told; null: nobody.
 */
export function number(ledger, chat, places) {
    const seen = new Set();
    let isGreeting = true;
    for (const message of chat) {
        isGreeting &&= !message.is_user;
        const known = message[NUMBER] in ledger.told && !seen.has(message[NUMBER]);
        if (!known && isSaid(message)) {
            message[NUMBER] = ledger.next++;
            const told = isGreeting ? null : places(message);
            ledger.told[message[NUMBER]] = told && { h: '', in: told };
        }
        seen.add(message[NUMBER]);
    }
}

/** @param {any} message @returns {boolean} Whether somebody said it: no note, narrator or hint of the program. */
function isSaid(message) {
    return !message.is_system && !message.extra?.type;
}

/**
 * Return what is left to do, deletions first. Hidden messages stay remembered: they happened.
 * @param {Ledger} ledger
 * @param {any[]} chat All of it numbered.
 * @param {any} [unfinished] A message that is still being written.
 * @returns {Step[]}
 */
export function plan(ledger, chat, unfinished) {
    const present = new Map(chat.map(message => [String(message[NUMBER]), message]));
    const steps = [];
    for (const [id, entry] of Object.entries(ledger.told)) {
        if (!present.has(id)) {
            steps.push({ act: 'retract', id, entry: entry ?? { h: '', in: [] }, mark: '', gone: true });
        }
    }
    for (const [id, message] of present) {
        const step = message === unfinished ? null : stepOf(id, ledger.told[id], message);
        if (step) {
            steps.push(step);
        }
    }
    return steps;
}

/** @returns {Step | null} */
function stepOf(id, entry, message) {
    if (!entry) {
        return null;
    }
    const text = isAwaited(message) ? '' : inCharacter(String(message.mes ?? ''));
    const mark = text ? fingerprint(text) : '';
    if (mark === entry.h) {
        return null;
    }
    const act = !text ? 'retract' : entry.h ? 'revise' : 'tell';
    return { act, id, entry, message, text, mark, gone: false };
}

/** @returns {boolean} Whether the next swipe is being written: the text still there was swiped away. */
function isAwaited(message) {
    return Array.isArray(message.swipes) && message.swipe_id >= message.swipes.length;
}

/** @param {Step} step Begun: until it is done, nobody knows. */
export function begin(step) {
    if (step.act === 'tell') {
        step.entry.h = UNSURE;
    }
}

/** @param {Ledger} ledger @param {Step} step Done. */
export function finish(ledger, step) {
    step.entry.h = step.mark;
    if (step.gone) {
        delete ledger.told[step.id];
    }
}

/**
 * Let a chat that was left out be told from its first message on.
 * @param {Ledger} ledger Changed.
 * @param {any[]} chat
 * @param {(message: any) => string[] | null} places
 * @returns {number} How many messages that are.
 */
export function readAll(ledger, chat, places) {
    let count = 0;
    for (const message of chat) {
        const id = message[NUMBER];
        if (ledger.told[id] === null && isSaid(message)) {
            const told = places(message);
            ledger.told[id] = told && { h: '', in: told };
            count += told ? 1 : 0;
        }
    }
    return count;
}

/**
 * Forget that a memory was told anything: it was wiped, and nothing of it shall come back.
 * @param {Ledger} ledger Changed.
 * @param {(place: string) => boolean} isMeant
 */
export function leaveOut(ledger, isMeant) {
    for (const [id, entry] of Object.entries(ledger.told)) {
        const others = entry?.in.filter(place => !isMeant(place)) ?? [];
        ledger.told[id] = others.length ? { h: entry.h, in: others } : null;
    }
}
