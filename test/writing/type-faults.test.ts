/** What the faults of lists, maps, nested documents and types of plug-ins state: what is accepted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { ruleAt } from '../../src/models/fields/types/index.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      'shape.js': `const mongoose = require('mongoose');
        const { Schema, SchemaType } = mongoose;
        class Point extends SchemaType {
          constructor(path, options) { super(path, options, 'Point'); }
          cast(value) {
            if (typeof value !== 'object' || !('x' in value)) throw new Error('no x');
            return value;
          }
        }
        Schema.Types.Point = Point;
        module.exports = new Schema({
          numbers: [Number], grid: [[Number]], dates: [Date], flags: [Boolean],
          words: { type: Map, of: Number }, lists: { type: Map, of: [Number] }, parts: { type: Map, of: new Schema({ n: Number }) },
          one: new Schema({ n: Number }), many: [new Schema({ n: Number })],
          point: Point, points: [{ type: Point }],
          either: { type: Schema.Types.Union, of: [Number, Date] },
        }, { perms: { all: 'crud' } });`,
    },
  });
});
// the files of a process share the types of Mongoose
afterAll(() => void Reflect.deleteProperty(Schema.Types, 'Point'));

const number = /must be a (finite )?number/;
const ofPoint = /must be a value that (its type|the type Point) accepts/;

test.each<[object, string, RegExp]>([
  [{ numbers: ['x'] }, 'numbers', number],
  [{ numbers: { n: 1 } }, 'numbers', number],
  [{ grid: [['x']] }, 'grid', number],
  [{ dates: ['x'] }, 'dates', /must be a date/],
  [{ flags: ['x'] }, 'flags', /must be true or false/],
  [{ words: 'x' }, 'words', /must be an object/],
  [{ words: { a: 'x' } }, 'words', number],
  [{ lists: { a: ['x'] } }, 'lists', number],
  [{ parts: { a: 'x' } }, 'parts', /must be an object/],
  [{ one: 'x' }, 'one', /must be an object/],
  [{ many: 'x' }, 'many', /must be a list of objects/],
  [{ point: 'x' }, 'point', ofPoint],
  [{ points: ['x'] }, 'points', ofPoint],
  [{ either: 'x' }, 'either', /must be a (date|value of one of its types)/],
])('%j', async (document, path, rule) => {
  for (const { status, body } of [
    await server.post('/api/shape', document),
    await server.send('PUT', '/update/shape/000000000000000000000001', { body: document }),
  ]) {
    if (status === 404) continue;
    expect(status).toBe(400);
    const [fault] = body['errors'] as { path: string; message: string }[];
    expect(fault?.path.startsWith(path)).toBe(true);
    expect(fault?.message).toMatch(rule);
    expect(JSON.stringify(body)).not.toMatch(/must be of type|Cast to/);
  }
});

test.each([
  ['a', 'Map', 'must be an object'],
  ['a.0', '[ObjectId]', ruleAt('a', 'ObjectId')],
  [
    'a',
    '[[Boolean]]',
    'must be a list, of which each member must be a list, of which each member must be true or false',
  ],
  ['a.0', '[[Boolean]]', 'must be a list, of which each member must be true or false'],
  ['a', 'embedded', 'must be an object'],
  ['a', 'Point', 'must be a value that the type Point accepts'],
  ['a.0', '[undefined]', 'must be a value that its type accepts'],
])('%s of the kind %s', (path, kind, rule) => expect(ruleAt(path, kind)).toBe(rule));
