import { Schema } from 'mongoose';

interface Callable {
  countDocuments(): Promise<number>;
}

const book = new Schema(
  {
    title: String,
    isbn: { type: String, unique: true, sparse: true },
    tag_id: [{ type: Schema.Types.ObjectId, link: 'tag' }],
  },
  {
    perms: { all: 'r', user: 'cr', owner: 'crud' },
    callable_statics: {
      stats: 'r',
      whoami: 'c',
      fails: 'r',
      refuses: 'r',
      shows: 'r',
      never: 'r',
      circular: 'r',
      text: 'r',
      nothing: 'r',
      rows: 'r',
      title: 'r',
      whole: { needs: 'r', on: 'document' },
    },
  },
);

Object.assign(book.statics, {
  async stats(this: Callable, body: unknown) {
    return { body: body ?? null, books: await this.countDocuments() };
  },
  whoami: (_body: unknown, caller: unknown) => caller,
  fails: () => {
    throw new Error('CANARY /etc/secret');
  },
  refuses: () => Promise.reject(Object.assign(new Error('CANARY'), { statusCode: 418 })),
  shows: () => Promise.reject(Object.assign(new Error('not for sale'), { statusCode: 409, expose: true })),
  text: () => ({ then: (_done: unknown, failed: (reason: string) => void) => failed('CANARY') }),
  nothing: () => undefined,
  never: () => new Promise(() => undefined),
  circular: () => {
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    return ring;
  },
  rows: () => [
    { title: 't', password: 'CANARY', deep: [{ Password: 'CANARY' }], big: 5n, none: undefined },
    { toJSON: () => ({ title: 'own', password: 'CANARY' }) },
    {
      title: 'itself',
      password: 'CANARY',
      toJSON() {
        return this;
      },
    },
  ],
  title: (document: { title: string }, body: unknown) => ({ title: document.title, body }),
  whole: (document: object) => ({ found: [document] }),
});

export default book;
