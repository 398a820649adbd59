/** `defineModel`: a schema whose options the compiler checks; `npm run types` compiles the lines that must be refused. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Schema, type Types } from 'mongoose';
import { defineModel } from '../../src/models/options/define-model.ts';
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

  test('have the generic fields and the models of the connection in middleware', () => {
    const schema = defineModel({ title: String }, { perms: { all: 'r' }, timestamps: true });
    schema.pre('save', async function () {
      const owner: Types.ObjectId | null = this._owner_id;
      const changer: Types.ObjectId | null = this._updated_by_id;
      const since: Date = this.createdAt;
      const isDeleted: boolean = this._deleted;
      const count: number = await this.db.model('person').countDocuments();
      // @ts-expect-error: there is no such field
      return void [owner, changer, since, isDeleted, count, this._owner];
    });
    expect(schema.path('title').instance).toBe('String');
  });

  test('have the fields of users that the server adds', () => {
    const schema = defineModel({ email: String, password: String, name: { type: String, required: true } });
    schema.pre('save', function () {
      const name: string = this.name;
      const isAdmin: boolean = this.admin;
      const isVerified: boolean = this.email_verified;
      const groups: string[] = this.groups;
      // @ts-expect-error: there is no such field
      return void [name, isAdmin, isVerified, groups, this.administrator];
    });
    const other = defineModel({ email: String });
    other.pre('save', function () {
      // @ts-expect-error: a model without passwords is not that of users
      return void this.admin;
    });
    expect(schema.path('name').instance).toBe('String');
  });

  test('have the generic fields and those of users in methods, and in what statics find', () => {
    const schema = defineModel(
      { email: String, password: String, _owner_id: { type: String, required: true } },
      {
        methods: {
          isStaff() {
            return this.admin || (!this._deleted && this.groups.includes('staff'));
          },
        },
        statics: {
          async staff() {
            const found = await this.find({ admin: true, _updated_by_id: null });
            // @ts-expect-error: there is no such field
            return found.map((user) => [user.groups.length, user.createdAt.getTime(), user.isadmin]);
          },
        },
      },
    );
    schema.post('findOne', function (user) {
      // the model's own field of a name holds
      const owner: string = user._owner_id;
      return void owner;
    });
    expect(schema.methods).toHaveProperty('isStaff');
  });

  test('have the document in virtuals, and the values of virtuals in documents', () => {
    const schema = defineModel(
      { title: { type: String, required: true }, price: Number },
      {
        methods: { label: (prefix: string) => prefix },
        virtuals: {
          loud: {
            get() {
              // @ts-expect-error: there is no such field
              void this.titel;
              return `${this.title.toUpperCase()} ${this.label('of')}`;
            },
            set(value: string) {
              this.title = value;
              // @ts-expect-error: the price is not a text
              this.price = value;
            },
          },
          both: {
            get(): number {
              // @ts-expect-error: the other virtual is a text
              const length: number = this.loud;
              return length + this.loud.length + this.createdAt.getTime();
            },
          },
        },
      },
    );
    schema.pre('save', function () {
      const loud: string = this.loud;
      const both: number = this.both;
      // @ts-expect-error: the virtual is a text
      const wrong: number = this.loud;
      return void [loud, both, wrong, this.label('x')];
    });
    const outer = defineModel({ parts: [schema] });
    outer.pre('save', function () {
      return void this.parts.map(({ loud, title }) => [loud.trim(), title.trim()]);
    });
    expect(Object.keys(schema.virtuals)).toEqual(expect.arrayContaining(['loud', 'both']));
  });

  test('have the fields of nested schemas, wherever a schema is written', () => {
    const line = new Schema(
      { sku: { type: String, required: true }, count: Number },
      { _id: false, methods: { label: () => 'x' } },
    );
    const defined = defineModel({ sku: { type: String, required: true } }, { _id: false });
    const order = new Schema({ lines: [line], first: { type: line, required: true } });
    const schema = defineModel(
      {
        lines: [line],
        listed: { type: [line], default: [] },
        optional: [{ type: line }],
        single: { type: line, required: true },
        short: line,
        defined: [defined],
        placed: [new Schema({ sku: { type: String, required: true } }, { _id: false })],
        placedOnce: { type: new Schema({ sku: { type: String, required: true } }, { _id: false }), required: true },
        inner: [{ sku: { type: String, required: true }, _id: false }],
        byName: { type: Map, of: line, required: true },
        orders: [order],
        deep: { nested: { lines: [line] } },
      },
      {
        methods: {
          skus() {
            return this.lines.map(({ sku }) => sku.trim());
          },
        },
      },
    );
    schema.pre('save', function () {
      const { lines, listed, optional, single, short, placed, placedOnce, inner, byName, orders, deep } = this;
      const [order, of] = [orders[0], byName.get('a')];
      const skus: (string | undefined)[] = [
        ...[lines[0], listed[0], optional[0], single, short, this.defined[0], placed[0], placedOnce, inner[0]].map(
          (one) => one?.sku,
        ),
        ...[of, order?.lines[0], order?.first, deep?.nested?.lines[0]].map((one) => one?.sku),
        ...[lines[0], single, of].map((one) => one?.label()),
      ];
      lines.push({ sku: 'a', count: 1 });
      const wrong = [
        // @ts-expect-error: there is no such field
        lines[0]?.suk,
        // @ts-expect-error: there is no such field
        listed[0]?.suk,
        // @ts-expect-error: there is no such field
        optional[0]?.suk,
        // @ts-expect-error: there is no such field
        single.suk,
        // @ts-expect-error: there is no such field
        placed[0]?.suk,
        // @ts-expect-error: there is no such field
        placedOnce.suk,
        // @ts-expect-error: there is no such field
        of?.suk,
        // @ts-expect-error: there is no such field
        order?.lines[0]?.suk,
        // @ts-expect-error: nested documents have no owner
        this.defined[0]?._owner_id,
      ];
      return void [skus, wrong];
    });
    expect(schema.path('lines').instance).toBe('Array');
  });

  test('accept every option of Mongoose and of Dossier, those of plugins, and fields with any name', () => {
    const made = [
      defineModel({ type: { type: String, required: true }, lnik: String, requierd: { uniqe: Number } }),
      defineModel({ place: { type: { type: String }, coordinates: [Number], lnik: String } }),
      defineModel({
        title: { type: String, autopopulate: true, es_indexed: true, slug: 'a', enum: ['a'], trim: true },
      }),
      defineModel({ n: { $type: Number, lnik: Number } }, { typeKey: '$type' }),
      defineModel(
        { at: { type: Date, expires: '1h', immutable: true, minimize: false } },
        { toJSON: { virtuals: true } },
      ),
      defineModel({ title: String }, { audited: true, save_on_put: true, collection: 'x', timestamps: true }),
      defineModel({ title: String }, { history: { keep: '90d', min: 5 }, trash: '30d', audit: true }),
    ];
    expect(made).toHaveLength(7);
  });

  test('refuse misspelt options', () => {
    const made = [
      // @ts-expect-error: save_on_put
      defineModel({ title: String }, { perms: { user: 'r' }, save_on_putt: true }),
      // @ts-expect-error: history
      defineModel({ title: String }, { perms: { user: 'r' }, histroy: true }),
      // @ts-expect-error: callable_statics
      defineModel({ title: String }, { perms: { user: 'r' }, callable_static: ['a'] }),
      // @ts-expect-error: strict
      defineModel({ title: String }, { perms: { user: 'r' }, strcit: false }),
      // @ts-expect-error: link
      defineModel({ film_id: { type: ObjectId, lnik: 'film' } }),
      // @ts-expect-error: required
      defineModel({ title: { type: String, requierd: true } }),
      // @ts-expect-error: unique
      defineModel({ title: { type: String, uniqe: true } }),
      // @ts-expect-error: map_to, in a list
      defineModel({ tag_id: [{ type: ObjectId, link: 'tag', mapto: 'tags' }] }),
      // @ts-expect-error: perms, in a nested field
      defineModel({ release: { year: { type: Number, perm: { all: 'r' } } } }),
    ];
    expect(made).toHaveLength(9);
  });

  test('refuse misspelt options where they are written', () => {
    const made = [
      defineModel({
        title: {
          type: String,
          trim: true,
          // @ts-expect-error: required
          requierd: true,
        },
        film_id: {
          type: ObjectId,
          // @ts-expect-error: link
          lnik: 'film',
        },
      }),
      defineModel(
        { title: String },
        {
          perms: { user: 'r' },
          // @ts-expect-error: save_on_put
          save_on_putt: true,
        },
      ),
    ];
    expect(made).toHaveLength(2);
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
        'page.ts': `
          import { ObjectId, Schema } from 'dossier';
          export default new Schema({ book_id: { type: ObjectId, link: 'book' } }, { perms: { all: 'cr' } });`,
      },
    });
  });

  test('is served', async () => {
    expect((await server.post('/api/book', { title: 'Psycho' })).status).toBe(201);
    expect((await server.get('/api/book')).rows).toMatchObject([{ title: 'Psycho' }]);
    const page = await server.post('/api/page', { book_id: (await server.get('/api/book')).rows[0]?.['_id'] });
    expect(page.status).toBe(201);
    expect((await server.get('/api/page?populate=book')).rows).toMatchObject([{ book: { title: 'Psycho' } }]);
  });
});
