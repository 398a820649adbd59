/** `dossier mcp` in the folder of a project (docs/mcp.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { answersIn, call, current, filmModel, initialize, initialized, linesOf } from '../support/mcp-lines.ts';

describe('without an address', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  test('it is the project of the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dossier-mcp-'));
    folders.push(folder);
    await mkdir(join(folder, 'models'));
    await writeFile(join(folder, 'models', 'film.js'), filmModel);
    const messages = [initialize, initialized, call(1, 'list_models'), current(call(2, 'count', { model: 'film' }))];
    const { code, output } = await runHere(folder, ['mcp'], { input: linesOf(messages) });
    const answers = answersIn(output);
    expect(code).toBe(0);
    expect(answers.get(1).result.structuredContent.data.map(({ name }: { name: string }) => name)).toEqual(['film']);
    expect(answers.get(2).result.structuredContent).toEqual({ count: 0 });
    const wrong = await runHere(folder, ['mcp'], {
      input: linesOf(messages),
      environment: { DOSSIER_KEY: 'dn_wrong' },
    });
    expect(answersIn(wrong.output).get(1).error.message).toMatch(/the API key is not valid/);
    const off = await runHere(folder, ['mcp'], { input: linesOf(messages), environment: { MCP: 'off' } });
    expect(answersIn(off.output).get(1).error.message).toContain('"/mcp" is not a path');
  });
});
