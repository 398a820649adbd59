/** Models, hooks and people for batches. */
import type { HookRequest } from '../../src/settings/config-file.ts';
import type { Answer, Sent } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import type { StartOptions } from '../support/server.ts';

export const models: ModelFiles = {
  author: ({ Schema }) =>
    new Schema(
      {
        name: { type: String, required: true, unique: true },
        n: Number,
        secret: { type: String, perms: { admin: 'cru' } } as object,
      },
      {
        perms: { user: 'crud', all: 'c' },
        advanced_queries: { bulkwrite: true },
        callable_statics: { register: 'r' },
        statics: {
          async register() {
            await (this as any).create({ name: String(Math.random()) });
            return { token: 'plain-token-of-a-function' };
          },
        },
      } as object,
    ),
  book: ({ Schema, ObjectId }) =>
    new Schema(
      { title: String, tags: [String], author_id: { type: ObjectId, link: 'author' }, extra: Schema.Types.Mixed },
      { perms: { user: 'crud' }, check_links: true, save_on_put: true } as object,
    ),
  diary: ({ Schema }) =>
    new Schema({ text: String }, {
      perms: { user: 'c', owner: { r: { where: { text: { $ne: 'hidden' } } }, u: true, d: true } },
    } as object),
  account: ({ Schema }) =>
    new Schema({ n: { type: Number, min: 0 }, code: { type: String, unique: true, sparse: true } }, {
      perms: { user: 'crud' },
    } as object),
  vault: ({ Schema }) => new Schema({ n: Number }, { perms: { admin: 'crud' } } as object),
};

export type Shelf = PeopledServer<'root' | 'rita' | 'ann' | 'bob'> & {
  /** What the hooks have seen. */
  readonly seen: readonly string[];
  batch(
    person: 'root' | 'rita' | 'ann' | 'bob' | 'anonymous',
    operations: unknown,
    more?: object,
    sent?: Sent,
  ): Promise<Answer>;
  /** How many documents a model has, deleted ones too. */
  count(model: string): Promise<number>;
};

export async function openShelf(options: StartOptions = {}): Promise<Shelf> {
  const seen: string[] = [];
  const see = (req: HookRequest, what: string): void => {
    seen.push(
      `${what} ${req.method} ${req.url} ${JSON.stringify(req.params)} ${JSON.stringify(req.query)} ${JSON.stringify(req.body)}`,
    );
  };
  const server = await openPeople(['root', 'rita', 'ann', 'bob'], {
    models,
    pre_hooks: {
      post: (req, res, next) => {
        see(req, 'pre');
        const { title } = (req.dossier.body ?? {}) as { title?: unknown };
        if (title === 'answered') return void res.status(202).json({ mine: true });
        if (title === 'renamed') req.dossier.body = { ...(req.dossier.body as object), title: 'by hook' };
        next();
      },
      put: (req, _res, next) => {
        see(req, 'pre');
        next();
      },
    },
    post_hooks: {
      post: (req, result) => {
        see(req, 'post');
        const { data } = result as { data?: Record<string, unknown> };
        return data?.['title'] === 'masked' ? { ...(result as object), data: { ...data, title: '***' } } : undefined;
      },
    },
    ...options,
  });
  const { db } = server.dossier.services.connection;
  return {
    ...server,
    seen,
    batch: (person, operations, more = {}, sent = {}) =>
      server.as(person, 'POST', '/batch', { ...sent, body: { operations, ...more } }),
    count: async (model) => db!.collection(server.dossier.services.registry.get(model).collection).countDocuments(),
  };
}
