/** `defineModel`: a schema whose options the compiler checks; `npm run types` compiles the lines that must be refused. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { defineModel } from '../../src/models/define-model.ts';
import { startServer, type TestServer } from '../support/server.ts';

const { ObjectId } = Schema.Types;

describe('the types of defineModel', () => {
  test('accept valid options, and infer the fields of documents', () => {
    const schema = defineModel(
      {
        title: { type: String, required: true, perms: { all: 'r', admin: 'cur' } },
        director_id: { type: ObjectId, link: 'person', reverse: 'films', map_to: 'director' },
        tag_id: [{ type: ObjectId, link: 'tag' }],
        release: { year: { type: Number, perms: { owner: 'r' } } },
      },
      {
        perms: { all: 'r', user: { c: true, r: { where: { title: 'x' } } }, owner: 'crud' },
        callable_statics: { titled: 'r' },
        statics: {
          titled() {
            return this.countDocuments({ title: 'x' });
          },
        },
      },
    );
    schema.pre('save', function () {
      const title: string = this.title;
      // @ts-expect-error: the title is not a number
      const year: number = this.title;
      return void [title, year];
    });
    expect(schema.path('director_id').options).toMatchObject({ link: 'person' });
  });

  test('refuse wrong letters, links and options', () => {
    const made = [
      // @ts-expect-error: x is not a letter
      defineModel({ title: String }, { perms: { all: 'rx' } }),
      // @ts-expect-error: a letter appears twice
      defineModel({ title: String }, { perms: { all: 'rr' } }),
      // @ts-expect-error: a rule needs a `where`
      defineModel({ title: String }, { perms: { all: { r: { when: {} } } } }),
      // @ts-expect-error: invalid letters of a path
      defineModel({ title: { type: String, perms: { all: 'd' } } }),
      // @ts-expect-error: invalid letters of a nested path
      defineModel({ release: { year: { type: Number, perms: { all: 'x' } } } }),
      // @ts-expect-error: a link names a model
      defineModel({ film_id: { type: ObjectId, link: 5 } }),
      // @ts-expect-error: a link in a list names a model
      defineModel({ film_id: [{ type: ObjectId, link: 5 }] }),
      // @ts-expect-error: a misspelt option
      defineModel({ title: String }, { prems: { all: 'r' } }),
      // @ts-expect-error: Mongoose's own constructor is checked too
      new Schema({ title: String }, { perms: { all: 'rx' } }),
    ];
    expect(made).toHaveLength(9);
  });
});

describe('a model file with defineModel', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      models: {
        'book.ts': `
          import { defineModel } from 'dossier';
          export default defineModel({ title: { type: String, required: true } }, { perms: { all: 'cr' } });`,
      },
    });
  });

  test('is served', async () => {
    expect((await server.post('/api/book', { title: 'Psycho' })).status).toBe(201);
    expect((await server.get('/api/book')).rows).toMatchObject([{ title: 'Psycho' }]);
  });
});
