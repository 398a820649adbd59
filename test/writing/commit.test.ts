/** The unit of work: what is written together stays or is rolled back together, and its changes are published after the commit only. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelActor } from '../../src/context.ts';
import { bulkWrite } from '../../src/features/bulk/bulk-write.ts';
import { modelOf, mongo, ObjectId, type Row } from '../../src/models/mongoose.ts';
import { requireLetter } from '../../src/policy/grants.ts';
import { principalOf } from '../../src/policy/principal.ts';
import type { Change } from '../../src/realtime/changes/contract.ts';
import type { Services } from '../../src/services.ts';
import { commit, commitAll } from '../../src/write/commit.ts';
import type { Mutation, MutationList, Recorder, UnitOfWork } from '../../src/write/contract.ts';
import { create } from '../../src/write/create.ts';
import { change } from '../../src/write/edit.ts';
import type { ChangeIntent, ValuesIntent } from '../../src/write/intents.ts';
import { record } from '../../src/write/mutation/record.ts';
import type { Writer } from '../../src/write/mutation/writer.ts';
import { remove } from '../../src/write/remove.ts';
import { transaction } from '../../src/write/transaction.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let published: string[] = [];

beforeAll(async () => {
  server = await startServer({
    models: {
      'shelf.ts': ({ Schema }) =>
        new Schema(
          { name: { type: String, unique: true } },
          {
            ...({ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object),
          },
        ),
      'book.ts': ({ Schema }) =>
        new Schema(
          { name: String, shelf_id: { type: Schema.Types.ObjectId, link: 'shelf' } },
          {
            ...({ perms: { all: 'crud' }, check_links: true } as object),
          },
        ),
    },
  });
  const { bus } = server.dossier.services;
  // like a subscriber that needs before-images
  bus.subscribe(
    (changes) => void published.push(...changes.map(shown)),
    () => true,
  );
});

const shown = ({ event, before, after, user }: Change): string =>
  [event, String(before?.['name'] ?? '-'), String(after?.['name'] ?? '-'), user ?? 'nobody'].join(' ');

/** What work publishes, and what it throws. */
async function outcomeOf(work: () => Promise<unknown>): Promise<{ published: readonly string[]; thrown?: string }> {
  published = [];
  try {
    await work();
    return { published };
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    return { published, thrown: code === 11000 ? 'duplicate' : message };
  }
}

const shelf = (): ReturnType<Services['registry']['get']> => server.dossier.services.registry.get('shelf');
const rows = (): Promise<Row[]> => modelOf(shelf()).collection.find().toArray();
const names = async (): Promise<string[]> => (await rows()).map(({ name }) => String(name)).sort();
const clear = async (...shelves: readonly string[]): Promise<void> => {
  const { collection } = modelOf(shelf());
  await collection.deleteMany({});
  if (shelves.length > 0) await collection.insertMany(shelves.map((name) => ({ name, _deleted: false, __v: 0 })));
};

/** A writer; without transactions where the test asks for it. */
const writer = (transactions = true, recorders = server.dossier.services.recorders): Writer => {
  const { bus, inTransaction } = server.dossier.services;
  const plainly: Services['inTransaction'] = (work) => work(undefined);
  return {
    services: { bus, recorders, inTransaction: transactions ? inTransaction : plainly },
    user: 'ann',
    silent: false,
  };
};

const insert = (...of: readonly string[]): Mutation => ({
  kind: 'insert',
  model: shelf(),
  rows: of.map((name) => ({ _id: new ObjectId(), name, __v: 0 })),
});
const named = (name: string): Row => ({ name });
const rename = (from: string, to: string, returns: 'before' | 'after' = 'after'): Mutation => ({
  kind: 'change',
  model: shelf(),
  filter: named(from),
  update: { $set: { name: to }, $inc: { __v: 1 } },
  event: 'put',
  returns,
});
const removal = (name: string): Mutation => ({ kind: 'remove', model: shelf(), filter: named(name) });
const save1 = (name: string): Mutation => ({
  kind: 'insert',
  model: shelf(),
  document: new (modelOf(shelf()))({ name }),
  event: 'post',
});

describe('one mutation', () => {
  test.each<[string, () => Mutation, readonly string[], readonly string[], string | undefined]>([
    ['inserts', () => insert('b', 'c'), ['a', 'b', 'c'], ['post - b ann', 'post - c ann'], undefined],
    ['saves a new document', () => save1('b'), ['a', 'b'], ['post - b ann'], undefined],
    ['updates, and reports the document before and after', () => rename('a', 'b'), ['b'], ['put a b ann'], undefined],
    ['updates, and reports the before-image only', () => rename('a', 'b', 'before'), ['b'], ['put a - ann'], undefined],
    ['finds nothing to update', () => rename('x', 'b'), ['a'], [], undefined],
    ['updates without an event', () => ({ ...rename('a', 'b'), event: undefined }) as Mutation, ['b'], [], undefined],
    ['deletes', () => removal('a'), [], ['del a - ann'], undefined],
    ['finds nothing to delete', () => removal('x'), ['a'], [], undefined],
    ['fails', () => insert('a'), ['a'], [], 'duplicate'],
    ['fails to save', () => save1('a'), ['a'], [], 'duplicate'],
  ])('%s', async (_, mutation, stored, events, fault) => {
    await clear('a');
    const { published, thrown } = await outcomeOf(() => commit(writer(), mutation()));
    expect({ names: await names(), published }).toEqual({ names: stored, published: events });
    expect(thrown).toBe(fault);
  });
});

type Work = (inner: Writer & { readonly unit: UnitOfWork }) => Promise<unknown>;
const all =
  (...mutations: readonly (() => Mutation)[]): Work =>
  async (inner) => {
    for (const mutation of mutations) await commit(inner, mutation());
  };

describe('a unit of work', () => {
  test('publishes after its work, all at once', async () => {
    await clear('a');
    const during: string[][] = [];
    const outcome = await outcomeOf(() =>
      transaction(writer(), async (inner) => {
        await commit(inner, insert('b'));
        await transaction(
          inner,
          all(() => rename('a', 'c')),
        );
        during.push([...published]);
      }),
    );
    expect({ during, ...outcome, names: await names() }).toEqual({
      during: [[]],
      published: ['post - b ann', 'put a c ann'],
      names: ['b', 'c'],
    });
  });

  needs('transactions')('that fails leaves nothing and publishes nothing', async () => {
    await clear('a');
    const { published, thrown } = await outcomeOf(() =>
      transaction(
        writer(),
        all(
          () => insert('b'),
          () => rename('a', 'c'),
          () => removal('b'),
          () => insert('c'),
        ),
      ),
    );
    expect({ names: await names(), published }).toEqual({ names: ['a'], published: [] });
    expect(thrown).toBe('duplicate');
  });

  needs('transactions')('runs again after a conflict, also one that is the cause of another error', async () => {
    await clear();
    let runs = 0;
    const { published, thrown } = await outcomeOf(() =>
      transaction(writer(), async (inner) => {
        await commit(inner, insert('b'));
        runs += 1;
        if (runs > 1) return;
        const cause = new mongo.MongoServerError({ message: 'conflict', errorLabels: ['TransientTransactionError'] });
        throw new Error('made of it', { cause });
      }),
    );
    expect({ runs, thrown, published, names: await names() }).toEqual({
      runs: 2,
      thrown: undefined,
      published: ['post - b ann'],
      names: ['b'],
    });
  });

  test('without transactions undoes what it can, and publishes what stays', async () => {
    await clear('a');
    const undoable = insert('b', 'c');
    const undo = {
      kind: 'remove',
      model: shelf(),
      filter: { name: { $in: ['b', 'c'] } },
      many: { before: [] },
    } as const;
    const { published, thrown } = await outcomeOf(() =>
      transaction(
        writer(false),
        all(
          () => rename('a', 'd'),
          () => ({ ...undoable, undo }),
          () => insert('d'),
        ),
      ),
    );
    expect({ names: await names(), published }).toEqual({ names: ['d'], published: ['put a d ann'] });
    expect(thrown).toBe('duplicate');
  });

  test('without transactions also undoes the part of a command that failed', async () => {
    await clear('c');
    const filter = { name: 'b' };
    const undo = { kind: 'remove', model: shelf(), filter, many: { before: [] } } as const;
    const { published } = await outcomeOf(() =>
      transaction(
        writer(false),
        all(() => ({ ...insert('b', 'c'), undo })),
      ),
    );
    expect({ names: await names(), published }).toEqual({ names: ['c'], published: [] });
  });
});

describe('a recorder', () => {
  /** Records each mutation but renames to "unwanted", one entry a document, into a collection of its own. */
  const entries = (): ReturnType<typeof modelOf>['collection'] =>
    modelOf(server.dossier.services.registry.get('book')).collection;
  const recorder = (fails = false): Recorder<string> => ({
    name: 'test',
    needs: (mutation) => JSON.stringify('update' in mutation ? mutation.update : '').includes('unwanted') === false,
    entriesOf: (_model, states, { user }) =>
      states.map(({ kind, before, after }) => [kind, before?.['name'] ?? '-', after?.['name'] ?? '-', user].join(' ')),
    write: async (lines, session) => {
      const made = lines.map((name) => ({ name }));
      await entries().insertMany(made, session === undefined ? {} : { session });
      if (fails) throw new Error('the recorder fails');
    },
  });
  const recorded = async (): Promise<unknown[]> =>
    (await entries().find().toArray()).map(({ name }) => name as unknown);
  const clearAll = async (): Promise<void> => {
    await clear('a', 'b');
    await entries().deleteMany({});
  };
  const explicit = recorder();
  const list = (): MutationList => ({
    model: shelf(),
    mutations: ['c', 'a'].map((name) => ({
      kind: 'insert',
      model: shelf(),
      rows: [{ _id: new ObjectId(), name, __v: 0 }],
    })),
  });

  test.each<[string, () => Mutation, readonly string[]]>([
    ['an insert, an entry a document', () => insert('c', 'd'), ['insert - c ann', 'insert - d ann']],
    ['a new document', () => save1('c'), ['insert - c ann']],
    ['an update, with both images', () => rename('a', 'c'), ['change a c ann']],
    ['a deletion', () => removal('a'), ['remove a - ann']],
    ['nothing where nothing is found', () => removal('x'), []],
    ['nothing that it does not need', () => rename('a', 'unwanted'), []],
  ])('records %s', async (_, mutation, expected) => {
    await clearAll();
    await commit(writer(true, [recorder()]), mutation());
    expect(await recorded()).toEqual(expected);
  });

  test('records the mutations of a list before the fault', async () => {
    await clearAll();
    const { error } = await commitAll(writer(true, [recorder()]), list());
    expect(error).toBeInstanceOf(Error);
    expect(await recorded()).toEqual(['insert - c ann']);
  });

  test('writes the entries of a unit once, at its end, with those that no mutation causes', async () => {
    await clearAll();
    await transaction(writer(true, [explicit]), async (inner) => {
      record(inner.unit, explicit, 'by hand');
      await all(
        () => rename('a', 'c'),
        () => removal('b'),
      )(inner);
      expect(await recorded()).toEqual([]);
    });
    expect(await recorded()).toEqual(['by hand', 'change a c ann', 'remove b - ann']);
  });

  needs('transactions')('leaves nothing of a write whose entries cannot be written', async () => {
    await clearAll();
    const { published, thrown } = await outcomeOf(() => commit(writer(true, [recorder(true)]), rename('a', 'c')));
    expect({ thrown, published, names: await names(), recorded: await recorded() }).toEqual({
      thrown: 'the recorder fails',
      published: [],
      names: ['a', 'b'],
      recorded: [],
    });
  });

  needs('transactions')('records nothing of a unit that fails', async () => {
    await clearAll();
    const failing = all(
      () => rename('a', 'c'),
      () => insert('b'),
    );
    const { thrown } = await outcomeOf(() => transaction(writer(true, [recorder()]), failing));
    expect({ thrown, names: await names(), recorded: await recorded() }).toEqual({
      thrown: 'duplicate',
      names: ['a', 'b'],
      recorded: [],
    });
  });

  test('records what remains of a unit that fails without transactions', async () => {
    await clearAll();
    const failing = all(
      () => rename('a', 'c'),
      () => insert('b'),
    );
    await outcomeOf(() => transaction(writer(false, [recorder()]), failing));
    expect({ names: await names(), recorded: await recorded() }).toEqual({
      names: ['b', 'c'],
      recorded: ['change a c ann'],
    });
  });
});

test.each<[string, string, unknown]>([
  ['POST', '/api/shelf', { name: 'b' }],
  ['PUT', '/api/shelf/:id', { name: 'b' }],
  ['PUT', '/update/shelf/:id', { name: 'b' }],
  ['DELETE', '/api/shelf/:id', undefined],
  ['POST', '/bulkwrite/shelf', [{ insertOne: { document: { name: 'b' } } }]],
])('%s %s with an invalid _silence writes nothing', async (method, path, body) => {
  await clear('a');
  const [row] = await rows();
  const url = `${path.replace(':id', String(row?.['_id']))}?_silence=perhaps`;
  const answer = await server.send(method, url, body === undefined ? {} : { body });
  expect({ status: answer.status, names: await names() }).toEqual({ status: 400, names: ['a'] });
});

/** An admin who writes to a model, as a part of a unit. */
function actorOn(unit: UnitOfWork, model: string): ModelActor {
  const { services } = server.dossier;
  const ann = { _id: String(new ObjectId()), id: String(new ObjectId()), email: 'ann@x.test', admin: true, groups: [] };
  return {
    services,
    unit,
    principal: principalOf(ann),
    verify: () => Promise.resolve(principalOf(ann)),
    grant: requireLetter(principalOf(ann), 'u', services.registry.get(model)),
    restrictions: { hook: undefined, precondition: undefined },
    address: '127.0.0.1',
    ip: '127.0.0.1',
    signal: new AbortController().signal,
    model: services.registry.get(model),
  };
}

describe('several requests', () => {
  const added = (input: object): ValuesIntent => ({ input, passwords: 'plain', silent: false });

  /** Creates a shelf with a book, renames both, and deletes the shelf with the book. */
  const requests: Work = async ({ unit }) => {
    const shelves = actorOn(unit, 'shelf');
    const books = actorOn(unit, 'book');
    const { grant } = shelves;
    const of = (id: string, input: object): ChangeIntent => ({ ...added(input), id, grant });
    const { id } = await create(shelves, added({ name: 'new' }));
    const book = await create(books, added({ name: 'in it', shelf_id: id }));
    await change(shelves, of(id, { name: 'newer' }));
    await change(books, { ...of(book.id, { name: 'changed' }), grant: books.grant }, true);
    const input = [{ updateOne: { filter: { _id: id }, update: { $set: { name: 'newest' } } } }];
    await bulkWrite(shelves, { input, passwords: 'plain', permanently: false, silent: false });
    expect(published).toEqual([]);
    await remove(shelves, { id, grant, permanently: false, cascades: true, silent: false });
    await change(shelves, of(id, { _deleted: false }));
  };

  needs('transactions')('in one unit of work see what the earlier ones have written', async () => {
    await clear('a');
    const { published, thrown } = await outcomeOf(() => transaction(writer(), requests));
    expect(thrown).toBeUndefined();
    expect(published.map((line) => line.split(' ').slice(0, -1).join(' '))).toEqual([
      'post - new',
      'post - in it',
      'put new newer',
      'put in it changed',
      'put newer newest',
      'del changed -',
      'del newest -',
      'post newest newest',
      'post - changed',
    ]);
    expect(await names()).toEqual(['a', 'newest']);
  });

  needs('transactions')('leave nothing when one of them fails', async () => {
    await clear('a');
    const failing: Work = async (inner) => {
      await requests(inner);
      await create(actorOn(inner.unit, 'shelf'), added({ name: 'a' }));
    };
    const { published, thrown } = await outcomeOf(() => transaction(writer(), failing));
    expect({ published, names: await names() }).toEqual({ published: [], names: ['a'] });
    expect(thrown).toBe('Conflict');
  });
});
