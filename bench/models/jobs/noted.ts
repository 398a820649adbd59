/** The model of `npm run bench -- deliveries`: its changes are delivered, and its function runs as a job. */
import { Schema } from 'mongoose';

interface Use {
  readonly api: {
    transaction<T>(work: (inner: Use['api']) => Promise<T>): Promise<T>;
    later(name: string, input?: unknown): Promise<void>;
  };
}

const schema = new Schema({ title: String, n: Number }, {
  perms: { admin: 'crud' },
  callable_statics: ['ask', 'count'],
  advanced_queries: { bulkwrite: true },
} as object);

let ran = 0;
Object.assign(schema.statics, {
  note: () => void (ran += 1),
  count: () => ran,
  /** Asks for as many jobs, in one transaction. */
  ask: (jobs: number, { api }: Use) =>
    api.transaction(async (inner) => {
      for (let n = 0; n < jobs; n++) await inner.later('noted.note', n);
    }),
});

export default schema;
