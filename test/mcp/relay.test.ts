/** `dossier mcp --url`: messages over standard input and output, to a server (docs/mcp.md). */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { relay } from '../../src/cli/mcp/relay.ts';
import { toServer } from '../../src/cli/mcp/ways.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { answersIn, call, current, filmModel, initialize, initialized, linesOf } from '../support/mcp-lines.ts';

describe('to a server', () => {
  let server: PeopledServer<'root' | 'ann'>;
  beforeAll(async () => {
    server = await openPeople(['root', 'ann'], { models: { 'film.js': filmModel } });
    await server.as('root', 'POST', '/api/film', { body: { title: 'Alien', cost: 11 } });
  });

  const relayed = async (messages: readonly unknown[], key?: string, url = server.url): Promise<string> => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.end(linesOf(messages));
    const printed = text(output);
    const terminal = { input, output, messages: new PassThrough(), onStop: () => undefined };
    await relay(terminal, toServer(url, key), new AbortController().signal);
    output.end();
    return printed;
  };

  test('speaks both revisions, in the name of the key', async () => {
    const find = call(1, 'find', { model: 'film' });
    const messages = [initialize, initialized, find, current(call(2, 'find', { model: 'film' }))];
    for (const [key, cost] of [
      [undefined, undefined],
      [server.callers.ann.apikey, undefined],
      [server.callers.root.apikey, 11],
    ] as const) {
      const answers = answersIn(await relayed(messages, key));
      expect([...answers.keys()].sort()).toEqual([0, 1, 2]);
      expect(answers.get(0).result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'dossier' } });
      for (const id of [1, 2]) {
        const [row] = answers.get(id).result.structuredContent.data;
        expect([row.title, row.cost]).toEqual(['Alien', cost]);
      }
    }
  });

  test('a name that a header cannot hold is sent, too', async () => {
    const answers = answersIn(await relayed([current(call(1, 'fïnd')), current(call(2, ' find'))]));
    expect(answers.get(1).error.message).toContain('there is no tool "fïnd"; did you mean "find"?');
    expect(answers.get(2).error.message).toContain('there is no tool " find"');
  });

  test('what fails is an error of the protocol', async () => {
    const messages = ['{"jsonrpc":', [call(1, 'find')], '7', call(2, 'count', { model: 'film' }), ''];
    const wrong = answersIn(await relayed(messages, 'dn_wrong'));
    expect(wrong.get(2).error.message).toMatch(/^error: the API key is not valid/);
    expect(wrong.get(null).error).toMatchObject({ code: -32600 });
    const nowhere = answersIn(await relayed([call(3, 'count')], undefined, 'http://127.0.0.1:1'));
    expect(nowhere.get(3).error.message).toBe('error: http://127.0.0.1:1/mcp does not answer');
  });

  test('the signal ends it, while its input is open', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const stop = new AbortController();
    const terminal = { input, output, messages: new PassThrough(), onStop: () => undefined };
    const done = relay(terminal, toServer(server.url, undefined), stop.signal);
    input.write(linesOf([call(1, 'count', { model: 'film' })]));
    const [line] = (await new Promise<Buffer>((resolve) => output.once('data', resolve))).toString().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ id: 1, result: { structuredContent: { count: 1 } } });
    stop.abort();
    await done;
  });
});
