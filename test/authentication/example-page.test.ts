/** The example page, its script run against a server: it signs in, lists, refreshes and signs out. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from '@jest/globals';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { logIn, passwordOf } from '../support/fixtures/people.ts';

/** As much of an element as the page uses. */
interface Element {
  hidden: boolean;
  textContent: string;
  shown: Element[];
  readonly elements: { readonly password: { value: string } };
  fields: Readonly<Record<string, string>>;
  readonly listeners: Record<string, (event: object) => Promise<void>>;
  addEventListener(name: string, listener: (event: object) => Promise<void>): void;
  replaceChildren(...shown: Element[]): void;
}

function makeElement(): Element {
  return {
    hidden: false,
    textContent: '',
    shown: [],
    elements: { password: { value: '' } },
    fields: {},
    listeners: {},
    addEventListener(name, listener) {
      this.listeners[name] = listener;
    },
    replaceChildren(...shown) {
      this.shown = shown;
    },
  };
}

/** The page with its script running, and the paths that it has asked for. */
function openPage() {
  const html = readFileSync('docs/examples/login/index.html', 'utf8');
  const script = /<script type="module">(.*)<\/script>/s.exec(html)?.[1] ?? '';
  const elements = new Map<string, Element>();
  const asked: string[] = [];
  const by = (id: string): Element => {
    if (!html.includes(`id="${id}"`)) throw new Error(`the page has no ${id}`);
    const element = elements.get(id) ?? makeElement();
    elements.set(id, element);
    return element;
  };
  class FormData {
    constructor(readonly form: Element) {}
    get(name: string): string {
      return this.form.fields[name] ?? '';
    }
  }
  runInNewContext(script, {
    document: { getElementById: by, createElement: makeElement },
    FormData,
    fetch: (url: string, options: RequestInit) => {
      asked.push(new URL(url).pathname);
      return fetch(url, options);
    },
  });
  const act = async (id: string, event: string, fields: Element['fields'] = {}): Promise<void> => {
    const target = by(id);
    target.fields = fields;
    await target.listeners[event]?.({ target, preventDefault: () => undefined });
  };
  return { by, act, asked };
}

let world: World;
beforeAll(async () => {
  // shorter than what the page takes for nearly over, so that it refreshes
  world = await openAccounts({ token_expiry: 30 });
});

test('the page logs in, lists, refreshes, says what is wrong, and logs out', async () => {
  const { by, act, asked } = openPage();
  const fields = { server: `${world.url}/`, email: 'ann@x.test', password: 'wrong' };
  await act('login', 'submit', fields);
  expect(by('problem').textContent).toContain('Authentication failed');
  await act('login', 'submit', { ...fields, password: passwordOf('ann') });
  expect([by('problem').textContent, by('login').hidden, by('list').hidden]).toEqual(['', true, false]);

  const headers = (await logIn(world, 'bob')).headers;
  await world.send('POST', '/api/book', { headers, body: { title: '<b>Emma</b>' } });
  await act('list', 'submit', { model: 'book' });
  expect(by('documents').shown.map(({ textContent }) => textContent)).toEqual(['<b>Emma</b>']);
  expect(asked).toEqual(['/login', '/login', '/refresh', '/api/book']);

  await act('list', 'submit', { model: 'nosuch' });
  expect(by('problem').textContent).toContain('Unknown model');
  await act('logout', 'click');
  expect([by('problem').textContent, by('login').hidden]).toEqual(['', false]);
});
