/** A text search over all models that the caller may read: a few models at a time, each with a few results. */
import { client } from '../api/client.ts';
import { type Document, firstColumns, titleField } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel } from '../api/models.ts';
import { searchFor } from '../documents/search-for.ts';

/** The results of a model. */
export interface FoundGroup {
  readonly model: OwnModel;
  readonly documents: readonly Document[];
  /** Whether the model has more of them. */
  readonly hasMore: boolean;
}

/** Results of one model, and models with results, at most. */
const [perModel, maxGroups] = [5, 12];
/** Requests at once. */
const atOnce = 4;

/** The models that are searched: those with a text, shown in the side bar. */
const searchedModels = (models: readonly OwnModel[]): OwnModel[] =>
  models.filter((model) => isReadable(model) && model.hidden !== true && titleField(model) !== undefined);

/** The models whose name has a text. */
export const modelsNamed = (models: readonly OwnModel[], text: string): OwnModel[] =>
  models
    .filter((model) => isReadable(model) && model.hidden !== true)
    .filter((model) =>
      [model.name, labelOfModel(model)].some((name) => name.toLowerCase().includes(text.toLowerCase())),
    )
    .slice(0, perModel);

/**
 * Searches, and ends when enough was found.
 * @param found receives the groups so far, in the order of the models
 * @throws the failure of all models, where none could be searched
 */
export async function searchAll(
  models: readonly OwnModel[],
  text: string,
  signal: AbortSignal,
  found: (groups: readonly FoundGroup[]) => void,
): Promise<readonly FoundGroup[]> {
  const searched = searchedModels(models);
  const groups = new Map<number, FoundGroup>();
  const failures: unknown[] = [];
  const inOrder = (): FoundGroup[] => [...groups].sort(([one], [other]) => one - other).map(([, group]) => group);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < searched.length && groups.size < maxGroups && !signal.aborted) {
      const at = next++;
      const model = searched[at];
      if (model === undefined) return;
      try {
        const group = await searchOne(model, text, signal);
        if (group === undefined) continue;
        groups.set(at, group);
        found(inOrder());
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0 && failures.length === searched.length) throw failures[0];
  return inOrder();
}

async function searchOne(model: OwnModel, text: string, signal: AbortSignal): Promise<FoundGroup | undefined> {
  const title = titleField(model);
  const fields = [...new Set([...(title === undefined ? [] : [title]), ...firstColumns(model)])];
  const options = { search: searchFor(text, model), fields, limit: perModel + 1, signal };
  const documents = (await client.model(model.name).list(options)).data;
  if (documents.length === 0) return undefined;
  return { model, documents: documents.slice(0, perModel), hasMore: documents.length > perModel };
}
