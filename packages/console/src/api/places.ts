/** The places of values in documents: paths with positions in lists, as faults and histories have them. Pure. */
import { labelOf, shortLabel } from './labels.ts';
import type { Field, Model, OwnModel } from './models.ts';

export type Fields = Pick<Model, 'fields'>;

/** A part of a path that may be a position. */
const isNumber = (part: string): boolean => /^\d+$/.test(part);

/** A path of the model, its positions in lists from 1, and its label: `parts.0.name` is `parts.name`, "Parts 1: Name". */
export interface Place {
  readonly path: string;
  readonly label: string;
  /** Undefined inside of a free-form value. */
  readonly field: Field | undefined;
}

export function placeOf(model: Fields, real: string): Place {
  const names: string[] = [];
  const labels: string[] = [];
  for (const part of real.split('.')) {
    const path = names.join('.');
    if (isNumber(part) && model.fields[path]?.array === true) labels.push(`${labels.pop() ?? ''} ${Number(part) + 1}`);
    else {
      names.push(part);
      // names of maps and of free-form values are data
      labels.push(isKnown(model, names.join('.')) ? shortLabel(model, names.join('.')) : part);
    }
  }
  const path = names.join('.');
  // a label of its own tells paths of one name apart
  const label = path === real && model.fields[path] !== undefined ? labelOf(model, path) : labels.join(': ');
  return { path, label, field: model.fields[path] };
}

/** Whether a path, or one below it, is in the model. */
const isKnown = ({ fields }: Fields, path: string): boolean =>
  fields[path] !== undefined || hasInside({ fields }, path);

/** Whether there are paths below a path. */
export const hasInside = ({ fields }: Fields, path: string): boolean =>
  Object.keys(fields).some((one) => one.startsWith(`${path}.`));

/** A path in a list: that of the list, the position, and what follows it. */
interface InList {
  readonly list: string;
  readonly at: number;
  readonly rest: string;
}

/** @param from the number of the first characters of a path, whose lists are left out */
export function inList(model: Fields, real: string, from: number): InList | undefined {
  const parts = real.split('.');
  let length = 0;
  for (const [at, part] of parts.entries()) {
    const list = real.slice(0, Math.max(length - 1, 0));
    if (length > from && isNumber(part) && placeOf(model, list).field?.array === true)
      return { list, at: Number(part), rest: parts.slice(at + 1).join('.') };
    length += part.length + 1;
  }
  return undefined;
}

/** A part of a document inside of another one: a field, or a nested document, which has none of its own. */
interface Part {
  readonly name: string;
  readonly field: Field | undefined;
}

/** The parts of a list member, or of a nested document, that the caller may read or write, without ids and what the model file hides. */
export function partsOf(model: OwnModel, path: string): readonly Part[] {
  const prefix = `${path}.`;
  const isShown = (one: string): boolean =>
    one.startsWith(prefix) && model.fields[one]?.hidden !== true && (model.rights.fields[one] ?? '') !== '';
  const names = Object.keys(model.fields)
    .filter(isShown)
    .map((one) => one.slice(prefix.length).split('.', 1)[0] ?? '');
  return [...new Set(names)]
    .filter((name) => name !== '_id')
    .map((name) => ({ name, field: model.fields[prefix + name] }));
}
