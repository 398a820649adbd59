/** Rows and their linked rows → shaped documents. */
import { shape, type Placed, type Shaped } from '../access/shape.ts';
import { withFields } from '../access/with-fields.ts';
import { isId } from '../registry/cast.ts';
import { modelOf, ObjectId, type Connection, type Row } from '../registry/mongoose.ts';
import { fetchLinked } from './fetch.ts';
import type { LinkPlan, RowsPlan } from './plan-types.ts';

/** Shapes rows, fetching the linked ones by one query a link. */
export async function shapeRows(
  plan: RowsPlan,
  rows: readonly Row[],
  connection: Connection,
  signal: AbortSignal,
  withId = true,
): Promise<Shaped[]> {
  const placed = await Promise.all(plan.links.map((link) => placedLink(link, rows, connection, signal)));
  const also = plan.links.map(({ link }) => link.path);
  return rows.map((row) => {
    const whole = plan.model.computed ? withFields(computed(plan, row), plan.fields, also) : row;
    return shape(whole, plan.fields, placed, withId);
  });
}

async function placedLink(
  { link, rows: plan, identityOnly }: LinkPlan,
  rows: readonly Row[],
  connection: Connection,
  signal: AbortSignal,
): Promise<Placed> {
  const ids = [...new Set(rows.flatMap((row) => idsAt(row, link.path.split('.'))))];
  const found =
    ids.length === 0
      ? []
      : await fetchLinked(
          plan,
          ids.map((id) => new ObjectId(id)),
          connection,
          signal,
        );
  const shaped = await shapeRows(plan, found, connection, signal, !identityOnly);
  const byId = new Map(found.map((row, at) => [String(row['_id']), shaped[at]]));
  return { path: link.path, as: link.as, array: link.array, find: (id) => byId.get(id) };
}

function idsAt(value: unknown, parts: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => idsAt(member, parts));
  const [first, ...rest] = parts;
  if (first === undefined) return isId(String(value)) ? [String(value)] : [];
  return typeof value === 'object' && value !== null && Object.hasOwn(value, first)
    ? idsAt((value as Row)[first], rest)
    : [];
}

/** The row with the schema's virtuals and getters. */
function computed({ model }: RowsPlan, row: Row): Row {
  const document = modelOf(model).hydrate(row);
  const plain = document.toObject({ virtuals: true, getters: true, flattenMaps: true }) as Row;
  return row['score'] === undefined ? plain : { ...plain, score: row['score'] };
}
