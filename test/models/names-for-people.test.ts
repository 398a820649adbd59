/** Labels, descriptions, groups, icons, and what the console leaves out: in the description of a model, in OpenAPI, and refused where they are wrong. */
import { describe, expect, test } from '@jest/globals';
import { startServer } from '../support/server.ts';

const file = (fields: string, options = '{}'): string =>
  `import { Schema } from 'mongoose'; export default new Schema({ ${fields} } as object, ${options} as object);`;

const ticket = file(
  `subject: { type: String, label: 'Betreff', description: 'One line', group: 'Basics', icon: '✉️', list: true },
   pages: { type: Number, label: 'Seiten', default: 1 },
   key: { type: String, hidden: true, list: false },
   tags: [{ type: String, label: 'Tags of it', description: 'Short' }],
   parts: [new Schema({ name: { type: String, label: 'Part name' } })],
   plain: { type: String, hidden: false },
  blank: { type: String, label: '', description: ' ', group: '', icon: '' },
   theirs: { type: String, label: { en: 'x' }, description: String, group: ['a'], hidden: () => true, list: {}, icon: null },
   secret: { type: String, perms: { admin: 'cru' } },
   description: String, label: { type: String }, list: [String], address: { icon: String, group: String }`,
  `{ perms: { all: 'crud' }, label: 'Vorgänge', description: 'All work', group: 'Support', icon: 'ticket', hidden: true,
     list: ['subject', 'secret', 'createdAt', 'address.icon'], title: 'key' }`,
);

test('a description and OpenAPI have what the model file says, and nothing where it says nothing', async () => {
  const server = await startServer({
    models: {
      'ticket.ts': ticket,
      'plain.ts': file('a: String', "{ perms: { all: 'cr' }, title: 'A JSON schema', label: '' }"),
    },
  });
  const { fields, ...model } = (await server.get('/model/ticket')).body['data'];
  expect(model).toMatchObject({
    label: 'Vorgänge',
    description: 'All work',
    group: 'Support',
    icon: 'ticket',
    hidden: true,
  });
  expect(model.title).toBe('key');
  expect(model.list).toEqual(['subject', 'createdAt', 'address.icon']);
  expect(fields.subject).toMatchObject({
    label: 'Betreff',
    description: 'One line',
    group: 'Basics',
    icon: '✉️',
    list: true,
  });
  expect(fields.key).toMatchObject({ hidden: true, list: false });
  expect(fields.tags).toMatchObject({ label: 'Tags of it', description: 'Short', array: true });
  expect(fields['parts.name']).toMatchObject({ label: 'Part name' });
  const names = ['title', 'label', 'description', 'group', 'icon', 'hidden', 'list'];
  const said = (one: object): string[] => names.filter((name) => name in one);
  for (const path of ['plain', 'theirs', 'blank', 'description', 'label', 'list', 'address.icon', 'address.group'])
    expect([path, said(fields[path])]).toEqual([path, []]);
  expect(said((await server.get('/model/plain')).body['data'])).toEqual([]);

  const { schemas } = (await server.get('/openapi.json')).body['components'] as { schemas: Record<string, any> };
  expect(schemas['ticket']).toMatchObject({ title: 'Vorgänge', description: 'All work' });
  expect(schemas['ticket'].properties).toMatchObject({
    subject: { title: 'Betreff', description: 'One line' },
    pages: { title: 'Seiten' },
  });
  expect(schemas['ticket'].properties.plain).not.toHaveProperty('title');
  expect(schemas['plain']).toMatchObject({ title: 'plain' });
  expect(schemas['plain']).not.toHaveProperty('description');
});

test('nested documents are described by their paths, and what they hide is hidden in each of their fields', async () => {
  const server = await startServer({
    models: {
      'ticket.ts': file(
        `address: { type: new Schema({ city: { type: String, label: 'Ort' }, geo: { type: new Schema({ lat: Number }), icon: 'place' } }),
           label: 'Anschrift', description: 'Where they live', group: 'Contact' },
         parts: [new Schema({ size: { type: new Schema({ width: Number }), label: 'Größe' } })],
         plain: new Schema({ a: String }),
         inner: { type: new Schema({ a: String, b: { type: String, hidden: false } }), hidden: true, label: 'Inner' },
         secret: { type: new Schema({ a: String }), label: 'Secret', perms: { admin: 'cru' } }`,
        "{ perms: { all: 'crud' } }",
      ),
    },
  });
  const { nested, fields } = (await server.get('/model/ticket')).body['data'];
  expect(nested).toEqual({
    address: { label: 'Anschrift', description: 'Where they live', group: 'Contact', optional: true },
    'address.geo': { icon: 'place', optional: true },
    'parts.size': { label: 'Größe', optional: true },
    plain: { optional: true },
    inner: { label: 'Inner', optional: true },
  });
  const hidden = Object.keys(fields).filter((path) => fields[path].hidden === true);
  expect(hidden.sort()).toEqual(['inner._id', 'inner.a', 'inner.b']);
  const { schemas } = (await server.get('/openapi.json')).body['components'] as { schemas: Record<string, any> };
  expect(schemas['ticket'].properties.address).toMatchObject({ title: 'Anschrift', description: 'Where they live' });
});

describe('a wrong value stops the start, with the model and the path', () => {
  test.each([
    [
      'a label of a path',
      file('a: { type: String, label: 5 }'),
      'a: label must be a text of 1 to 80 characters, got 5',
    ],
    ['a long one', file(`a: { type: String, label: '${'x'.repeat(81)}' }`), 'a: label must be a text'],
    ['a description', file('a: { type: String, description: true }'), 'a: description must be a text of 1 to 1000'],
    ['a switch', file("a: { type: String, hidden: 'yes' }"), 'a: hidden must be true or false, got "yes"'],
    ['a column', file('a: { type: String, list: 1 }'), 'a: list must be true or false, got 1'],
    ['a nested path', file('a: { b: { type: String, group: 1 } }'), 'a.b: group must be a text'],
    ['a member of a list', file('a: [{ type: String, icon: 1 }]'), 'a: icon must be a text of 1 to 40'],
    ['documents in a list', file('a: [{ b: { type: String, label: 1 } }]'), 'a.b: label must be a text'],
    ['a label of a model', file('a: String', '{ label: 1 }'), 'label must be a text of 1 to 80 characters, got 1'],
    [
      'a group of a model',
      file('a: String', '{ group: true }'),
      'group must be a text of 1 to 80 characters, got true',
    ],
    ['a switch of a model', file('a: String', "{ hidden: 'no' }"), 'hidden must be true or false, got "no"'],
    ['columns that are no list', file('a: String', "{ list: 'a' }"), 'list must be a list of paths, got "a"'],
    ['an unknown column', file('a: String', "{ list: ['a', 'b'] }"), 'list names "b", which is no path of the model'],
    ['a title that is no text', file('a: Number', "{ title: 'a' }"), 'title names "a", which is no path of a text'],
    ['an unknown title', file('a: String', "{ title: 'b' }"), 'title names "b", which is no path of a text'],
    ['a title that is no path', file('a: String', '{ title: 1 }'), 'title must be the path of a text, got 1'],
    ['a misspelt name', file("a: { type: String, lable: 'x' }"), 'did you mean "label"'],
  ])('%s', async (_what, text, message) => {
    const started = startServer({ models: { 'bad.ts': text } });
    await expect(started).rejects.toThrow(message);
    await expect(started).rejects.toThrow(/bad\.ts: /);
  });
});
