/** Which Mongoose model a stored document is of, where a schema has discriminators: only that one knows all its fields. */
import type { ModelEntry } from '../registry/entry.ts';
import { modelOf, type Row } from '../registry/mongoose.ts';

type Model = ReturnType<typeof modelOf>;

/** The model to change the document of a filter with; the schema's own where it has no discriminators, without asking. */
export async function kindOf(entry: ModelEntry, filter: Row): Promise<Model> {
  const own = modelOf(entry);
  const kinds = Object.values((own.discriminators ?? {}) as Readonly<Record<string, Model>>);
  if (kinds.length === 0) return own;
  const key = String(own.schema.get('discriminatorKey') ?? '__t');
  const row = (await own.collection.findOne(filter, { projection: { [key]: 1 } })) as Row | null;
  return kinds.find((kind) => markOf(kind) === row?.[key]) ?? own;
}

/** What the documents of a kind have under the key. */
const markOf = ({ schema }: Model): unknown =>
  (schema as unknown as { discriminatorMapping?: { value: unknown } }).discriminatorMapping?.value;
