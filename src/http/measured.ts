/** Measures a request: how long it takes until its answer has been sent, or its connection has ended. */
import type { Request, Response } from 'express';
import type { Metrics } from '../metrics/metrics.ts';
import { methodLabel, unknownRoute } from '../metrics/table.ts';

/** The status of a request whose caller has gone before it was answered: none was sent. */
const unanswered = '';

/** An answer that streams counts for as long as it lasts. */
export function measured(metrics: Metrics, { method }: Pick<Request, 'method'>, res: Response): void {
  const begun = performance.now();
  metrics.add('http_server_active_requests', 1);
  res.once('close', () => {
    metrics.add('http_server_active_requests', -1);
    const { route = unknownRoute } = res.locals as { readonly route?: string };
    const status = res.headersSent ? String(res.statusCode) : unanswered;
    if (res.statusCode === 429) metrics.count('dossier_requests_throttled_total');
    const labels = [methodLabel(method), route, status];
    metrics.observe('http_server_request_duration_seconds', labels, (performance.now() - begun) / 1000);
  });
}
