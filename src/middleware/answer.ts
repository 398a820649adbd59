/** Answers as values, and the one place that writes a success to the response. */
import type { Response } from 'express';
import { answerTooLarge } from '../errors.ts';

export type Answer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly value: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'bytes'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'redirect'; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** `value` as the body. */
export const json = (value: unknown): Answer => ({ kind: 'json', status: 200, value });
/** JSON that is encoded already. */
export const bytes = (body: Buffer): Answer => ({ kind: 'bytes', status: 200, body });
export const data = (value: unknown): Answer => json({ data: value });
/** Success without data, or with more beside it. */
export const ok = (message: string, more: object = {}): Answer => json({ status: 'ok', message, ...more });
/** 201 with the address of what has been made. */
export const created = (location: string, message: string, value: unknown): Answer => ({
  kind: 'json',
  status: 201,
  value: { status: 'ok', message, data: value },
  headers: { Location: location },
});
export const redirect = (url: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  kind: 'redirect',
  url,
  headers,
});

/** Writes an answer. @throws 413 when it is larger than the limit */
export function send(res: Response, answer: Answer, most: number): void {
  if (answer.kind === 'redirect') {
    res.writeHead(302, { ...answer.headers, Location: answer.url, 'Content-Length': '0' }).end();
    return;
  }
  const body = answer.kind === 'bytes' ? answer.body : Buffer.from(JSON.stringify(answer.value) ?? 'null');
  if (body.length > most) throw answerTooLarge(most);
  if (answer.kind === 'json')
    for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  writeBody(res, answer.status, body);
}

/** Writes a JSON body in one piece. */
export function writeBody(res: Response, status: number, body: Buffer): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length });
  if (res.req.method === 'HEAD') res.end();
  else res.end(body);
}
