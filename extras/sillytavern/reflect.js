/** Consolidation and dreams: prompts of the server, answered by its model or by the one SillyTavern talks to. */

/**
 * Do a job of reflection and return what came of it, in words.
 * @param {any} ctx
 * @param {import('./server.js').Server} server
 * @param {'consolidate' | 'dream'} job
 * @param {string} character
 * @returns {Promise<string>}
 */
export async function reflect(ctx, server, job, character) {
    if (server.hasModel) {
        const { reports } = await server.post(`/${job}/run`, { character }, true);
        return reports.length ? told(reports[0]) : 'There is nothing to think over yet.';
    }
    const { prompt } = await server.post(`/${job}`, { character });
    if (prompt === null) {
        return 'There is nothing to think over yet.';
    }
    const reply = await ctx.generateRaw({ prompt, trimNames: false });
    return told(await server.post(`/${job}/apply`, { character, reply: String(reply) }));
}

function told(report) {
    const count = report.changed.length;
    const problems = report.problems.length ? ` Not used: ${report.problems.join('; ')}` : '';
    return `${count} ${count === 1 ? 'memory' : 'memories'} changed.${problems}`;
}
