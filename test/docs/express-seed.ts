/** The application of test/docs/express-application as a process, and what its users have entered. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Db } from 'mongodb';
import { type Answer, send } from '../support/client.ts';
import { bearer } from '../support/fixtures/people.ts';
import type { Person } from './express-requests.ts';

export interface ExpressApplication {
  readonly child: ChildProcess;
  /** Its URL with the prefix of its routes. */
  readonly url: string;
}

/** @param folder the application @throws what the process prints, when it ends at once */
export async function startExpress(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ExpressApplication> {
  const child = spawn(process.execPath, ['--require', resolve('test/docs/mongoose-8.cjs'), 'server.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()));
  const url = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^listens on (\S+)$/.exec(line)?.[1];
      if (address !== undefined) found(address);
    });
    child.once('exit', () => failed(new Error(printed)));
  });
  return { child, url: `${url}/api/v1` };
}

const names: Readonly<Record<Person | 'old', string>> = {
  ada: 'admin',
  lea: 'lead-guide',
  uma: 'user',
  ben: 'user',
  old: 'user',
};

export const loginOf = (name: string): Readonly<Record<'email' | 'password', string>> => ({
  email: `${name}@trails.test`,
  password: `pass-of-${name}`,
});

/** Enters documents through the application. @returns their ids by the names that the requests use */
export async function seed({ url }: ExpressApplication, database: Db): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const tokens = new Map<string, string>();
  for (const [name, role] of Object.entries(names)) {
    const user = { name: `${name[0]?.toUpperCase()}${name.slice(1)}`, ...loginOf(name) };
    const { body } = await done(await send('POST', `${url}/users/signup`, { body: user }));
    ids.set(name, String(body['data']['_id']));
    tokens.set(name, String(body['token']));
    await database.collection('users').updateOne({ email: user.email }, { $set: { role, active: name !== 'old' } });
  }
  const add = async (who: Person, path: string, name: string, body: object, method = 'POST'): Promise<void> => {
    const sent = { body: withIds(body, ids), headers: bearer(tokens.get(who) ?? '') };
    const made = await done(await send(method, url + withIds(path, ids), sent));
    ids.set(name, String(made.document['_id']));
  };
  for (const [name, tour] of Object.entries(tours)) await add('ada', '/tours', name, tour);
  await add('uma', '/tours/{lake}/reviews', 'good', { review: 'wide and calm', rating: 5 });
  await add('ben', '/tours/{lake}/reviews', 'fair', { review: 'wet', rating: 4 });
  await add('ada', '/categories', 'gear', { name: 'Gear' });
  await add('ada', '/categories', 'jackets', { name: 'Jackets', parent: '{gear}' });
  await add('ada', '/categories', 'packs', { name: 'Packs & Bags', parent: '{gear}' });
  for (const [name, product] of Object.entries(products)) await add('ada', '/products', name, product);
  await database.collection('products').updateOne({ sku: 'JK-009' }, { $set: { isDeleted: true } });
  await add('ada', '/coupons', 'spring', { code: 'spring', percent: 10, expires: '2030-01-01' });
  await add('uma', '/cart', 'cart', { items: [{ product: '{parka}', quantity: 2 }] }, 'PUT');
  const order = {
    items: [{ product: '{parka}', name: 'Parka', quantity: 1, price: 250 }],
    shipping: { city: 'Basel' },
  };
  await add('uma', '/orders', 'order', order);
  await add('ben', '/orders', 'other', order);
  const card = { method: 'card', order: '{order}', amount: 250, brand: 'visa', last4: '4242' };
  await add('ada', '/payments', 'payment', card);
  return ids;
}

/** A value with the ids of its `{names}`. */
export const withIds = <T>(value: T, ids: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => ids.get(name) ?? whole)) as T;

async function done(answer: Answer): Promise<Answer> {
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
}

const tours = {
  lake: {
    name: 'Round the Lake',
    summary: 'Two weeks by the water',
    duration: 14,
    price: 500,
    difficulty: 'easy',
    startDates: ['2026-05-02', '2026-06-06'],
    startLocation: { coordinates: [8.5, 47.3], address: 'Pier 1' },
    guides: ['{lea}'],
  },
  peak: { name: 'To the Peak', duration: 7, price: 900, difficulty: 'hard', startDates: ['2026-06-20'] },
  moor: { name: 'Across the Moor', summary: 'From lake to lake', duration: 4, price: 320, difficulty: 'easy' },
  valley: { name: 'Down the Valley', duration: 3, price: 280, difficulty: 'easy', startDates: ['2027-01-10'] },
  forest: { name: 'Through the Forest', duration: 5, price: 410, difficulty: 'medium' },
  secret: { name: 'The Secret Lake', duration: 2, price: 90, difficulty: 'easy', secretTour: true },
};

const jacket = { category: '{jackets}', variants: [{ colour: 'red', size: 'M', stock: 4 }] };
const products = {
  parka: { sku: 'jk-001', name: 'Winter Parka', price: 250, tags: ['Warm', 'Down'], ...jacket },
  fleece: { sku: 'jk-002', name: 'Fleece', price: 80, tags: ['warm'], ...jacket },
  shell: { sku: 'jk-003', name: 'Rain Shell', price: 180, tags: ['dry'], ...jacket },
  pack: { sku: 'pk-001', name: 'Day Pack', price: 95, category: '{packs}' },
  gone: { sku: 'jk-009', name: 'Old Anorak', price: 40, tags: ['warm'], ...jacket },
};
