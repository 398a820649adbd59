/** The settings that admins are shown: only those that differ from their defaults, and no secret of any of them. */
import { describe, expect, test } from '@jest/globals';
import { changedSettings } from '../../../src/settings/changed.ts';
import { readDespiteFaults, readSettings } from '../../../src/settings/read.ts';
import type { SettingRow } from '../../../src/settings/row.ts';
import { settingRows } from '../../../src/settings/table.ts';

const rows: readonly SettingRow[] = settingRows;
const word = 'hush-hush-0123456789';
/** A value of each kind that is not a default; for kinds with free text, one with a word to search for. */
const samples: Readonly<Record<Exclude<SettingRow['kind'], 'choice'>, string>> = {
  text: word,
  secret: word,
  url: `https://name:${word}@host.example/page?token=${word}`,
  baseUrl: `https://name:${word}@host.example/page?token=${word}`,
  host: '::1',
  database: `mongodb://name:${word}@host.example/base`,
  mail: `smtp://name:${word}@host.example`,
  count: '12',
  seconds: '13',
  milliseconds: '14',
  bytes: '15mb',
  duration: '16m',
  durations: '17s,18h',
  hosts: 'localhost,10.0.0.0/8',
  cron: '0 3 * * *',
  switch: 'true',
  origins: 'https://app.example',
  folders: 'shop,blog',
  proxy: '2',
};
function sampleOf({ kind, default: usual, choices }: SettingRow): string {
  if (kind === 'choice') return choices?.at(-1) ?? '';
  return kind === 'switch' ? String(usual !== 'true') : samples[kind];
}
const environment = Object.fromEntries(rows.map((row) => [row.variable, sampleOf(row)]));
// some cannot be set together
const changed = changedSettings(readDespiteFaults(environment));

test('defaults are not listed', () => {
  expect(changedSettings(readSettings({}))).toEqual([]);
  expect(changedSettings(readSettings({ PORT: '4001', MAX_BODY_SIZE: '1024kb', TRUST_PROXY: 'False' }))).toEqual([]);
});

test('all settings that differ are listed', () => {
  expect(changed.map(({ variable }) => variable)).toEqual(rows.map(({ variable }) => variable));
});

describe('of all settings', () => {
  test.each(rows.map((row) => [row.variable, row] as const))('%s shows no secret', (variable, row) => {
    const shown = changed.find((one) => one.variable === variable);
    if (row.kind === 'text' && row.plain === true) expect(shown).toMatchObject({ value: word, hidden: false });
    else expect(JSON.stringify(shown)).not.toContain(word);
    expect(shown && 'value' in shown).toBe(shown?.hidden === false);
  });

  test('only these texts are plain; a new one is hidden unless its row marks it as plain', () => {
    expect(rows.flatMap(({ variable, plain }) => (plain === true ? [variable] : [])).sort()).toEqual(
      [
        'ADMIN_NAME',
        'API_URL',
        'APP_NAME',
        'BACKUP_DIR',
        'DATA_DIR',
        'LOGIN_FIELD',
        'MODELS_DIR',
        'ROUTES_DIR',
        'SMTP_FROM',
      ].sort(),
    );
  });
});

test.each([
  ['https://api.example/films', true],
  ['https://key@api.example/', false],
  ['https://:word@api.example/', false],
  ['https://api.example/?key=word', false],
  ['https://api.example/#word', false],
])('API_URL=%s is shown: %s', (url, isShown) => {
  expect(changedSettings(readSettings({ API_URL: url }))).toMatchObject([
    { variable: 'API_URL', key: 'api_url', hidden: !isShown, ...(isShown ? { value: url } : {}) },
  ]);
});

test('a value is listed with its default', () => {
  const meaning = 'Maximum size of a request body, also after decompression';
  expect(changedSettings(readSettings({ MAX_BODY_SIZE: '2mb' }))).toEqual([
    { variable: 'MAX_BODY_SIZE', key: 'max_body_size', meaning, hidden: false, value: 2_097_152, default: 1_048_576 },
  ]);
});
