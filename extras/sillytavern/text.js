/** What of a message is told, and what of a memory may stand in a prompt. Pure functions. */

const MOST_TEXT = 20_000; // characters the server takes

/** Asides that have an end of their own. `:((` is a sad face, `f((x))` is code. */
const ENCLOSED = [
    /(?<![:;=\w])\(\([\s\S]*?\)\)/g,
    /\[OOC\][\s\S]*?\[\/OOC\]/gi,
    /\[OOC[:\s][^\]]*\]/gi,
    /\(OOC[:\s][^)]*\)/gi,
];

/** Asides that run to the end of their line; `//host.example`, `//host:80` is an address. */
const TO_END_OF_LINE = /(^|\s)(?:\[OOC\]|OOC:|\/\/(?![\w-]+(?:\.\w|:\d|:\/\/))).*$/gim;

/** An aside that was never closed runs to the end of the message. */
const UNCLOSED = /^[ \t]*(?:\(\(|\[OOC[:\s]|\(OOC[:\s])[\s\S]*/im;

/**
 * Return what of a message is said in character: without `((asides))`, `// ...`, `[OOC] ...`, `OOC: ...`.
 * @param {string} text
 * @returns {string} "" when nothing is left
 */
export function inCharacter(text) {
    let left = text;
    for (const aside of ENCLOSED) {
        left = left.replace(aside, ' ');
    }
    left = left.replace(TO_END_OF_LINE, '$1').replace(UNCLOSED, '');
    if (left === text) {
        return text.trim().slice(0, MOST_TEXT);
    }
    return left.replace(/[ \t]{2,}/g, ' ').replace(/ +$/gm, '').trim().slice(0, MOST_TEXT);
}

/**
 * Return a short fingerprint of a text: equal texts have equal ones, others hardly ever (53 bits).
 * @param {string} text
 * @returns {string}
 */
export function fingerprint(text) {
    let high = 0xdeadbeef;
    let low = 0x41c6ce57;
    for (let place = 0; place < text.length; place++) {
        const unit = text.charCodeAt(place);
        high = Math.imul(high ^ unit, 0x9e3779b1);
        low = Math.imul(low ^ unit, 0x5f356495);
    }
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ low;
    low = Math.imul(low ^ (low >>> 13), 0xc2b2ae35) ^ high;
    return (4294967296 * (0x1fffff & high) + (low >>> 0)).toString(36);
}

/**
 * Return a block in which no remembered text is a macro: SillyTavern expands macros in what is injected.
 * @param {string} block
 * @returns {string}
 */
export function withoutMacros(block) {
    return block.replace(/\{(?=\{)/g, '{ ').replace(/\}(?=\})/g, '} ');
}

/**
 * Return the end of a conversation, as what a memory block is to match.
 * @param {{mes?: string}[]} chat
 * @param {number} count messages
 * @returns {string} in-character text only
 */
export function tail(chat, count) {
    const said = chat.slice(-count).map(message => inCharacter(String(message.mes ?? '')));
    return said.filter(Boolean).join('\n').slice(-8000);
}
