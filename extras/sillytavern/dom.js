/** Elements made by hand: every text is a text node, so nothing remembered is ever read as HTML. */

/**
 * Return a new element. Of *options*, names that begin with "on" are listeners, the others properties.
 * @param {string} tag
 * @param {Object<string, any>} [options]
 * @param {...(Node | string)} inside
 * @returns {any}
 */
export function make(tag, options = {}, ...inside) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
        if (name.startsWith('on')) {
            element.addEventListener(name.slice(2), value);
        } else if (name.includes('-')) {
            element.setAttribute(name, value);
        } else {
            element[name] = value;
        }
    }
    element.append(...inside);
    return element;
}

/**
 * Return a button in SillyTavern's looks, reachable by keyboard.
 * @param {string} label
 * @param {() => unknown} onclick
 */
export function button(label, onclick, options = {}) {
    return make('button', { type: 'button', className: 'menu_button', ...options, onclick }, label);
}

/**
 * Ask the user and return the answer; text only.
 * @param {any} ctx
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export async function confirmed(ctx, question, yes) {
    const asked = make('p', { className: 'vividmem_ask' }, question);
    const answer = await ctx.callGenericPopup(asked, ctx.POPUP_TYPE.CONFIRM, '', { okButton: yes });
    return answer === ctx.POPUP_RESULT.AFFIRMATIVE;
}

/** Offer a text as a file. @param {string} name @param {string} content */
export function download(name, content) {
    const href = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
    make('a', { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** Let the user choose a file and return its text. @returns {Promise<string>} */
export function chosenFile() {
    return new Promise(resolve => {
        const input = make('input', { type: 'file', accept: '.json,application/json' });
        input.addEventListener('change', async () => resolve(await input.files[0].text()));
        input.click();
    });
}
