/** What the server says about models and about the caller, kept for the session. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Me, Rights } from 'dossier-client';
import { client, pathOf, send } from './client.ts';

/** How values are edited and shown; of a list, its members. */
export type Input = 'text' | 'number' | 'date' | 'boolean' | 'id' | 'object' | 'json';

/** A field, as `GET /model/{name}` describes it. */
export interface Field {
  readonly type: string;
  readonly input: Input;
  readonly required: boolean;
  readonly unique: boolean;
  readonly index: boolean;
  readonly array: boolean;
  /** Whether a document that exists keeps its value. */
  readonly immutable?: true;
  readonly enum?: readonly (string | number | null)[];
  /** Limits, of a list those of its members; of dates as text. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly minlength?: number;
  readonly maxlength?: number;
  readonly match?: { readonly pattern: string; readonly flags: string; readonly message?: string };
  /** What the server does with a text before it checks it. */
  readonly trim?: true;
  readonly lowercase?: true;
  readonly uppercase?: true;
  readonly default?: unknown;
  readonly link?: string;
  readonly map_to?: string;
  /** What the model file says for people. */
  readonly label?: string;
  readonly description?: string;
  readonly group?: string;
  readonly icon?: string;
  readonly hidden?: true;
  /** Whether tables show it, where the model file decides. */
  readonly list?: boolean;
  /** The kinds of the documents that have it; all documents have any other. */
  readonly kinds?: readonly unknown[];
  readonly perms?: Readonly<Record<string, string>>;
}

type CallRule = string | { readonly needs: string; readonly on: 'document' | 'model' };

/** A model, as `GET /model/{name}` describes it. */
export interface Model {
  readonly name: string;
  readonly collection: string;
  /** What the model file says for people. */
  readonly label?: string;
  readonly description?: string;
  readonly group?: string;
  readonly icon?: string;
  readonly hidden?: true;
  /** The columns of a table. */
  readonly list?: readonly string[];
  /** The path of the text by which people know a document. */
  readonly title?: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Nested documents by their paths: what the model file says of them, and whether they may be missing as a whole. */
  readonly nested?: Readonly<
    Record<string, Pick<Field, 'label' | 'description' | 'group' | 'icon'> & { readonly optional?: true }>
  >;
  /** The path that has a document's kind, and its values. */
  readonly kinds?: { readonly key: string; readonly values: readonly unknown[] };
  readonly perms: Readonly<Record<string, string>>;
  readonly rules?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The links of other models that are shown with its documents, by the names that they have there. */
  readonly reverses?: Readonly<Record<string, { readonly model: string; readonly path: string }>>;
  readonly indexes: readonly {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly unique?: boolean;
    readonly sparse?: boolean;
    readonly expireAfterSeconds?: number;
  }[];
  readonly callable_statics: Readonly<Record<string, CallRule>>;
  readonly advanced_queries: Readonly<Record<'query' | 'aggregate' | 'bulkwrite', boolean>>;
  /** Whether it keeps the history of its documents. */
  readonly history?: true;
  /** Whether its changes are published; only of a model whose changes are not. */
  readonly events?: false;
}

/** A model and what the caller may do with it. */
export interface OwnModel extends Model {
  readonly rights: Rights;
}

const forSession = { staleTime: 5 * 60_000 };

type ModelMap = ReadonlyMap<string, OwnModel>;

/** A query of models by name. */
const modelsAt = (path: string, queryKey: readonly string[]) => ({
  queryKey,
  queryFn: async (): Promise<ModelMap> => {
    const { data } = await send<{ data: OwnModel[] }>('GET', path);
    return new Map(data.map((model) => [model.name, model]));
  },
  ...forSession,
});

const ofFiles = modelsAt('/model?rights=true', ['models']);
/** With the models of the server itself, such as `_webhook` (docs/own-models.md). */
const ofAll = modelsAt('/model?rights=true&own=true', ['models', 'own']);

/** All models on which the caller has some right, by name, without those of the server itself. */
export const useModels = (): UseQueryResult<ModelMap> => useQuery(ofFiles);

/** The models among which a name is looked up: those of the server itself are only read for a name of theirs. */
export const useModelsFor = (name: string): UseQueryResult<ModelMap> =>
  useQuery(name.startsWith('_') ? ofAll : ofFiles);

/** One model; undefined while it is loaded, and for one that does not exist for the caller. */
export const useModel = (name: string): OwnModel | undefined => useModelsFor(name).data?.get(name);

/** The caller; nothing of one who has not signed in. */
export const useMe = (): UseQueryResult<Me> =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => client.me({ signal }),
    enabled: client.user !== undefined,
    ...forSession,
  });

/** What the caller may do with one document. */
export const useRightsOn = (model: string, id: string | undefined): UseQueryResult<Rights<boolean> | null> =>
  useQuery({
    queryKey: ['rights', model, id],
    queryFn: ({ signal }) => (id === undefined ? null : client.model(model).rights({ id, signal })),
  });

/** Whether the caller may read documents of a model. */
export const isReadable = (model: OwnModel | undefined): model is OwnModel =>
  model !== undefined && model.rights.rows.r !== 'none';

/** Whether there is a role to which a model gives a letter, so that an admin can give the right. */
export const isGranted = ({ perms }: OwnModel, letter: string): boolean =>
  Object.values(perms).some((letters) => letters.includes(letter));

/** Whether deleted documents are kept until they are removed permanently; those of the server's own models are not. */
export const keepsDeleted = ({ fields }: OwnModel): boolean => fields['_deleted']?.hidden !== true;

/** Milliseconds between two looks at what is under way on the server. */
export const lookEvery = 1000;

/** Reads `data` of an answer. @param isOpen whether it will change by itself soon: it is read again until then */
export const useData = <Value>(
  path: string,
  query?: Record<string, string>,
  isOpen: (value: Value) => boolean = () => false,
): UseQueryResult<Value> =>
  useQuery({
    queryKey: ['data', path, query],
    queryFn: async () => (await send<{ data: Value }>('GET', pathOf(path, query))).data,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOpen(data) ? lookEvery : false),
  });
