/** The paths of requests. */
import { DossierError } from './error.ts';

/** What a URL leaves out of a path, however it is written, so that another operation would run, such as a list instead of a document. */
const leftOut: readonly string[] = ['', '.', '..'];

/** @throws TypeError for an id that is not there, DossierError 400 for a part that no path can have, such as an empty id */
export function checkParts(parts: readonly (string | number)[]): void {
  for (const part of parts as readonly unknown[])
    if (part === undefined || part === null)
      throw new TypeError(`an id or a name is a text or a number, and not ${String(part)}`);
  const bad = parts.find((part) => leftOut.includes(String(part)));
  if (bad !== undefined)
    throw new DossierError(400, { message: 'Bad path', err: `${JSON.stringify(bad)} is no id, and no name` });
}

/** @throws as `checkParts` */
export function pathOf(parts: readonly (string | number)[]): string {
  checkParts(parts);
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
