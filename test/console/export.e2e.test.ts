/** Exporting from a table: each document once, whatever its size; a stop, an error in the middle, and a file of one's choice. */
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { useBrowser, violationsOf, type Window } from './window.ts';

/** From 10,000 on a file can be chosen. `CONSOLE_DOCUMENTS=100000` makes the run longer. */
const documents = Number(process.env['CONSOLE_DOCUMENTS'] ?? 10_100);
const batch = 5000;
/** Bytes of an export after which the proxy sends no more, until the test ends the connection. */
const maxSent = 300_000;

const cell = (n: number): string => (n === 0 ? '=1+1' : `Item ${n}, "x"\r\n${'y'.repeat(40)}`);

inBrowser('exporting from the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let window: Window;
  let page: Page;
  /** Ends the connection of the export that is held. */
  let cut = (): void => undefined;
  /** Passes everything on, and holds an export in its middle: what a browser has not read is lost with the connection. */
  const proxy = createServer((incoming, answer) => {
    const { method, headers, url = '' } = incoming;
    const outgoing = request(server.url + url, { method, headers }, (source) => {
      answer.writeHead(source.statusCode ?? 502, source.headers);
      let sent = 0;
      source.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        if (!url.startsWith('/csv/') || sent <= maxSent) return answer.write(chunk);
        source.pause();
        cut = () => answer.destroy();
        return true;
      });
      source.on('end', () => answer.end());
      source.on('error', () => answer.destroy());
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });

  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 5,
      models: {
        item: ({ Schema }) =>
          new Schema(
            { name: String, n: { type: Number, index: true }, note: String },
            { perms: { admin: 'crud' }, list: ['name', 'n'], query_limits: { max: 200 } },
          ),
      },
    });
    const items = server.dossier.services.connection.collection('items');
    for (let from = 0; from < documents; from += batch)
      await items.insertMany(
        Array.from({ length: Math.min(batch, documents - from) }, (_, at) => ({
          name: cell(from + at),
          n: from + at,
          note: 'kept',
          _deleted: false,
        })),
      );
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    window = await open(server.url);
    ({ page } = window);
    await signIn(page, server.url, 'root', '#/documents/item?sort=-n');
  }, 300_000);
  afterAll(() => {
    proxy.closeAllConnections();
    return new Promise((done) => proxy.close(done));
  });

  const dialog = (of = page) => of.getByRole('dialog', { name: 'Export Items' });
  const ask = async (...choices: readonly string[]): Promise<void> => {
    await page.getByRole('button', { name: 'Export', exact: true }).first().click();
    for (const name of choices) await dialog().getByRole('radio', { name }).check();
  };
  const close = (): Promise<void> => dialog().getByRole('button', { name: 'Close' }).last().click();
  const total = `${documents.toLocaleString('en')} documents`;
  const downloaded = async (): Promise<string> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog().getByRole('button', { name: 'Download' }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  };
  const linesOf = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  const descending = Array.from({ length: documents }, (_, at) => documents - 1 - at);

  test('CSV of the columns: each document once, in the order of the table, and formulas are harmless', async () => {
    await ask();
    await dialog().getByText(`${total}.`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const text = await downloaded();
    await dialog().getByText(`${total} in item.csv.`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const numbers = [...text.matchAll(/",(\d+)\r\n(?=\w{24},|$)/g)].map(([, n]) => Number(n));
    expect(text.startsWith('_id,name,n\r\n')).toBe(true);
    expect(text).toMatch(/,'=1\+1,0\r\n$/);
    expect([...numbers, 0]).toEqual(descending);
    await close();
  });

  test('JSON of all fields: by pages that the limits of the server allow', async () => {
    await ask('JSON', 'All fields');
    const rows = linesOf(await downloaded()) as { n: number; name: string; note: string }[];
    await dialog().getByText(`${total} in item.ndjson.`).waitFor();
    expect(rows.map(({ n }) => n)).toEqual(descending);
    expect(rows.at(-2)).toMatchObject({ name: cell(1), note: 'kept' });
    await close();
  });

  test('the chosen documents alone', async () => {
    for (const at of [1, 3])
      await page
        .getByRole('checkbox', { name: /^Choose / })
        .nth(at)
        .check();
    await page.getByRole('group', { name: 'Chosen documents' }).getByRole('button', { name: 'Export' }).click();
    await dialog().getByText('2 documents chosen.').waitFor();
    await dialog().getByRole('radio', { name: 'JSON' }).check();
    const rows = linesOf(await downloaded()) as { n: number; note?: string }[];
    expect(rows.map(({ n }) => n)).toHaveLength(2);
    expect(rows[0]?.note).toBeUndefined();
    await close();
    await page.getByRole('button', { name: 'Choose none' }).click();
  });

  test('a file of one’s choice gets the documents as they come', async () => {
    await page.evaluate(
      'window.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })',
    );
    await ask('JSON');
    await dialog().getByRole('button', { name: 'Save as…' }).click();
    await dialog().getByText(`${total} in item.ndjson.`).waitFor();
    const text = await page.evaluate<string>(
      "(async () => (await (await (await navigator.storage.getDirectory()).getFileHandle('item.ndjson')).getFile()).text())()",
    );
    expect((linesOf(text) as { n: number }[]).map(({ n }) => n)).toEqual(descending);
    await close();
  });

  const isThere = (name: string): Promise<boolean> =>
    page.evaluate(
      `navigator.storage.getDirectory().then((all) => all.getFileHandle('${name}')).then(() => true, () => false)`,
    );

  test('Stop: no file is left', async () => {
    const held = page.waitForRequest(/\/api\/item.*after=/);
    // never answered
    await page.route(/\/api\/item.*after=/, () => undefined);
    await ask('JSON');
    await dialog().getByRole('button', { name: 'Save as…' }).click();
    await held;
    await dialog().getByRole('button', { name: 'Stop' }).click();
    await dialog().getByText(`Stopped after 125 of ${total}. No file is saved.`).waitFor();
    expect(await isThere('item.ndjson')).toBe(false);
    await page.unroute(/\/api\/item.*after=/);
    await close();
  });

  test('an answer that ends in the middle is a failure, and no file', async () => {
    const { port } = proxy.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const other = (await open(url)).page;
    const files: unknown[] = [];
    other.on('download', (file) => files.push(file));
    await signIn(other, url, 'root', '#/documents/item');
    await other.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog(other).getByRole('button', { name: 'Download' }).click();
    await dialog(other)
      .getByText(/^[1-9][\d,]* of .* so far\.$/)
      .waitFor();
    cut();
    const alert = dialog(other).getByRole('alert');
    await alert.getByText('The connection ended before the last document.').waitFor();
    await alert.getByText(/^The export failed after [1-9][\d,]* of /).waitFor();
    await alert.getByText('No file is saved.').waitFor();
    expect(await violationsOf(other)).toEqual([]);
    expect(files).toEqual([]);
    expect(window.faults).toEqual([]);
  });
});
