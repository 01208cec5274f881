// The pure modules of the SillyTavern extension, by node's own test runner; started by test_sillytavern.py.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { moveKeys, noteKey, takeKeys } from './chats.js';
import { Keeper } from './keeper.js';
import { finish, isBegun, leaveOut, ledgerOf, number, plan, readAll } from './ledger.js';
import { current, hearers, nameOf, present } from './people.js';
import { ServerError } from './server.js';
import { fingerprint, inCharacter, tail, withoutMacros } from './text.js';

const asides = [
    ['((brb))', ''], ['// phone', ''], ['[OOC] hi', ''], ['[ooc: hi] I sit', 'I sit'], ['ooc: x\nI stand', 'I stand'],
    ['OOC: x', ''], ['(OOC: x) yes', 'yes'], ['((never closed', ''], ['I sit. OOC: brb', 'I sit.'],
    ['I nod. ((a (b) c)) Then I sit.', 'I nod. Then I sit.'], ['I see // phone rang', 'I see'],
    ['[OOC]one[/OOC] two', 'two'], ['// see https://example.com', ''], ['one\n// two\nthree', 'one\n\nthree'],
];
const said = [
    'I read https://example.org/page today', '//cdn.example.com/x.js is down', '//localhost:80/x', '//https://a.b',
    'the zooc: no', 'I am sad :((', 'f((x))', 'and/or', 'C:// is odd', '[OOCyte] in the lab', '',
];

for (const [text, left] of asides) {
    test(`aside: ${JSON.stringify(text)}`, () => assert.equal(inCharacter(text), left));
}
for (const text of said) {
    test(`said: ${JSON.stringify(text)}`, () => assert.equal(inCharacter(text), text));
}

test('no macro is left in a block, and nothing else changes', () => {
    assert.doesNotMatch(withoutMacros('a {{{user}}} b {{setvar::x::{{y}}}} {one}'), /\{\{|\}\}/);
    assert.equal(withoutMacros('{one} plain'), '{one} plain');
});

test('different texts have different fingerprints', () => {
    const texts = Array.from({ length: 20_000 }, (_, n) => `I moved to house ${n}`);
    assert.equal(new Set(texts.map(fingerprint)).size, texts.length);
    assert.equal(fingerprint('a'), fingerprint('a'));
});

test('the tail of a chat is its last words in character', () => {
    assert.equal(tail([{ mes: 'one' }, { mes: 'two' }, { mes: '((x))' }, { mes: 'three' }], 3), 'two\nthree');
});

const user = (mes, more) => ({ mes, is_user: true, name: 'Alex', ...more });
const character = (mes, more) => ({ mes, is_user: false, name: 'Ada', ...more });
const everybody = () => ['Ada'];
const keys = () => 'key1';

/** What the ledger asks for, as "act text"; done afterwards. */
function looked(ledger, chat, unfinished) {
    if (isBegun(chat)) {
        number(ledger, chat, everybody);
    }
    return plan(ledger, chat, unfinished).map(step => {
        finish(ledger, step);
        return `${step.act} ${step.gone ? step.id : step.text ?? ''}`;
    });
}

test('every change of a chat leads to the least that must be told', () => {
    const chat = [character('Welcome.')];
    const ledger = ledgerOf({}, 'c', chat, keys);
    assert.deepEqual(looked(ledger, chat), []);
    chat.push(user('I keep bees'), character('I saw'));
    assert.deepEqual(looked(ledger, chat, chat[2]), ['tell I keep bees']);
    chat[2].mes = 'I saw a fox';
    assert.deepEqual(looked(ledger, chat), ['tell I saw a fox']);
    assert.deepEqual(looked(ledger, chat), []);
    Object.assign(chat[2], { swipes: ['I saw a fox'], swipe_id: 1 });
    assert.deepEqual(looked(ledger, chat), ['retract ']);
    Object.assign(chat[2], { swipes: ['I saw a fox', 'I saw a hare'], mes: 'I saw a hare' });
    assert.deepEqual(looked(ledger, chat), ['tell I saw a hare']);
    chat[1].mes = '((brb))';
    assert.deepEqual(looked(ledger, chat), ['retract ']);
    chat[1].mes = 'I keep goats';
    chat[2].is_system = true; // hidden: it happened all the same
    assert.deepEqual(looked(ledger, chat), ['tell I keep goats']);
    chat.push(structuredClone(chat[1]));
    chat[3].mes = 'I keep geese';
    assert.deepEqual(looked(ledger, chat), ['tell I keep geese']);
    chat.splice(2, 1);
    assert.deepEqual(looked(ledger, chat), ['retract 3']);
    assert.deepEqual(looked(ledger, chat), []);
});

test('a message that was told perhaps is revised, so that it is never told twice', () => {
    const chat = [user('I keep bees')];
    const ledger = ledgerOf({}, 'c', [], keys);
    number(ledger, chat, everybody);
    ledger.told[1].h = '?';
    assert.deepEqual(looked(ledger, chat), ['revise I keep bees']);
});

test('an older chat is left out until it is read', () => {
    const chat = [character('Welcome.'), user('I keep bees'), character('How nice')];
    const ledger = ledgerOf({}, 'c', chat, keys);
    assert.deepEqual(looked(ledger, chat), []);
    chat.push(user('I moved to Ghent'));
    assert.deepEqual(looked(ledger, chat), ['tell I moved to Ghent']);
    assert.equal(readAll(ledger, chat, everybody), 3);
    assert.deepEqual(looked(ledger, chat), ['tell Welcome.', 'tell I keep bees', 'tell How nice']);
});

test('a renamed chat goes on, a branch is told under its own key', () => {
    const chat = [];
    const metadata = {};
    const ledger = ledgerOf(metadata, 'c', chat, keys);
    chat.push(user('I keep bees'));
    looked(ledger, chat);
    assert.deepEqual(looked(ledgerOf(metadata, 'renamed', chat, () => 'key2'), chat), []);
    assert.equal(metadata.vividmem.key, 'key1');
    const branch = { ...structuredClone(metadata), main_chat: 'renamed' };
    assert.deepEqual(looked(ledgerOf(branch, 'branch', chat, () => 'key2'), chat), ['tell I keep bees']);
    assert.equal(branch.vividmem.key, 'key2');
    assert.equal(metadata.vividmem.key, 'key1');
});

test('what was wiped is not told again', () => {
    const chat = [];
    const ledger = ledgerOf({}, 'c', chat, keys);
    chat.push(user('I keep bees'));
    looked(ledger, chat);
    leaveOut(ledger, place => place === 'Ada');
    chat[0].mes = 'I keep goats';
    assert.deepEqual(looked(ledger, chat), []);
});

test('in a group the speaker comes first, the muted hear nothing', () => {
    const ctx = {
        groupId: 'g', characters: [{ name: 'Ada', avatar: 'Ada.png' }, { name: 'Bo', avatar: 'Bo1.png' }],
        groups: [{ id: 'g', members: ['Ada.png', 'Bo1.png', 'Cy.png'], disabled_members: ['Cy.png'] }],
    };
    const ledger = { key: 'k' };
    assert.deepEqual(present(ctx), ['Ada.png', 'Bo1.png']);
    assert.deepEqual(hearers(ctx, user('x'), ledger, 'all'), ['Ada', 'Bo1']);
    assert.deepEqual(hearers(ctx, { name: 'Bo' }, ledger, 'chat'), ['Bo1 / k', 'Ada / k']);
    assert.deepEqual(hearers({ characters: ctx.characters, characterId: 0 }, { name: 'Ada' }, ledger, 'all'), ['Ada']);
});

test('names follow renames and never run in circles', () => {
    assert.equal(nameOf('Dr. No.v2.png'), 'Dr. No.v2');
    assert.equal(current('Ada / k', { Ada: 'Ava', Ava: 'Eva' }), 'Eva / k');
    assert.match(current('Ada', { Ada: 'Ava', Ava: 'Ada' }), /^A[dv]a$/);
});

/** A keeper of an open chat in which the user has just said something, with a server that answers by `reply`. */
function kept(reply) {
    const ids = ['a-key-of-it', 'b-key-of-it'];
    const ctx = {
        chat: [{ is_user: true, name: 'User', mes: 'I keep bees' }], chatId: 'one', chatMetadata: {},
        characters: [{ avatar: 'Ada.png', name: 'Ada' }], characterId: 0, groups: [], uuidv4: () => ids.shift(),
        saveMetadata: async () => undefined, saveMetadataDebounced: () => undefined, timestampToMoment: () => null,
    };
    const settings = {
        enabled: true, storeUser: true, scope: 'all', chats: [], renames: [], renamed: {}, gone: [], save: () => undefined,
    };
    const server = {
        pause: 0, get isReady() { return this.pause === 0; }, get: (...asked) => reply(server, ...asked),
        post: (...told) => reply(server, ...told),
    };
    const keeper = new Keeper(() => ctx, server, settings, { after: () => undefined, problem: () => undefined });
    keeper.opened();
    ctx.chat.push({ is_user: true, name: 'User', mes: 'I moved to Ghent' });
    return { ctx, keeper, settings };
}

test('what a server that was off for a moment was not told, it is told unasked', async () => {
    const told = await new Promise(resolve => {
        let hasFailed = false;
        const { keeper } = kept(async (server, route, body) => {
            if (route === '/process' && !hasFailed) {
                hasFailed = true;
                server.pause = 5;
                setTimeout(() => { server.pause = 0; }, 50); // longer off than it was thought to be
                throw new ServerError(0, 'unreachable', 'the server is off');
            }
            return hasFailed && route !== '/session/bump' ? resolve({ route, text: body.text }) : {};
        });
        keeper.soon();
    });
    assert.deepEqual(told, { route: '/revise', text: 'I moved to Ghent' }); // it may have been heard
});

test('what is deleted while something else is being told is taken back, too', async () => {
    const told = [];
    const { ctx, keeper } = kept(async (_, route, body) => {
        told.push([route, body.source]);
        if (route === '/process') {
            ctx.chat.pop();
            void keeper.sync();
        }
        return {};
    });
    await keeper.sync();
    await keeper.wipe('nobody'); // it waits for its turn
    const source = 'sillytavern:a-key-of:2';
    assert.deepEqual(told.slice(1, 3), [['/process', source], ['/retract', source]]);
});

/** A keeper whose chat has a memory of its own on a server that keeps the names of memories, wiped ones apart. */
function ownMemories() {
    const names = new Set();
    const wiped = [];
    const all = kept(async (_, route, body) => {
        if (route === '/characters') {
            return { characters: [...names].map(name => ({ name })), next: '' };
        } else if (route === '/wipe') {
            names.delete(body.character);
            wiped.push(body.character);
        } else {
            names.add(body.character);
        }
        return {};
    });
    all.settings.scope = 'chat';
    return { ...all, names, wiped };
}

test('with a deleted chat goes what it was told before a late save brought its file back empty', async () => {
    const { ctx, keeper, settings, names, wiped } = ownMemories();
    await keeper.sync();
    assert.deepEqual([...names], ['Ada / a-key-of']);
    ctx.chatMetadata = {};
    ctx.chat.splice(0);
    keeper.opened();
    await keeper.forgetChat('one');
    assert.deepEqual(wiped, ['Ada / a-key-of']);
    assert.deepEqual(settings.gone, []);
    ctx.chat.push({ is_user: true, name: 'User', mes: 'I sold my canoe' }); // the file is there, and is used
    await keeper.sync();
    assert.deepEqual([...names], ['Ada / b-key-of']);
    await keeper.forgetChat('one');
    assert.deepEqual([...names], []);
});

test('what a deleted chat had still to tell does not bring its memory back', async () => {
    const { ctx, keeper, names } = ownMemories();
    await keeper.sync();
    ctx.chat.at(-1).mes = 'I moved to Bruges';
    keeper.soon();
    Object.assign(ctx, { chatId: 'two', chatMetadata: {}, chat: [] });
    keeper.opened();
    await keeper.forgetChat('one');
    assert.deepEqual([...names], []);
});

test('keys follow a renamed file or character, and a deleted file takes no other one with it', () => {
    const chats = [];
    const ada = { chat: 'one', owner: 'Ada' };
    const bo = { chat: 'one', owner: 'Bo' };
    assert.equal(noteKey(chats, { key: 'k1', ...ada }), true);
    assert.equal(noteKey(chats, { key: 'k2', ...ada }), true);
    assert.equal(noteKey(chats, { key: 'k3', ...bo }), true);
    assert.equal(noteKey(chats, { key: 'k2', ...ada }), false);
    assert.deepEqual(takeKeys(chats, 'one', 'Cy'), []);
    assert.deepEqual(takeKeys(chats, 'one', 'Bo'), ['k3']);
    assert.equal(noteKey(chats, { key: 'k2', chat: 'one', owner: 'Ava' }), true); // Ada is called Ava now
    assert.equal(moveKeys(chats, { chat: 'one', owner: 'Ava' }, { chat: 'two', owner: 'Ava' }), true);
    assert.equal(moveKeys(chats, ada, { chat: 'two', owner: 'Ada' }), false);
    noteKey(chats, { key: 'k4', ...ada });
    assert.deepEqual(takeKeys(chats, 'one', ''), ['k4']);
    assert.deepEqual(takeKeys(chats, 'two', ''), ['k1', 'k2']);
    assert.deepEqual(chats, []);
});

test('a chat that is renamed while another is open keeps its memory when one of its old name is deleted', async () => {
    const { ctx, keeper, names } = ownMemories();
    await keeper.sync();
    Object.assign(ctx, { chatId: 'two', chatMetadata: {}, chat: [] });
    keeper.opened();
    keeper.chatRenamed({ avatarId: 'Ada.png', groupId: null, oldFileName: 'one.jsonl', newFileName: 'old.jsonl' });
    await keeper.forgetChat('one');
    assert.deepEqual([...names], ['Ada / a-key-of']);
    await keeper.forgetChat('old');
    assert.deepEqual([...names], []);
});
