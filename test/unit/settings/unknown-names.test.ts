/** Names of the environment that are probably meant as settings. */
import { describe, expect, test } from '@jest/globals';
import { settingRows } from '../../../src/settings/table.ts';
import { unknownSettings } from '../../../src/settings/unknown-names.ts';

const warningsFor = (name: string): readonly string[] => unknownSettings({ [name]: 'x' });
const meant = (name: string): string => ` is not a setting, and has no effect; did you mean "${name}"?`;

test.each([
  ['THROTLE_MAX', 'THROTTLE_MAX'],
  ['WORKER', 'WORKERS'],
  ['SIGNUPP', 'SIGNUP'],
  ['PORTT', 'PORT'],
  ['port', 'PORT'],
  ['MONGODB_URI', 'MONGODB_URL'],
  ['MODEL_DIR', 'MODELS_DIR'],
  ['THROTTLE_MAXIMUM', 'THROTTLE_MAX'],
  ['QUERY_LIMITS_MAXIMUM', 'QUERY_LIMITS_MAX'],
  ['SHARED_SECRET_PREV', 'SHARED_SECRET_PREVIOUS'],
  ['NODE_EVN', 'NODE_ENV'],
  ['DOSSIER_CONFGI', 'DOSSIER_CONFIG'],
])('%s may mean %s', (name, setting) => {
  expect(warningsFor(name)).toEqual([name + meant(setting)]);
});

test('a name with a prefix of settings that is near none', () => {
  expect(warningsFor('SMTP_CONNECTION_POOL_SIZE')).toEqual([
    'SMTP_CONNECTION_POOL_SIZE is not a setting, and has no effect',
  ]);
});

test.each([
  ...[
    'PATH',
    'HOME',
    'HOSTNAME',
    'SHELL',
    'USER',
    'LANG',
    'PWD',
    'TERM',
    'MAIL',
    'TZ',
    'EDITOR',
    'NODE_OPTIONS',
    'NODE_PATH',
  ],
  ...[
    'npm_config_cache',
    'npm_package_version',
    'CI',
    'HTTP_PROXY',
    'http_proxy',
    'SSH_AUTH_SOCK',
    'XDG_SESSION_ID',
    'LOGNAME',
  ],
  ...[
    'KUBERNETES_SERVICE_HOST',
    'STORE_SERVICE_HOST',
    'STORE_PORT',
    'CACHE_PORT_6379_TCP_ADDR',
    'DOSSIER_SERVICE_PORT_HTTP',
  ],
  ...['AWS_REGION', 'S3_BUCKET', 'API_KEY', 'JWT_SECRET', 'LOG_FORMAT', 'DATABASE_URL', 'POSTGRES_PASSWORD'],
])('%s belongs to other software', (name) => {
  expect(warningsFor(name)).toEqual([]);
});

describe('every setting', () => {
  test.each(settingRows.map(({ variable }) => [variable]))('%s is known, and a slip of it is not', (variable) => {
    expect(warningsFor(variable)).toEqual([]);
    // a name of three letters is too short for slips
    const expected = variable.length < 4 ? [] : [expect.stringContaining(meant(variable))];
    expect(warningsFor(`${variable}X`)).toEqual(expected);
  });
});

test('a variable without a value is not there', () => {
  expect(unknownSettings({ WORKER: undefined })).toEqual([]);
});
