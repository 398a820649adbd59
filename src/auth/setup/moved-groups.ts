/** Moves users' groups from a collection of their own, in which a preload says that they are, into the user documents, once per database. */
import type { ModelEntry } from '../../models/entry.ts';
import { type Connection, internalCollection, type ObjectId, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import { reservedGroups } from '../../policy/principal.ts';
import type { Bus } from '../../realtime/changes/contract.ts';
import type { Services } from '../../services.ts';
import { commitAll } from '../../write/commit.ts';
import type { ListedMutation } from '../../write/contract.ts';

const pieceSize = 500;

interface Move {
  readonly registry: Registry;
  readonly connection: Connection;
  readonly clock: () => Date;
  readonly bus: Bus;
  readonly inTransaction: Services['inTransaction'];
  readonly recorders: Services['recorders'];
}

/**
 * Adds the groups in a collection (`{ user_id, groups }`) to their users.
 * @param source the name of the collection @returns notes for the operator, one sentence each
 */
export async function moveGroups(move: Move, source: string): Promise<readonly string[]> {
  const { registry, clock } = move;
  const marks = internalCollection(registry, '_setup');
  const done = { _id: source } as Row;
  if ((await marks.findOne(done)) !== null) return [];
  const moved = await moveAll(move, source);
  await marks.updateOne(done, { $setOnInsert: { at: clock() } }, { upsert: true });
  return moved;
}

async function moveAll(services: Move, source: string): Promise<readonly string[]> {
  const { registry, connection } = services;
  const model = registry.internal('user');
  const writer = { services, user: undefined, silent: true };
  const left = new Map<string, number>();
  let count = 0;
  let piece: Membership[] = [];
  const flush = async (): Promise<void> => {
    if (piece.length === 0) return;
    const { error } = await commitAll(writer, { model, mutations: piece.flatMap((one) => joining(model, one)) });
    if (error !== undefined) throw error;
    count += piece.length;
    piece = [];
  };
  for await (const row of connection.collection(source).find({}, { projection: { user_id: 1, groups: 1 } })) {
    const found = membershipIn(row, left);
    if (found !== undefined) piece.push(found);
    if (piece.length === pieceSize) await flush();
  }
  await flush();
  return [
    ...(count === 0
      ? []
      : [
          `User groups: those of ${count} users in the collection ${source} have been moved to the user documents; the collection is not read again`,
        ]),
    ...[...left].map(
      ([name, times]) =>
        `User groups: ${JSON.stringify(name)} is the name of a role, so ${times} users are not in a group of this name; grant its rights by admin: true or by another group`,
    ),
  ];
}

interface Membership {
  readonly user_id: unknown;
  readonly groups: readonly string[];
}

/** @param left counts the memberships that cannot be moved, by group */
function membershipIn({ user_id, groups }: Row, left: Map<string, number>): Membership | undefined {
  const names = (Array.isArray(groups) ? groups : []).filter((name): name is string => typeof name === 'string');
  const given = [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
  const reserved = given.filter((name) => reservedGroups.has(name));
  for (const name of reserved) left.set(name, (left.get(name) ?? 0) + 1);
  const allowed = given.filter((name) => !reservedGroups.has(name));
  return allowed.length === 0 || user_id === undefined || user_id === null ? undefined : { user_id, groups: allowed };
}

/** A user document of JXP has no list of groups, or null. */
function joining(model: ModelEntry, { user_id, groups }: Membership): readonly ListedMutation[] {
  const _id = user_id as ObjectId;
  const common = { kind: 'change', model, event: 'put' } as const;
  return [
    { ...common, filter: { _id, groups: null }, update: { $set: { groups: [] } } },
    { ...common, filter: { _id }, update: { $addToSet: { groups: { $each: [...groups] } } } },
  ];
}
