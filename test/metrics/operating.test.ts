/** The files of docs/operating.md: alarms and dashboard name metrics that exist. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { rowsOf } from '../docs/tables.ts';
import { startServer } from '../support/server.ts';

const folder = 'docs/examples/operating';
const alerts = readFileSync(`${folder}/alerts.yaml`, 'utf8');
const dashboard = JSON.parse(readFileSync(`${folder}/dashboard.json`, 'utf8')) as {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
};

/** The metrics that a text of PromQL names. */
const namedIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:http_server|db_client|dossier|process|nodejs)_\w+/g)),
];

test('alarms, dashboard and guide name the metrics of a scrape', async () => {
  const server = await startServer({ metrics: { enabled: true } });
  await server.get('/health');
  const { text } = await server.get('/metrics');
  await server.close();
  const found = new Set([...text.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name));
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(shown.length).toBeGreaterThan(10);
  for (const name of namedIn([alerts, ...shown].join('\n'))) expect(found).toContain(name);
  const documented = rowsOf('docs/operating.md', 'Metric', 'Type').map(([name = '']) => name.replaceAll('`', ''));
  const own = [...found].filter((name) => /^(dossier|http|db)_/.test(name ?? ''));
  expect(documented.filter((name) => !found.has(name))).toEqual([]);
  expect(own.filter((name) => !documented.includes((name ?? '').replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
});
