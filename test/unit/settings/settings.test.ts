/** Settings: every name, kind, default and error, and the two files that repeat the table. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadConfigFile } from '../../../src/settings/config-file.ts';
import { readSettings, SettingsError } from '../../../src/settings/read.ts';
import type { SettingRow } from '../../../src/settings/row.ts';
import { settingRows } from '../../../src/settings/table.ts';
import { rowsOf } from '../../docs/tables.ts';

const rows: readonly SettingRow[] = settingRows;

/** The faults that an environment has. */
function faultsOf(environment: Readonly<Record<string, string>>, given: object = {}): readonly string[] {
  try {
    readSettings(environment, given);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

describe('the table', () => {
  test('has the documented names and defaults', () => {
    const defaults = Object.fromEntries(rows.map((row) => [row.variable, row.default]));
    expect(defaults).toEqual({
      PORT: '4001',
      HOST: '127.0.0.1',
      API_URL: undefined,
      MODELS_DIR: './models',
      ROUTES_DIR: './routes',
      MODELS_FOLDERS: undefined,
      MONGOOSE_CALLBACKS: 'true',
      MONGODB_URL: undefined,
      DATA_DIR: './data',
      POOL_SIZE: undefined,
      POOL_MIN: undefined,
      READ_PREFERENCE: undefined,
      STORE_MAX_BYTES: '0',
      STORE_HISTORY_HOURS: '24',
      STORE_HISTORY_BYTES: '1gb',
      BACKUP_SCHEDULE: undefined,
      BACKGROUND: 'true',
      BACKUP_DIR: './backups',
      BACKUP_KEEP: '7',
      SHARED_SECRET: undefined,
      SHARED_SECRET_PREVIOUS: undefined,
      SHARED_SECRET_ACCEPT: undefined,
      TOKEN_EXPIRY: '86400',
      REFRESH_TOKEN_EXPIRY: '2592000',
      JWT_EXPIRY: '172800',
      LOGIN_FIELD: 'email',
      SHED_AFTER_MS: '500',
      KEEP_ALIVE_TIMEOUT: '72',
      RECOVERY_EXPIRY: '3600',
      MAX_SESSIONS: '1',
      MCP: 'read',
      AUDIT_DAYS: '90',
      JOBS_CONCURRENCY: '4',
      JOBS_RETRIES: '10s,1m,10m',
      MFA_REQUIRED: 'off',
      SESSION_IDLE: '0',
      REFRESH_GRACE: '10',
      URL_CREDENTIALS: 'true',
      BCRYPT_COST: '10',
      SIGNUP: 'off',
      VERIFY_URL: undefined,
      PASSWORD_MIN_LENGTH: '1',
      PASSWORD_COMMON: 'false',
      QUERY_LIMITS_ENABLED: 'true',
      QUERY_LIMITS_DEFAULT: '100',
      QUERY_LIMITS_MAX: '1000',
      QUERY_LIMITS_LARGE_COLLECTION_THRESHOLD: '10000',
      QUERY_LIMITS_SKIP_COUNT_UNLESS_PAGINATED: 'true',
      QUERY_LIMITS_MAX_TIME_MS: '10000',
      QUERY_LIMITS_MAX_RESPONSE_SIZE: '10mb',
      CACHE_ENABLED: 'false',
      CACHE_TTL: '300',
      SLOW_MS: '200',
      CONSOLE_ENABLED: 'true',
      APP_NAME: 'Dossier',
      CORS_ORIGINS: '*',
      THROTTLE_ENABLED: 'true',
      THROTTLE_WINDOW_MS: '60000',
      THROTTLE_MAX: '1000',
      THROTTLE_SHARED: 'false',
      THROTTLE_USER_MAX: '0',
      LOGIN_THROTTLE_MAX: '10',
      WEBHOOK_ALLOW: undefined,
      WEBHOOK_KEEP: '30d',
      WEBHOOK_RETRIES: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
      WEBHOOK_TIMEOUT: '15',
      WEBSOCKET_MAX_PER_ADDRESS: '1000',
      WEBSOCKET_MAX_PER_USER: '500',
      WORKERS: '1',
      TRUST_PROXY: 'false',
      MAX_BODY_SIZE: '1mb',
      SMTP_URL: undefined,
      SMTP_FROM: undefined,
      SECURITY_MAILS: 'true',
      PASSWORD_RECOVERY_URL: undefined,
      ADMIN_EMAIL: undefined,
      ADMIN_PASSWORD: undefined,
      ADMIN_NAME: 'admin',
      SETUP_TOKEN: undefined,
      LOG_LEVEL: 'info',
      METRICS: 'false',
      METRICS_TOKEN: undefined,
    });
  });

  test('matches docs/settings.md', () => {
    const code = (text: string | undefined): string => (text === undefined ? '' : `\`${text}\``);
    expect(rowsOf('docs/settings.md', 'Variable')).toEqual(
      rows.map((row) => [code(row.variable), code(row.key), row.kind, code(row.default), row.meaning]),
    );
  });

  test('matches .env.example, with each setting below its meaning', () => {
    const blocks = readFileSync('.env.example', 'utf8').trim().split('\n\n').slice(1);
    const expected = rows.map((row) => `# ${row.meaning}\n# ${row.variable}=${row.default ?? ''}`);
    expect(blocks.filter((block) => !block.endsWith('DOSSIER_CONFIG='))).toEqual(expected);
  });
});

describe('without anything set', () => {
  test('the defaults apply, as values, frozen at every depth', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      port: 4001,
      host: '127.0.0.1',
      api_url: undefined,
      query_limits: { enabled: true, default: 100, max_response_size: 10 * 1024 ** 2 },
      cors: { origins: ['*'] },
      throttle: { enabled: true, window_ms: 60_000, max: 1000, login_max: 10 },
      trust_proxy: false,
      max_body_size: 1024 ** 2,
      production: false,
    });
    for (const part of [settings, settings.query_limits, settings.cors.origins])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test('an empty value counts as not set', () => {
    expect(readSettings({ PORT: '', HOST: '' })).toMatchObject({ port: 4001, host: '127.0.0.1' });
  });
});

describe('a value', () => {
  test.each<[variable: string, text: string, value: unknown]>([
    ['PORT', '0', 0],
    ['PORT', ' 8080 ', 8080],
    ['MAX_BODY_SIZE', '500kb', 512_000],
    ['MAX_BODY_SIZE', '2 MB', 2_097_152],
    ['MAX_BODY_SIZE', '1000', 1000],
    ['MAX_BODY_SIZE', '10b', 10],
    ['TRUST_PROXY', 'true', true],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['LOG_LEVEL', 'DEBUG', 'debug'],
    ['API_URL', 'https://api.example/v1', 'https://api.example/v1'],
  ])('%s=%s', (variable, text, value) => {
    const { key } = rows.find((row) => row.variable === variable) ?? { key: '' };
    expect(readSettings({ [variable]: text })).toHaveProperty(key, value);
  });

  test.each(['true', '1', 'yes', 'on', 'TRUE'])('CACHE_ENABLED=%s is on', (text) => {
    expect(readSettings({ CACHE_ENABLED: text }).cache.enabled).toBe(true);
  });

  test('CORS_ORIGINS is a list', () => {
    expect(readSettings({ CORS_ORIGINS: 'https://a.example, https://b.example,' }).cors.origins).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
  });
});

test('the faults of all settings are reported at once, also those of features', () => {
  const environment = {
    ...{ NODE_ENV: 'production', PORT: 'abc', BCRYPT_COST: '4', WEBHOOK_ALLOW: '*', BACKUP_SCHEDULE: '61 * * * *' },
    ...{ TRUST_PROXY: '::/200' },
  };
  expect(() => readSettings(environment)).toThrow(
    expect.objectContaining({
      faults: expect.arrayContaining([
        ...['PORT: must', 'BACKUP_SCHEDULE: cron', 'TRUST_PROXY: must', 'BCRYPT_COST: must', 'SHARED_SECRET: must'].map(
          (fault) => expect.stringContaining(fault),
        ),
        'WEBHOOK_ALLOW: must name hosts, addresses or ranges in production, not *',
      ]),
    }),
  );
});

describe('a fault names the variable', () => {
  test.each<[environment: Readonly<Record<string, string>>, fault: RegExp]>([
    [{ PORT: 'abc' }, /^PORT: must be a whole number/],
    [{ PORT: '65536' }, /^PORT: must be at most 65535/],
    [{ PORT: '-1' }, /^PORT: /],
    [{ PORT: '80.5' }, /^PORT: /],
    [{ TOKEN_EXPIRY: '0' }, /^TOKEN_EXPIRY: must be at least 1/],
    [{ TOKEN_EXPIRY: '1d' }, /^TOKEN_EXPIRY: /],
    [{ BCRYPT_COST: '3' }, /^BCRYPT_COST: must be at least 4/],
    [{ BCRYPT_COST: '16' }, /^BCRYPT_COST: must be at most 15/],
    [{ CACHE_ENABLED: 'maybe' }, /^CACHE_ENABLED: must be true or false/],
    [{ MAX_BODY_SIZE: '1tb' }, /^MAX_BODY_SIZE: must be a size/],
    [{ MAX_BODY_SIZE: '0' }, /^MAX_BODY_SIZE: /],
    [{ API_URL: 'ftp://x' }, /^API_URL: must be an http or https URL/],
    [{ API_URL: 'x' }, /^API_URL: /],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of/],
    [{ MFA_REQUIRED: 'user' }, /^MFA_REQUIRED: must be one of off, admin/],
    [{ TRUST_PROXY: 'nobody' }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: .*got "10.0.0.0\/33"/],
    [{ WEBHOOK_ALLOW: '127.0.0.1/99' }, /^WEBHOOK_ALLOW: .*ranges such as 10.0.0.0\/8, got "127.0.0.1\/99"/],
    [{ WEBHOOK_ALLOW: '::1/129' }, /^WEBHOOK_ALLOW: /],
    [{ WEBHOOK_ALLOW: 'a.example/8' }, /^WEBHOOK_ALLOW: /],
    [{ BACKUP_SCHEDULE: '61 * * * *' }, /^BACKUP_SCHEDULE: cron "61 \* \* \* \*" is not valid.*such as "0 3 \* \* \*"/],
    [{ ADMIN_EMAIL: 'root' }, /^ADMIN_EMAIL: must be one email address/],
    [{ ADMIN_EMAIL: 'root', LOGIN_FIELD: 'username' }, /^ADMIN_EMAIL: .*must be set together/],
    [{ ADMIN_EMAIL: 'root@x.test' }, /^ADMIN_EMAIL: .*must be set together/],
    [{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'a'.repeat(73) }, /^ADMIN_PASSWORD: must have at most 72 bytes/],
    [{ QUERY_LIMITS_DEFAULT: '2000' }, /^QUERY_LIMITS_DEFAULT: must not be larger/],
    [{ POOL_SIZE: '4' }, /^POOL_SIZE: must be at least 5/],
    [{ POOL_SIZE: '10', POOL_MIN: '11' }, /^POOL_MIN: must not be larger than POOL_SIZE/],
    [{ READ_PREFERENCE: 'replica' }, /^READ_PREFERENCE: must be one of primary, primaryPreferred, secondary/],
    [
      { ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'short', PASSWORD_MIN_LENGTH: '8' },
      /^ADMIN_PASSWORD: must have at least PASSWORD_MIN_LENGTH characters/,
    ],
    [{ NODE_ENV: 'production' }, /^SHARED_SECRET: must be set in production/],
    [{ NODE_ENV: 'production', SHARED_SECRET: 'short' }, /^SHARED_SECRET: /],
    [{ NODE_ENV: 'production', SHARED_SECRET: 'a'.repeat(32), BCRYPT_COST: '9' }, /^BCRYPT_COST: .* in production/],
    [
      { NODE_ENV: 'production', SHARED_SECRET: 'a'.repeat(32), METRICS_TOKEN: 'a'.repeat(15) },
      /^METRICS_TOKEN: must have at least 16 random characters in production/,
    ],
  ])('%j', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([expect.stringMatching(fault)]);
  });

  test('all faults are reported at once', () => {
    const faults = faultsOf({ PORT: 'x', CACHE_ENABLED: 'x', MAX_BODY_SIZE: 'x', API_URL: 'x', LOG_LEVEL: 'x' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'PORT',
      'API_URL',
      'CACHE_ENABLED',
      'MAX_BODY_SIZE',
      'LOG_LEVEL',
    ]);
  });

  test('secrets are not repeated', () => {
    expect(faultsOf({ ADMIN_EMAIL: 'a@b.c', ADMIN_PASSWORD: 'CANARY'.repeat(20) }).join()).not.toContain('CANARY');
  });
});

describe('a config', () => {
  test('has the same keys and checks, and is overridden by the environment', () => {
    expect(
      readSettings({ PORT: '1' }, { port: 2, cache: { enabled: true }, cors: { origins: ['https://a'] } }),
    ).toMatchObject({
      port: 1,
      cache: { enabled: true, ttl: 300 },
      cors: { origins: ['https://a'] },
    });
    expect(faultsOf({}, { port: 'x', query_limits: { max: 0 } })).toHaveLength(2);
  });
});

describe('a config file', () => {
  test.each<[config: unknown, faults: string[]]>([
    [{ port: 1, query_limits: { max: 5 }, pre_hooks: {}, extra_parameters: ['x'] }, []],
    [{ pre_hook: {}, query_limit: { max: 5 } }, ['pre_hook is unknown', 'query_limit is unknown']],
    [{ query_limits: { maximum: 5 } }, ['query_limits.maximum is unknown']],
    [5, ['the default export must be an object']],
  ])('%j has the faults %j', async (config, faults) => {
    const loaded = await loadConfigFile('/x.js', () => Promise.resolve(config)).catch((error: unknown) => error);
    if (faults.length === 0) expect(loaded).toBe(config);
    else expect((loaded as SettingsError).faults).toEqual(faults.map((fault) => `/x.js: ${fault}`));
  });

  test('that is missing is reported in one line', async () => {
    const load = () => Promise.reject(new Error("Cannot find module '/x.js'\nRequire stack:\n- /y.js"));
    await expect(loadConfigFile('/x.js', load)).rejects.toMatchObject({
      faults: ["/x.js: Cannot find module '/x.js'"],
    });
  });
});
