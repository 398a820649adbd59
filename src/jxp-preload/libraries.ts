/** The libraries of JXP that model files require: `jxp/libs/query_manipulation` and `jxp/libs/load-config`. */
import { isPlainObject } from '../models/plain-object.ts';
import { fromText } from '../query/extended.ts';
import { readDespiteFaults, readEnvironment } from '../settings/read.ts';
import type { Settings } from '../settings/types.ts';

/** The query with ids and dates in place of `ObjectId("…")`, `new Date("…")` and `relative_date(…)`, at any depth. */
function fixQuery(query: unknown): unknown {
  if (typeof query === 'string') return fromText(query, () => new Date());
  if (Array.isArray(query)) return query.map(fixQuery);
  if (!isPlainObject(query)) return query;
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, fixQuery(value)]));
}

const settings = (): Settings => readDespiteFaults(readEnvironment());

/** The settings by the names of JXP's config, without secrets. @param overrides values that take precedence */
function loadJxpConfig(overrides: object = {}): object {
  const { port, api_url, models_dir, mongodb_url, token_expiry, refresh_token_expiry } = settings();
  return {
    port,
    url: api_url,
    server: api_url,
    model_dir: models_dir,
    mongo: { connection_string: mongodb_url, options: {} },
    token_expiry,
    refresh_token_expiry,
    ...overrides,
  };
}

/** How long JXP 5.1 keeps the queries in its model `indexquerylog`, in seconds: at least a day, 30 days by default. */
function getIndexQueryLogRetentionSeconds(): number {
  const days = Number.parseInt(readEnvironment()['INDEX_QUERY_LOG_RETENTION_DAYS'] ?? '', 10);
  return Math.max(1, Number.isNaN(days) ? 30 : days) * 86_400;
}

const libraries: Readonly<Record<string, object>> = {
  query_manipulation: { fix_query: fixQuery },
  'load-config': {
    // the server has read the file
    loadEnv: () => undefined,
    loadJxpConfig,
    getMongoConnectionString: () => settings().mongodb_url,
    getModelDirFromEnv: () => settings().models_dir,
    getTokenExpiry: () => settings().token_expiry,
    getRefreshTokenExpiry: () => settings().refresh_token_expiry,
    getIndexQueryLogRetentionSeconds,
  },
};

/** The libraries by the names under which files require them. */
export const libraryModules: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(libraries).flatMap(([name, library]) =>
    ['', '.js'].map((ending) => [`jxp/libs/${name}${ending}`, library] as const),
  ),
);
