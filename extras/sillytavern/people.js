/** Whose memory is meant: from SillyTavern's characters, groups and chats to names on the server. */

const MOST_NAME = 200; // characters the server takes

/**
 * Return the name a character has on the server: that of its card's file, which no other character has.
 * @param {string} avatar
 */
export function nameOf(avatar) {
    return avatar.replace(/\.[a-z]+$/i, '').slice(0, MOST_NAME - 20) || avatar;
}

/**
 * Return the avatars of those who are there: the character, or the group's members who are not muted.
 * @param {any} ctx
 * @returns {string[]}
 */
export function present(ctx) {
    const group = ctx.groupId && ctx.groups.find(one => one.id === ctx.groupId);
    if (group) {
        const muted = new Set(group.disabled_members ?? []);
        return group.members.filter(avatar => !muted.has(avatar));
    }
    const character = ctx.groupId ? undefined : ctx.characters[ctx.characterId];
    return character ? [character.avatar] : [];
}

/** @param {any} ctx @returns {string} Whose the open chat is: the group, or the character's name on the server. */
export function ownerOf(ctx) {
    const character = ctx.characters[ctx.characterId];
    return ctx.groupId || (character ? nameOf(character.avatar) : '');
}

/**
 * Return the memory of a character in this chat.
 * @param {string} avatar
 * @param {import('./ledger.js').Ledger} ledger
 * @param {'all' | 'chat'} scope Whether all chats of the character share one memory.
 */
export function placeOf(avatar, ledger, scope) {
    return scope === 'chat' ? `${nameOf(avatar)}${tagOf(ledger.key)}` : nameOf(avatar);
}

/** @param {string} key Of a chat. @returns {string} How the memories end that are this chat's alone. */
export function tagOf(key) {
    return ` / ${key}`;
}

/** @param {string} place @param {string} name @returns {boolean} Whether it is this character's, of one chat or of all. */
export function isOf(place, name) {
    return place === name || place.startsWith(`${name} / `);
}

/**
 * Return who spoke: an avatar, or null for the user.
 * @param {any} ctx
 * @param {any} message
 */
export function speakerOf(ctx, message) {
    if (message.is_user) {
        return null;
    }
    if (!ctx.groupId) {
        return present(ctx)[0] ?? null;
    }
    return message.original_avatar ?? ctx.characters.find(one => one.name === message.name)?.avatar ?? null;
}

/**
 * Return whom a message is told: all who are there, the speaker first.
 * @param {any} ctx
 * @param {any} message
 * @param {import('./ledger.js').Ledger} ledger
 * @param {'all' | 'chat'} scope
 */
export function hearers(ctx, message, ledger, scope) {
    const speaker = speakerOf(ctx, message);
    const avatars = new Set(speaker ? [speaker, ...present(ctx)] : present(ctx));
    return [...avatars].map(avatar => placeOf(avatar, ledger, scope));
}

/**
 * Return a memory's name now: its character may have been renamed since.
 * @param {string} place
 * @param {Object<string, string>} renamed Old names to new ones.
 */
export function current(place, renamed) {
    const [name, ...rest] = place.split(/(?= \/ [^/]*$)/);
    const seen = new Set();
    let now = name;
    while (renamed[now] && !seen.has(now)) {
        seen.add(now);
        now = renamed[now];
    }
    return now + rest.join('');
}
