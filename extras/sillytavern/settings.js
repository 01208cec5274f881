/** What the user has chosen, kept in SillyTavern's own settings. */

const NAME = 'vividmem';

/** Where the block goes; the numbers are SillyTavern's positions of extension prompts. */
export const POSITIONS = { off: -1, after: 0, chat: 1, before: 2 };

const DEFAULTS = {
    enabled: true,
    address: 'http://127.0.0.1:5050',
    token: '',
    storeUser: true,
    storeCharacter: true,
    scope: 'all', // or 'chat': whether all chats of a character share one memory
    position: 'chat',
    depth: 4, // messages from the end, with position 'chat'
    budget: 800, // tokens
    window: 4, // messages the block is to match
    badge: true,
    renames: [], // the server has still to be told: [old, new]
    renamed: {}, // old names of characters, for what was told under them
    chats: [], // keys of chats and their files, to find what a deleted one leaves
    gone: [], // keys of deleted chats whose memories the server has still to erase
};

/** @typedef {typeof DEFAULTS & {save: () => void}} Settings */

/**
 * Return the settings; what is missing or of another type is as by default.
 * @param {() => any} host SillyTavern.getContext
 * @returns {Settings}
 */
export function settingsOf(host) {
    const kept = (host().extensionSettings[NAME] ??= {});
    for (const [name, value] of Object.entries(DEFAULTS)) {
        if (typeof kept[name] !== typeof value || Array.isArray(kept[name]) !== Array.isArray(value)) {
            kept[name] = structuredClone(value);
        }
    }
    const save = () => host().saveSettingsDebounced();
    return Object.defineProperty(kept, 'save', { value: save, enumerable: false, configurable: true });
}
