/**
 * Which keys the chats of each file have had, so that a deleted file's own memories are found. Pure functions.
 *
 * A file may have several: one that was emptied, as by a save that comes after its deletion, is begun anew under a new
 * key, and what was told under the former one has still to go with it. Two characters may have files of the same name.
 */

/**
 * @typedef {object} Kept
 * @property {string} key Of a ledger.
 * @property {string} chat The file it was last seen in.
 * @property {string} owner The group, or the character's name on the server.
 */

/**
 * Note where a key is now. If it was elsewhere, the file was renamed, and its former keys went with it.
 * @param {Kept[]} chats Changed.
 * @param {Kept} now
 * @returns {boolean} Whether that is new.
 */
export function noteKey(chats, now) {
    const before = chats.find(one => one.key === now.key);
    if (!before) {
        chats.push(now);
        return true;
    }
    return moveKeys(chats, { ...before }, now);
}

/**
 * Let all keys of a file follow it.
 * @param {Kept[]} chats Changed.
 * @param {{chat: string, owner: string}} from
 * @param {{chat: string, owner: string}} to
 * @returns {boolean} Whether there was anything to move.
 */
export function moveKeys(chats, from, to) {
    const isThere = one => one.chat === from.chat && one.owner === from.owner;
    const moved = from.chat === to.chat && from.owner === to.owner ? [] : chats.filter(isThere);
    moved.forEach(one => Object.assign(one, { chat: to.chat, owner: to.owner }));
    return moved.length > 0;
}

/**
 * Take out the keys of a deleted file. SillyTavern does not say whose it was: of several the open one's is meant.
 * @param {Kept[]} chats Changed.
 * @param {string} chat
 * @param {string} open Whose chat is open.
 * @returns {string[]}
 */
export function takeKeys(chats, chat, open) {
    const named = chats.filter(one => one.chat === chat);
    const isOne = new Set(named.map(one => one.owner)).size === 1;
    const meant = named.filter(one => isOne || one.owner === open);
    meant.forEach(one => chats.splice(chats.indexOf(one), 1));
    return meant.map(one => one.key);
}
