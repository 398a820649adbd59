/** Why a model file cannot be loaded, in a sentence with the line and, where it is known, the cure. */
import { relative, resolve } from 'node:path';
import { framesOf } from '../../adapters/stack.ts';
import { preload } from '../preload.ts';
import { otherMongoose } from './one-mongoose.ts';

const missing: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']);

/** A sentence that names the package; undefined for any other error and for a missing file. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !missing.has((error as NodeJS.ErrnoException).code)) return undefined;
  const [, request = ''] = /Cannot find (?:module|package) '([^']+)'/.exec(error.message) ?? [];
  const name = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*/.exec(request)?.[0];
  return name === undefined
    ? undefined
    : `the package ${name} is not installed: run "npm install ${name}" in the folder of the models, or one above it`;
}

/** @param error what loading the file has thrown */
export function loadFailure(error: unknown, file: string): string {
  if (preload() === undefined && isOfJxp(error)) return `${firstLine(textOf(error))}: ${cureOfJxp}`;
  const known = missingPackage(error);
  if (known !== undefined) return known;
  const text = textOf(error);
  // a parser names line and column in the second line
  const place = placed.test(text) ? undefined : placeIn(error, file);
  const cause = /schema/i.test(text) ? otherMongoose() : undefined;
  if (place === undefined && cause === undefined) return text;
  return `${firstLine(text)}${place === undefined ? '' : ` (${place})`}${cause === undefined ? '' : `; ${cause}`}`;
}

const placed = /^.*\n.*:\d+:\d+\s*(?:\n|$)/;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';

/** The innermost line of the project's code: of the model file, or of a file that it requires. */
function placeIn(error: unknown, file: string): string | undefined {
  const frame = error instanceof Error ? framesOf(error).find(({ owner }) => owner === 'project') : undefined;
  if (frame === undefined) return undefined;
  return resolve(file) === frame.file ? `line ${frame.line}` : `${relative('.', frame.file)}:${frame.line}`;
}

const cureOfJxp =
  "for model files of JXP start with NODE_OPTIONS='--import dossier/jxp', and check with --jxp (docs/migrating.md)";

/** Whether a file needs what only JXP, or the preload, gives it. */
const isOfJxp = (error: unknown): boolean =>
  /^JXPSchema is not defined$|^Cannot find (?:module|package) 'jxp(?:\/[^']*)?'/.test(textOf(error));
