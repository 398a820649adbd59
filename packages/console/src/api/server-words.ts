/** What the server says in the words of people: paths have their labels. Pure. */
import type { FailureBody } from 'dossier-client';
import { labelOf, labelOfModel } from './labels.ts';
import type { Model } from './models.ts';
import { placeOf } from './places.ts';

/** A path by itself, and not a part of another one, of a word or of a value. */
const alone = (path: string): RegExp =>
  new RegExp(`(?<![\\w."])${path.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![\\w"]|[.]\\w)`);

/** A message with a label in place of its path, where that stands first: the model file decides where. */
export const withLabel = (message: string, path: string, label: string): string => {
  const text = message.replace(deletedHolder, 'a document in the trash has this value');
  return path === '' ? text : text.replace(alone(path), () => label);
};

/** What a refused unique value ends with where a deleted document has it: the model, and for programs the request that reads the document. */
const deletedHolder = /a deleted \S+ has this value(: GET \S+)?$/;

/** The text of a refusal. @param model of the document that is refused */
export function wordsOfRefusal({ err = '', errors = [] }: FailureBody, model: Model | undefined): string {
  if (model === undefined) return err;
  const paths = [...new Set(errors.map(({ path }) => path))];
  return paths.reduce((text, path) => withLabel(text, path, placeOf(model, path).label), err);
}

/** The links by which documents keep another one from being deleted, such as `loan.object_ids`. */
const linking = /(?<=other documents link to it: ).*$/s;

/** A text in which the links of models are named, such as “Loans: Objects”. */
export const withLinks = (text: string, models: ReadonlyMap<string, Model> | undefined): string =>
  text.replace(linking, (links) =>
    links
      .split(', ')
      .map((link) => linkName(link, models))
      .join(', '),
  );

function linkName(link: string, models: ReadonlyMap<string, Model> | undefined): string {
  const [, name = '', path = ''] = /^([^.]+)\.(.+)$/.exec(link) ?? [];
  const model = models?.get(name);
  return model === undefined ? link : `${labelOfModel(model)} (${labelOf(model, path)})`;
}
