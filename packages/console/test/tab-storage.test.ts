/** What a tab stores of a session, and how the tabs of a browser share it. */
import { describe, expect, test } from '@jest/globals';
import { DossierError, type Tokens } from 'dossier-client';
import { type TabMessage, TabStorage } from '../src/api/tab-storage.ts';

function openStorage() {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
  return { items, storage };
}

/** Tokens of a session; each renewal has another number. */
const tokensOf = (user_id: string, at: number): Tokens => ({
  user_id,
  token: `t${at}`,
  token_expires: new Date(at).toISOString(),
  refresh_token: `r${at}`,
  refresh_token_expires: new Date(at).toISOString(),
});

/** A browser, and the tabs that are opened in it; one that is asleep receives nothing. */
function openBrowser() {
  const all = openStorage();
  const listeners = new Map<object, (event: { readonly data: unknown }) => void>();
  let order = Promise.resolve();
  const open = (stored = openStorage()) => {
    const tab = { isAsleep: false, events: [] as string[] };
    const channel = {
      postMessage: (data: TabMessage) => {
        for (const [other, listener] of listeners) if (other !== tab) listener({ data });
      },
      addEventListener: (_: string, listener: (event: { readonly data: unknown }) => void) =>
        void listeners.set(tab, (event) => {
          if (!tab.isAsleep) listener(event);
        }),
    };
    const storage = new TabStorage('k', stored.storage, {
      channel,
      all: all.storage,
      alone: (work) => (order = order.catch(() => undefined).then(work)),
      received: () => tab.events.push('received'),
      signedOut: () => tab.events.push('signed out'),
    });
    const set = (tokens: Tokens) => storage.setItem('k', JSON.stringify(tokens));
    return { tab, storage, stored, set };
  };
  return { open, all };
}

describe('the storage of a tab', () => {
  test('has the refresh token, and never the access token', () => {
    const { open, all } = openBrowser();
    const { storage, stored, set } = open();
    const tokens = tokensOf('u', 1);
    set(tokens);
    const at = new Date(1).toISOString();
    expect(JSON.parse(stored.items.get('k') ?? '')).toEqual({
      user_id: 'u',
      refresh_token: 'r1',
      refresh_token_expires: at,
    });
    expect(JSON.parse([...all.items.values()].join())).toEqual({ user_id: 'u', refresh_token_expires: at });
    expect(JSON.parse(storage.getItem() ?? '')).toEqual(tokens);
    expect(openBrowser().open(stored).storage.tokens).toMatchObject({ token: '', token_expires: new Date(0).toJSON() });
    storage.removeItem();
    expect([stored.items.size, storage.getItem()]).toEqual([0, null]);
  });

  test('a value of another program is not a session', () => {
    const stored = openStorage();
    stored.items.set('k', '{');
    expect(openBrowser().open(stored).storage.getItem()).toBeNull();
  });
});

describe('the tabs of a browser', () => {
  test('a new one asks for the session, and has what follows', async () => {
    const { open } = openBrowser();
    const one = open();
    expect(one.storage.mayBeShared).toBe(false);
    one.set(tokensOf('u', 1));
    const other = open();
    expect(other.storage.mayBeShared).toBe(true);
    await other.storage.ask();
    expect([other.storage.tokens, other.storage.mayBeShared]).toEqual([tokensOf('u', 1), false]);
    other.set(tokensOf('u', 2));
    expect([one.storage.tokens, one.tab.events]).toEqual([tokensOf('u', 2), ['received']]);
  });

  test('one renews, and the other takes the tokens', async () => {
    const { open } = openBrowser();
    const [one, other] = [open(), open()];
    one.set(tokensOf('u', 1));
    let renewals = 0;
    const renew = ({ storage, set }: typeof one) => {
      const before = storage.tokens?.refresh_token;
      return storage.renewing(async () => {
        // as the client does
        if (storage.tokens?.refresh_token === before) set(tokensOf('u', 1 + ++renewals));
      });
    };
    await Promise.all([renew(one), renew(other)]);
    expect([renewals, one.storage.tokens, other.storage.tokens]).toEqual([1, tokensOf('u', 2), tokensOf('u', 2)]);
  });

  test('one that was asleep asks before it renews, and does not send a token that was replaced', async () => {
    const { open } = openBrowser();
    const [one, other] = [open(), open()];
    one.set(tokensOf('u', 1));
    other.tab.isAsleep = true;
    one.set(tokensOf('u', 2));
    other.tab.isAsleep = false;
    let sent = 0;
    const renew = async (): Promise<void> => void (sent += other.storage.tokens?.refresh_token === 'r1' ? 1 : 0);
    await other.storage.renewing(renew);
    expect([sent, other.storage.tokens]).toEqual([0, tokensOf('u', 2)]);
    other.tab.isAsleep = true;
    one.set(tokensOf('u', 3));
    [other.tab.isAsleep, one.tab.isAsleep] = [false, true];
    const refused = await other.storage
      .renewing(() => Promise.reject(new Error('sent')))
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 401 });
    expect(refused).toBeInstanceOf(DossierError);
  });

  test('one that was asleep hands over nothing old', async () => {
    const { open } = openBrowser();
    const [one, asleep] = [open(), open()];
    one.set(tokensOf('u', 1));
    asleep.tab.isAsleep = true;
    one.set(tokensOf('u', 2));
    [asleep.tab.isAsleep, one.tab.isAsleep] = [false, true];
    const fresh = open();
    await fresh.storage.ask();
    expect(fresh.storage.tokens).toBeUndefined();
  });

  test('each keeps its user, and signing out reaches those of the same user', () => {
    const { open } = openBrowser();
    const [one, same, other] = [open(), open(), open()];
    other.set(tokensOf('v', 1));
    one.storage.removeItem();
    same.storage.removeItem();
    one.set(tokensOf('u', 2));
    expect([other.storage.tokens?.user_id, same.storage.tokens?.user_id]).toEqual(['v', 'u']);
    one.storage.removeItem();
    one.storage.signOut('u');
    expect([same.tab.events, other.tab.events]).toEqual([['received', 'received', 'signed out'], []]);
    expect(open().storage.mayBeShared).toBe(false);
  });

  test('a browser that refuses the storage of all tabs shares the session all the same', async () => {
    const { open, all } = openBrowser();
    all.storage.getItem =
      all.storage.setItem =
      all.storage.removeItem =
        () => {
          throw new Error('refused');
        };
    const [one, other] = [open(), open()];
    one.set(tokensOf('u', 1));
    expect(other.storage.tokens).toEqual(tokensOf('u', 1));
    await one.storage.renewing(async () => one.set(tokensOf('u', 2)));
    expect(other.storage.tokens).toEqual(tokensOf('u', 2));
  });
});
