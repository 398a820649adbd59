/** The TypeScript module that `dossier types` writes: it compiles, and describes exactly what each role may do. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { typesModule } from '../../src/typegen/index.ts';
import { faultsOf, language } from '../support/compile.ts';
import { startServer } from '../support/server.ts';

const generated = async (models: NonNullable<Parameters<typeof startServer>[0]>['models']): Promise<string> => {
  const server = await startServer({ ...(models === undefined ? {} : { models }) });
  return typesModule(server.dossier.services.registry.served);
};

/** The lines of a program that do not compile with the types. */
const wrongLines = (types: string, program: string): readonly string[] => {
  const lines = program.split('\n');
  const head = `import type { Models, Roles, SystemModels } from './types.ts';`;
  const faults = faultsOf({ 'types.ts': types, 'program.ts': head + program }, language);
  return [...new Set(faults.map(({ file, line, text }) => (file === 'program.ts' ? lines[line - 1] : text)))].map(
    String,
  );
};

describe('the sample models', () => {
  let types: string;
  beforeAll(async () => {
    types = await generated('models');
  });

  test('compile', () => expect(faultsOf({ 'types.ts': types }, language)).toEqual([]));

  test('describe answered documents, and what may be created, changed and compared', () => {
    const right = `
declare const film: Models['film']['document'];
export const title: string = film.title;
export const year: number | null | undefined = film.year;
export const tags: string[] = film.tag_id;
export const released: string | null | undefined = film.released;
export const created: Models['film']['create'] = { title: 'Alien', released: new Date(), tag_id: [], certificate: 'R' };
export const changed: Models['film']['change'] = { year: 1979, minutes: null };
export const compared: Partial<Models['film']['filter']> = { released: new Date(), tag_id: [], _owner_id: '', id: '' };
export const computed: Models['person']['computed'] = 'sort_name';
export const linked: Models['film']['links']['director']['model'] = 'person';
export const reverse: Models['person']['links']['films']['many'] = true;
export const called: Models['film']['functions']['statistics'] = 'model';
export const password: Models['user']['create'] = { email: 'ann@x.test', password: 'secret' };`;
    expect(wrongLines(types, right)).toEqual([]);
  });

  test('refuse other names and values', () => {
    const wrong = [
      `declare const film: Models['film']['document']; export const a: unknown = film.titel;`,
      `declare const user: Models['user']['document']; export const b: unknown = user.password;`,
      `declare const user2: Models['user']['document']; export const c: unknown = user2._incarnation;`,
      `export const d: Models['film']['create'] = { year: 1979 };`,
      `export const e: Models['film']['create'] = { title: 'Alien', certificate: 'X' };`,
      `export const f: Models['film']['create'] = { title: 'Alien', _id: '' };`,
      `export const g: Models['film']['change'] = { title: null };`,
      `export const h: Models['flim']['change'] = {};`,
      `export const i: keyof Models['film']['functions'] = 'statistic';`,
      `export const j: keyof Models['film']['links'] = 'director_id';`,
      `export const k: keyof Models['user']['filter'] = 'password';`,
      `export const l: keyof Models['person']['filter'] = 'sort_name';`,
    ];
    expect(wrongLines(types, `\n${wrong.join('\n')}`)).toEqual(wrong);
  });

  test('differ by role', () => {
    const right = [
      `export const a: Roles['editor']['film']['create'] = { title: 'Alien' };`,
      `export const b: Roles['user']['review']['create'] = { film_id: '', stars: 5 };`,
      `export const c: Roles['all']['film']['document']['title'] = 'Alien';`,
      `export const d: Roles['all']['film']['links']['_owner']['document'] = { _id: '', name: 'ann' };`,
      `export const e: Roles['admin']['user']['create'] = { email: '', admin: true };`,
    ];
    const wrong = [
      `export const f: Roles['user']['film']['create'] = { title: 'Alien' };`,
      `export const g: Roles['all']['review']['create'] = { film_id: '', stars: 5 };`,
      `export const h: keyof Roles['all'] = 'user';`,
      `export const i: Roles['editors'] = {};`,
    ];
    expect(wrongLines(types, `\n${[...right, ...wrong].join('\n')}`)).toEqual(wrong);
  });
});

test('the system may do what no caller may, by `api.as`', async () => {
  const types = await generated({
    entry: ({ Schema }) =>
      new Schema(
        { text: { type: String, required: true }, sum: { type: Number, required: true, perms: { owner: 'r' } } },
        { perms: { all: 'r', admin: 'r' } },
      ),
  });
  const head = `import type { Api } from '../../src/api/contract.ts'; import type { Models, SystemModels } from './types.ts'; declare const api: Api;`;
  const declared = (more: string): string =>
    `declare module '../../src/api/contract.ts' { interface Application { models: Models; ${more} } }`;
  const right = [
    `export const a = api.as('system').model('entry').create({ text: 'a', sum: 1 });`,
    `export const b = api.as('system').transaction((own) => own.model('entry').remove(''));`,
    `export const c = async (): Promise<number> => (await api.as('system').model('entry').one('')).sum;`,
  ];
  const wrong = [
    `export const d = api.model('entry').create({ text: 'a', sum: 1 });`,
    `export const e = api.as({ user: '' }).model('entry').create({ text: 'a', sum: 1 });`,
    `export const f = api.as('system').model('entry').create({ text: 'a', total: 1 });`,
  ];
  const faults = (program: readonly string[], more = ''): readonly string[] => {
    const lines = [head, declared(more), ...program];
    const found = faultsOf({ 'types.ts': types, 'program.ts': lines.join('\n') }, language);
    return [...new Set(found.map(({ line }) => String(lines[line - 1])))];
  };
  expect(faults([...right, ...wrong], 'system: SystemModels')).toEqual(wrong);
  expect(faults(right)).toEqual([right[0], right[2]]);
});

describe('models with all that a schema can have', () => {
  let types: string;
  beforeAll(async () => {
    types = await generated({
      team: ({ Schema }) => new Schema({ name: String }, { perms: { user: 'r' } }),
      'odd-name': ({ Schema }) =>
        new Schema({ 'full name': String, date: Date }, { perms: { all: 'r' }, strict: false }),
      oddname: ({ Schema }) => new Schema({ secret: String }),
      date: ({ Schema }) => new Schema({ at: Date }, { perms: { all: 'crud' } }),
      shape: ({ Schema }) => {
        const shape = new Schema({ name: { type: String, required: true } }, { perms: { all: 'crud' } });
        shape.discriminator('circle', new Schema({ radius: { type: Number, required: true }, size: Number }));
        shape.discriminator('square', new Schema({ side: Number, size: String }));
        return shape;
      },
      ticket: ({ Schema }) =>
        new Schema({ id: { type: Number, unique: true }, text: String }, { perms: { all: 'crud' } }),
      staff: ({ Schema, ObjectId, Mixed }) =>
        new Schema(
          {
            name: { type: String, required: true },
            salary: { type: Number, required: true, perms: { admin: 'cru', owner: 'r' } },
            note: { type: String, default: '', perms: { admin: 'cru' } },
            address: { street: { type: String, required: true }, no: Number },
            parts: [{ label: String, team_id: { type: ObjectId, link: 'team' } }],
            scores: { type: Map, of: Number },
            meta: Mixed,
            code: { type: String, immutable: true },
            big: BigInt,
            lists: [[Number]],
          },
          {
            perms: { user: 'cru', owner: 'crud', admin: 'crud' },
            callable_statics: { raise: { needs: 'u', on: 'document' } },
            statics: { raise: () => 1 },
          },
        ),
    });
  });

  test('compile', () => expect(faultsOf({ 'types.ts': types }, language)).toEqual([]));

  test('describe nested documents, lists, maps, free-form fields and discriminators', () => {
    const right = `
declare const staff: Models['staff']['document'];
export const street: string = staff.address.street;
export const label: string | null | undefined = staff.parts[0]?.label;
export const score: number | null | undefined = staff.scores?.['a'];
export const matrix: number[][] = staff.lists;
export const change: Models['staff']['change'] = { 'address.no': 3, 'scores.anna': 1, 'meta.any.thing': [] };
export const filter: Partial<Models['staff']['filter']> = { 'parts.label': '', 'parts.team_id': '', 'meta.x': 1 };
export const link: Models['staff']['links']['parts.team']['model'] = 'team';
export const called: Models['staff']['functions']['raise'] = 'document';
export const shape: Models['shape']['create'] = { name: 'a', radius: 3 };
export const plain: Models['shape']['create'] = { name: 'b' };
export const sizes: readonly Models['shape']['create'][] = [{ name: 'c', size: 1 }, { name: 'd', size: 'L' }];
export const kind: Models['shape']['create'] = { name: 'e', __t: 'square', side: 1 };
export const ofKinds: Partial<Models['shape']['filter']> = { radius: 1, side: 2, __t: 'circle' };
export const open: Models['odd-name']['create'] = { 'full name': 'a', anything: 5 };
export const at: Models['date']['create'] = { at: new Date() };`;
    expect(wrongLines(types, right)).toEqual([]);
  });

  test('describe an id of the model as its field, which answers have only where it is named', () => {
    const right = `
export const id: Models['ticket']['document']['id'] = 5;
export const none: Models['ticket']['document'] = { _id: '', _deleted: false, createdAt: '', updatedAt: '', __v: 0 };
export const created: Models['ticket']['create'] = { id: 5 };
export const changed: Models['ticket']['change'] = { id: null };
export const compared: Partial<Models['ticket']['filter']> = { id: 5 };
export const always: Models['ticket']['always'] = '_id';`;
    expect(wrongLines(types, right)).toEqual([]);
    const wrong = [
      `export const a: Models['ticket']['create'] = { id: 'five' };`,
      `export const b: Models['date']['create'] = { id: '' };`,
    ];
    expect(wrongLines(types, `\n${wrong.join('\n')}`)).toEqual(wrong);
  });

  test('a field that some callers cannot read is optional; one that a role cannot write is not in its types', () => {
    const right = [
      `declare const staff: Models['staff']['document']; export const a: number | undefined = staff.salary;`,
      `declare const own: Roles['user']['staff']['document']; export const b: number | undefined = own.salary;`,
      `declare const all: Roles['admin']['staff']['document']; export const c: number = all.salary;`,
      `export const d: Roles['admin']['staff']['create'] = { name: '', salary: 1, address: { street: '' }, note: '' };`,
      `export const coded: Roles['user']['staff']['create'] = { name: '', address: { street: '' }, code: '' };`,
    ];
    const wrong = [
      `declare const one: Models['staff']['document']; export const e: number = one.salary;`,
      `declare const two: Roles['user']['staff']['document']; export const f: unknown = two.note;`,
      `export const g: Roles['user']['staff']['create'] = { name: '', address: { street: '' }, salary: 1 };`,
      `export const h: keyof Roles['user']['staff']['filter'] = 'salary';`,
      `export const i: Models['staff']['change'] = { 'address.number': 3 };`,
      `export const j: Models['shape']['create'] = { name: 'a', width: 3 };`,
      `export const k: keyof Roles['all'] = 'staff';`,
      `export const l: Models['staff']['change'] = { code: '' };`,
    ];
    expect(wrongLines(types, `\n${[...right, ...wrong].join('\n')}`)).toEqual(wrong);
  });
});

test('nested schemas have their fields, wherever a schema is written', async () => {
  const types = await generated({
    order: ({ Schema }) => {
      const line = new Schema({ sku: { type: String, required: true }, count: Number }, { _id: false });
      return new Schema(
        {
          lines: [line],
          listed: { type: [line], default: [] },
          optional: [{ type: line }],
          single: { type: line, required: true },
          placed: [new Schema({ sku: { type: String, required: true } }, { _id: false })],
          inner: [{ sku: { type: String, required: true }, _id: false }],
          byName: { type: Map, of: line },
          orders: [new Schema({ lines: [line] })],
          matrix: [[line]],
        },
        { perms: { all: 'crud' } } as object,
      );
    },
  });
  const places = [
    'lines[0]?',
    'listed[0]?',
    'optional[0]?',
    'single',
    'placed[0]?',
    'inner[0]?',
    'byName?.["a"]?',
    'orders[0]?.lines[0]?',
    'matrix[0]?.[0]?',
  ];
  const start = `declare const order: SystemModels['order']['document'];`;
  const line = (place: string, field: string, index: number): string =>
    `export const ${field}${index}: string | undefined = order.${place}.${field};`;
  const right = places.map((place, index) => line(place, 'sku', index));
  const wrong = places.map((place, index) => line(place, 'suk', index));
  for (const models of ['SystemModels', 'Models', `Roles['all']`]) {
    const program = [start.replace('SystemModels', models), ...right, ...wrong].join('\n');
    expect(wrongLines(types, `\n${program}`)).toEqual(wrong);
  }
});

test('text of a model that looks like code stays text', async () => {
  const types = await generated({
    risky: ({ Schema }) =>
      new Schema(
        { "it's": String, state: { type: String, enum: ['`${x}`', '*/', "'; export const y = 1; '", '\u2028'] } },
        { perms: { all: 'r' } },
      ),
  });
  expect(faultsOf({ 'types.ts': types }, language)).toEqual([]);
  const program = `\nexport const state: Models['risky']['filter']['state'] = "'; export const y = 1; '";`;
  expect(wrongLines(types, program)).toEqual([]);
});

test('a field whose value may be an empty object, which is not stored, is optional', async () => {
  const types = await generated({
    shelf: ({ Schema, Mixed }) =>
      new Schema(
        {
          limits: { type: Mixed, default: {} },
          marks: { of: { type: Mixed, required: true } },
          box: { type: new Schema({ width: Number }, { _id: false }), default: {} },
          lid: { type: new Schema({ width: { type: Number, default: 1 } }, { _id: false }), default: {} },
          part: { type: new Schema({ width: Number }), required: true },
        },
        { perms: { all: 'r' } } as object,
      ),
  });
  const start = `declare const shelf: Models['shelf']['document']; export const found: unknown = `;
  const wrong = ['shelf.marks.of', 'shelf.box.width'].map((path) => `${start}${path};`);
  for (const line of wrong) expect(wrongLines(types, line)).toHaveLength(1);
  for (const path of ['shelf.limits', 'shelf.lid.width', 'shelf.part._id', 'shelf.box?.width'])
    expect(wrongLines(types, `\n${start}${path};`)).toEqual([]);
});
