/** What a scraper reads: the metrics of all processes of this server. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { addressRange } from '../../adapters/address-ranges.ts';
import { bearerFrom } from '../../auth/credentials/methods.ts';
import {
  type Answer,
  type Context,
  type Core,
  forbidden,
  openAccess,
  type OperationGroup,
  type PlainOperation,
  type Settings,
  shapes,
  text,
} from '../../core.ts';
import { badCredentials } from '../../errors/errors.ts';
import { databaseSize } from '../../read/storage.ts';

/** The media type of the text (Prometheus, "Exposition formats"). */
const textType = 'text/plain; version=0.0.4; charset=utf-8';

/** Reads the metrics of this server. */
export interface Scrape {
  (): Promise<string>;
}

export function scrape({ services }: Core): Scrape {
  const { metrics, shared, connection } = services;
  shared.onMessage('metrics', () => metrics.snapshot());
  return async () => {
    const size = await databaseSize(connection);
    // otherwise those that were known last
    if (size !== undefined) metrics.set('dossier_store_bytes', size.bytes);
    if (size?.disk !== undefined) metrics.set('dossier_disk_used_ratio', 1 - size.disk.free / size.disk.total);
    return metrics.text(await shared.metrics(await metrics.snapshot()));
  };
}

export const metricsOperations: OperationGroup = {
  title: 'Metrics',
  after: 'Health',
  secret: true,
  operations: [
    {
      name: 'metrics.read',
      http: { method: 'GET', path: '/metrics' },
      summary: 'The metrics of the server, as text for Prometheus',
      access: openAccess('`METRICS_TOKEN` protects it; without one, only this machine may read it', guard),
      isOn: ({ metrics }) => metrics.enabled,
      probe: true,
      isUncounted: hasToken,
      ownCredential: 'bearer',
      failures: [401, 403],
      answers: { 200: shapes.textOf('text/plain') },
      run,
    },
  ] satisfies readonly PlainOperation[],
};

async function run({ services }: Context): Promise<Answer> {
  return text(textType, await services.of(scrape)());
}

/** @throws 401 without the token, 403 from another machine where there is none */
function guard({ services, headers, ip }: Context): void {
  const { token } = services.settings.metrics;
  if (token === undefined) {
    if (!isLoopback(ip)) throw forbidden('without METRICS_TOKEN, only the machine of the server may read its metrics');
    return;
  }
  if (!hasToken(services.settings, headers)) throw badCredentials('the metrics require METRICS_TOKEN as bearer token');
}

/** Whether a request has the token of the metrics. */
function hasToken({ metrics: { token } }: Pick<Settings, 'metrics'>, { authorization }: IncomingHttpHeaders): boolean {
  const given = bearerFrom(authorization);
  return token !== undefined && given !== undefined && timingSafeEqual(digest(given), digest(token));
}

const digest = (value: string): Buffer => hash('sha256', value, 'buffer');

const loopback = ['127.0.0.0/8', '::1'].map(addressRange);
const isLoopback = (ip: string): boolean => loopback.some((range) => range?.contains(ip) === true);
