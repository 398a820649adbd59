/** Slow reads and writes, and indexes, for admins. */
import {
  adminAccess,
  type Answer,
  type Context,
  json,
  maySee,
  type ModelEntry,
  type OperationGroup,
  pageLimit,
  parametersNamed,
  type PlainOperation,
  type Principal,
  type Services,
  shapes,
} from '../../core.ts';
import { nameFault } from '../../models/fields/known-path.ts';
import { isAddedIndex } from '../../models/loading/indexes.ts';
import { adviceOnStored, type IndexAdvice, isServed, type NeededIndex, withoutPrefixes } from './advice.ts';
import { changeIndex } from './change.ts';
import { adviceStore } from './kept.ts';
import { declarationTest, reasonToKeep } from './needed.ts';
import { slowReads } from './slow.ts';
import { storedIndexes } from './stored.ts';
import { indexChange } from './wanted.ts';

const key = shapes.anyValue('The paths of the index in their order, each with 1 or -1');
const milliseconds = { type: 'number' };
const slow = shapes.object(
  {
    model: shapes.text,
    shape: shapes.text,
    count: shapes.integer,
    total_ms: milliseconds,
    max_ms: milliseconds,
    first: shapes.date,
    last: shapes.date,
  },
  { plan: shapes.text, index: shapes.text, examined: shapes.integer, returned: shapes.integer, advice: key },
);
const stored = shapes.object(
  { model: shapes.text, name: shapes.text, key, unique: shapes.flag, droppable: shapes.flag },
  { size: shapes.integer, uses: shapes.integer, since: shapes.date },
);
const advised = shapes.object(
  { model: shapes.text, index: key, reason: shapes.text, for: shapes.text },
  { name: shapes.text, since: shapes.date },
);

/** Milliseconds that a request waits for an index; the database builds it to its end. */
const maxBuildMs = 600_000;

export const indexOperations: OperationGroup = {
  title: 'Indexes',
  after: 'Server',
  secret: true,
  operations: [
    {
      name: 'server.slow',
      http: { method: 'GET', path: '/server/slow' },
      summary: 'Lists slow reads and writes since the start, by their shapes',
      access: adminAccess,
      input: { query: parametersNamed('limit') },
      answers: { 200: shapes.object({ data: shapes.listOf(slow), limit: shapes.integer }) },
      run: slowest,
    },
    {
      name: 'server.indexes',
      http: { method: 'GET', path: '/server/indexes' },
      summary: 'Lists the indexes of the models, with advice on them',
      access: adminAccess,
      answers: { 200: shapes.object({ data: shapes.listOf(stored), advice: shapes.listOf(advised) }) },
      run: indexes,
    },
    {
      name: 'server.index',
      http: { method: 'POST', path: '/server/indexes' },
      summary: 'Builds an index of a model, or drops one',
      access: adminAccess,
      input: {
        body: {
          schema: shapes.object({ model: shapes.text }, { index: shapes.mapOf({ enum: [1, -1] }), drop: shapes.text }),
        },
      },
      conflicts: true,
      failures: [404],
      timeoutMs: maxBuildMs,
      // no transaction may be open while the database builds
      isUnit: () => false,
      answers: {
        200: shapes.object({
          status: shapes.status,
          data: shapes.object({ model: shapes.text, name: shapes.text, index: key, outcome: shapes.text }),
        }),
      },
      run: change,
    },
  ] satisfies readonly PlainOperation[],
};

async function slowest(context: Context): Promise<Answer> {
  const { services, principal } = context;
  const limit = pageLimit(context);
  const seen = new Set(services.registry.served.filter((one) => maySee(principal, one)).map(({ name }) => name));
  const all = await services.of(slowReads).all();
  const listed = all.filter(({ model }) => seen.has(model)).slice(0, limit);
  return json({ data: listed.map(({ fixed: _, ...one }) => one), limit });
}

async function indexes(context: Context): Promise<Answer> {
  const { found, advice } = await adviceFor(context.services, context.principal, context.signal);
  const listed = found.map(async ({ model, indexes: all }) => {
    if (all.length === 0) return [];
    const isDeclared = await declarationTest(model);
    return all.map((one) => ({
      model: model.name,
      ...shown(one),
      droppable: reasonToKeep(model, one, isDeclared) === undefined,
    }));
  });
  return json({ data: (await Promise.all(listed)).flat(), advice });
}

async function change(context: Context): Promise<Answer> {
  const { body, services, principal } = context;
  const wanted = indexChange(body, services, principal);
  return json({ status: 'ok', data: await changeIndex(context, wanted) });
}

/** The indexes of the models that an admin may see, and the advice on them. @throws 503 */
export async function adviceFor(services: Services, principal: Principal, signal?: AbortSignal) {
  const { registry, settings, shares } = services;
  const models = registry.served.filter((model) => maySee(principal, model));
  const found = await Promise.all(
    models.map(async (model) => ({
      model,
      indexes: await shares.lists({ signal }, () => storedIndexes(model, settings.query_limits.max_time_ms)),
    })),
  );
  const missing = (await wantedBy(services)).flatMap(({ fixed, ...advice }): IndexAdvice[] => {
    const one = found.find(({ model }) => model.name === advice.model);
    const isListed =
      one !== undefined && isPossible(one.model, advice.index) && !isServed(advice.index, one.indexes, fixed);
    return isListed ? [advice] : [];
  });
  // those of built-in models come back at each start
  const own = found.filter(({ model }) => model.file !== undefined);
  const onStored = own.flatMap(({ model, indexes: all }) =>
    adviceOnStored(model.name, all, (key) => isAddedIndex(model, key)),
  );
  return { found, advice: [...withoutPrefixes(missing), ...onStored] };
}

/** The indexes that reads have needed: those that all servers have kept, and those of this one that are not kept yet. @throws 503 */
async function wantedBy(services: Services): Promise<readonly NeededIndex[]> {
  const slow = await services.of(slowReads).all();
  const own = slow.flatMap(({ model, shape, first, advice, fixed }): NeededIndex[] =>
    advice === undefined ? [] : [{ model, index: advice, reason: 'missing', for: shape, since: first, fixed }],
  );
  return [...(await services.of(adviceStore).list()), ...own];
}

const isPossible = ({ schema }: ModelEntry, index: IndexAdvice['index']): boolean =>
  Object.keys(index).every((path) => nameFault(schema, path, 'stored') === undefined);

const shown = ({
  isSpecial: _special,
  expires: _expires,
  ...rest
}: Awaited<ReturnType<typeof storedIndexes>>[number]): object => rest;
