/** The server as its operators see it: the settings that differ from their defaults, and what the models take in the database. */
import {
  adminAccess,
  type Answer,
  type Context,
  data,
  json,
  maySee,
  type OperationGroup,
  pageLimit,
  parametersNamed,
  type PlainOperation,
  shapes,
  textOf,
} from '../../core.ts';
import { advice } from '../../ports/core.ts';
import { storageOf } from '../../read/storage.ts';
import { changedSettings } from '../../settings/changed.ts';
import type { SettingRow } from '../../settings/row.ts';
import { logLines } from './log-lines.ts';
import { requestCounts } from './requests.ts';

const setting = shapes.object(
  { variable: shapes.text, key: shapes.text, meaning: shapes.text, hidden: shapes.flag },
  {
    value: shapes.anyValue('The value; absent where it is hidden'),
    default: shapes.anyValue('The default, where there is one'),
  },
);
const size = shapes.object(
  { model: shapes.text, collection: shapes.text },
  { documents: shapes.integer, data_bytes: shapes.integer, storage_bytes: shapes.integer, index_bytes: shapes.integer },
);

const milliseconds = { type: 'number' };
const figures = {
  ...{ count: shapes.integer, client_errors: shapes.integer, server_errors: shapes.integer },
  ...{ p50_ms: milliseconds, p95_ms: milliseconds, max_ms: milliseconds },
};
const figuresSince = {
  since: shapes.date,
  total: shapes.object(figures),
  data: shapes.listOf(shapes.object({ method: shapes.text, route: shapes.text, ...figures })),
};

/** What the server is doing, and what to do about it. */
const ofTheMoment = [
  {
    name: 'server.advice',
    http: { method: 'GET', path: '/server/advice' },
    summary: 'Lists what an operator should look at, with what to do',
    access: adminAccess,
    answers: {
      200: shapes.object({
        data: shapes.listOf(shapes.object({ kind: shapes.text, about: shapes.text, advice: shapes.text })),
      }),
    },
    run: async ({ services, principal }) => data(await services.of(advice)(principal)),
  },
  {
    name: 'server.requests',
    http: { method: 'GET', path: '/server/requests' },
    summary: 'Counts the requests since the start and of the last 5 minutes by their routes, with errors and durations',
    access: adminAccess,
    answers: {
      200: shapes.object({ ...figuresSince, recent: shapes.object(figuresSince) }),
    },
    run: async ({ services }) => json(await services.of(requestCounts).all()),
  },
  {
    name: 'server.log',
    http: { method: 'GET', path: '/server/log' },
    summary: 'Lists the last lines of the log, the newest last',
    access: adminAccess,
    input: { query: parametersNamed('request_id', 'limit') },
    answers: {
      200: shapes.object({ data: shapes.listOf(shapes.anyValue('A line of the log')), limit: shapes.integer }),
    },
    run: recentLines,
  },
] satisfies readonly PlainOperation[];

/** @param rows the settings of this server */
export const serverInformation = (rows: readonly SettingRow[]): OperationGroup => ({
  title: 'Server',
  after: 'Models',
  secret: true,
  operations: [
    {
      name: 'server.settings',
      http: { method: 'GET', path: '/server/settings' },
      summary: 'Lists the settings that differ from their defaults, without secrets',
      access: adminAccess,
      answers: { 200: shapes.object({ data: shapes.listOf(setting) }) },
      run: ({ services }) => data(changedSettings(services.settings, rows)),
    },
    {
      name: 'server.storage',
      http: { method: 'GET', path: '/server/storage' },
      summary: 'Lists the sizes of the models in the database',
      access: adminAccess,
      answers: { 200: shapes.object({ data: shapes.listOf(size) }) },
      run: storage,
    },
    ...ofTheMoment,
  ] satisfies readonly PlainOperation[],
});

async function recentLines(context: Context): Promise<Answer> {
  const limit = pageLimit(context);
  const lines = await context.services.of(logLines).about(textOf(context.query, 'request_id'));
  return json({ data: lines.slice(-limit), limit });
}

/** Sizes that the database does not give are absent. */
async function storage({ services, principal, signal }: Context): Promise<Answer> {
  const { registry, settings, shares } = services;
  const models = registry.served.filter((model) => maySee(principal, model));
  const sizes = models.map(async (model) => ({
    model: model.name,
    collection: model.collection,
    ...(await shares.lists({ signal }, () => storageOf(model, settings.query_limits.max_time_ms))),
  }));
  return data(await Promise.all(sizes));
}
