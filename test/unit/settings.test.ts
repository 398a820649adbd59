/** The settings: every row, all faults at once, and the files that repeat the table. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readSettings, SettingsError } from '../../src/settings/read.ts';
import { settingRows } from '../../src/settings/table.ts';

const faultsOf = (environment: Record<string, string>, given = {}): readonly string[] => {
  try {
    readSettings(environment, given);
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
};

test('the defaults are those of the contract', () => {
  expect(readSettings({})).toMatchObject({
    port: 4001,
    host: '127.0.0.1',
    token_expiry: 86_400,
    refresh_token_expiry: 2_592_000,
    jwt_expiry: 172_800,
    max_sessions: 1,
    refresh_grace: 10,
    bcrypt_cost: 10,
    query_limits: {
      enabled: true,
      default: 100,
      max: 1000,
      large_collection_threshold: 10_000,
      max_time_ms: 10_000,
      max_response_size: 10 * 1024 ** 2,
    },
    cache: { enabled: false, ttl: 300 },
    cors: { origins: ['*'] },
    throttle: { enabled: true, window_ms: 60_000, max: 1000, login_max: 10 },
    trust_proxy: false,
    max_body_size: 1024 ** 2,
    log_level: 'info',
  });
});

test('all faults are told at once, each naming its variable', () => {
  const faults = faultsOf({
    PORT: 'x',
    API_URL: 'ftp://x',
    CACHE_ENABLED: 'perhaps',
    TRUST_PROXY: 'nobody',
    MAX_BODY_SIZE: 'big',
    LOG_LEVEL: 'loud',
  });
  const named = ['PORT', 'API_URL', 'CACHE_ENABLED', 'TRUST_PROXY', 'MAX_BODY_SIZE', 'LOG_LEVEL'];
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(named);
});

describe('rules between settings', () => {
  test.each([
    ['production without a secret (RC-07)', { NODE_ENV: 'production' }, 'SHARED_SECRET'],
    ['production with a short secret (RC-07)', { NODE_ENV: 'production', SHARED_SECRET: '12345678' }, 'SHARED_SECRET'],
    [
      'production with cheap hashes',
      { NODE_ENV: 'production', SHARED_SECRET: 'x'.repeat(32), BCRYPT_COST: '4' },
      'BCRYPT_COST',
    ],
    [
      'a default limit above the largest',
      { QUERY_LIMITS_DEFAULT: '20', QUERY_LIMITS_MAX: '10' },
      'QUERY_LIMITS_DEFAULT',
    ],
    ['an admin without a password', { ADMIN_EMAIL: 'a@x.test' }, 'ADMIN_EMAIL'],
  ] as const)('%s', (_name, environment, variable) => {
    expect(faultsOf(environment)).toEqual([expect.stringContaining(variable)]);
  });
});

test('the environment wins over the config, the config over the defaults; what comes out is frozen', () => {
  const settings = readSettings({ PORT: '5000' }, { port: 6000, query_limits: { max: 500 } });
  expect([settings.port, settings.query_limits.max, settings.query_limits.default]).toEqual([5000, 500, 100]);
  expect(Object.isFrozen(settings.query_limits)).toBe(true);
});

test.each(settingRows.map((row) => [row.variable, row] as const))(
  '%s stands in .env.example and docs/settings.md with its default',
  (variable, row) => {
    const example = readFileSync('.env.example', 'utf8');
    expect(example).toContain(`# ${row.meaning}\n# ${variable}=${row.default ?? ''}\n`);
    const cells = readFileSync('docs/settings.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`| \`${variable}\``));
    expect(cells).toContain(`\`${row.key}\``);
    expect(cells).toContain(row.default === undefined ? '–' : `\`${row.default}\``);
  },
);
