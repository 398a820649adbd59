/** What the generated module of `dossier types` says of a model. */

/** The types of one model. */
export interface ModelTypes {
  /** As answers show it, without linked documents. */
  document: object;
  create: object;
  change: object;
  /** The dotted paths that filters and orders name, with the values that they are compared with. */
  filter: object;
  /** Names that only `fields` takes. */
  computed: string;
  /** The links by the names under which they are shown: `{ id, model, many }`, or `{ more, model, many }` and `{ model, count }` from another model. */
  links: object;
  /** The functions that `call` runs, on a document or on the model. */
  functions: object;
  /** The names that answers have whatever `fields` says: `_id` and, unless the model has an `id` of its own, `id`. */
  always?: string;
}

/** The types of all models: what `Models` of the generated module fulfils. */
export type ModelMap<Models> = { [Name in keyof Models]: ModelTypes };

/** A document with no known field but its id. */
export interface AnyDocument {
  _id: string;
  id: string;
  [field: string]: unknown;
}

interface AnyModel {
  document: AnyDocument;
  create: Readonly<Record<string, unknown>>;
  change: Readonly<Record<string, unknown>>;
  filter: Record<string, unknown>;
  computed: string;
  links: Record<string, { many: boolean; id: string; document: object }>;
  functions: Record<string, 'document' | 'model'>;
}

/** The models of a client without types: any names. */
export type AnyModels = Record<string, AnyModel>;

/** The names of models. */
export type NameIn<Models> = Extract<keyof Models, string>;
type Part<Models, Name extends keyof Models, Key extends keyof ModelTypes> = Models[Name] extends ModelTypes
  ? Models[Name][Key]
  : never;

export type DocumentOf<Models, Name extends keyof Models> = Part<Models, Name, 'document'>;
export type CreateOf<Models, Name extends keyof Models> = Part<Models, Name, 'create'>;
export type ChangeOf<Models, Name extends keyof Models> = Part<Models, Name, 'change'>;
export type FilterOf<Models, Name extends keyof Models> = Part<Models, Name, 'filter'>;
export type LinksOf<Models, Name extends keyof Models> = Part<Models, Name, 'links'>;
type FunctionsOf<Models, Name extends keyof Models> = Part<Models, Name, 'functions'>;
/** The names of the functions that run on the model, or on a document. */
export type FunctionOn<Models, Name extends keyof Models, Target> = keyof {
  [Key in keyof FunctionsOf<Models, Name> as Target extends FunctionsOf<Models, Name>[Key] ? Key : never]: true;
} &
  string;

/** The type of a model's ids; any that a model may have where the documents are not known. */
export type IdOf<Models, Name extends keyof Models> = string extends keyof Models
  ? string | number
  : IdIn<DocumentOf<Models, Name>>;

/** The type of the id of a document. */
export type IdIn<Document> = [Document] extends [never]
  ? string | number
  : Document extends { _id: infer Id extends string | number }
    ? Id
    : string | number;

/** The names that answers have whatever `fields` says. */
export type AlwaysOf<Models, Name extends keyof Models> = Models[Name] extends { always: infer Always }
  ? Always
  : '_id' | 'id';

/** The stored paths of a model. */
export type PathOf<Models, Name extends keyof Models> = Extract<keyof FilterOf<Models, Name>, string>;
/** The names that `fields` takes; with a minus sign they are left out. */
export type FieldOf<Models, Name extends keyof Models> =
  PathOf<Models, Name> | Part<Models, Name, 'computed'> | `-${PathOf<Models, Name> | Part<Models, Name, 'computed'>}`;
export type LinkOf<Models, Name extends keyof Models> = Extract<keyof LinksOf<Models, Name>, string>;

/** The model that a link leads to; never for a link whose document is not a model's. */
export type TargetOf<Models, Name extends keyof Models, Link extends LinkOf<Models, Name>> = LinksOf<
  Models,
  Name
>[Link] extends { model: infer Target extends keyof Models }
  ? Target
  : never;
